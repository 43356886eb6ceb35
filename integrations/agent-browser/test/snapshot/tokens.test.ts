import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, describe, expect, test } from 'vitest';
import { formPage, shopPage } from '../../../../packages/page-engine/test/sample-pages.js';
import { estimateTokens } from '../../src/tokens.js';
import { expectSuccess, servePages, sharingToolset } from '../fixtures.js';
import { TRICKY } from './tricky-pages.js';

const toolset = sharingToolset();
const session = toolset.session();
afterAll(() => toolset.close());

const paragraphs = (texts: string[]): string =>
  texts
    .map(
      (text, i) =>
        `<h2>${text.split(' ').slice(0, 3).join(' ')}</h2><p>${text}</p><a href="#${i}">${text.split(' ').slice(0, 4).join(' ')}</a><button>${text.split(' ')[0]}</button>`,
    )
    .join('');

const PAGES: Record<string, string> = {
  'a shop': shopPage(40),
  'a form': formPage(),
  'every kind of element': Object.entries(TRICKY)
    .filter(([what]) => !/modal|dialog|right to left/.test(what))
    .map(([, html]) => html)
    .join(''),
  'an article in English': paragraphs([
    'The committee will publish its report on the new railway line between the two largest cities before the end of the year.',
    'Residents had asked for a second meeting, because many questions about noise and land prices remained open.',
    'A spokesperson said on Tuesday that 1,250 comments had been received and that 87 percent of them were positive.',
  ]),
  'an article in German': paragraphs([
    'Die Bundesregierung hat am Dienstag einen Gesetzentwurf zur Beschleunigung von Genehmigungsverfahren vorgestellt.',
    'Umweltverbände kritisieren die Pläne, während Wirtschaftsvertreter sie als überfälligen Schritt bezeichnen.',
  ]),
  'an article in Norwegian': paragraphs([
    'Regjeringen la tirsdag fram et forslag som skal gjøre det enklere å bygge nye boliger i byene.',
    'Flere kommuner mener at forslaget går for langt, og ber om mer tid til å svare på høringen.',
  ]),
  'an article in Russian': paragraphs([
    'Правительство представило новый план развития железных дорог между крупнейшими городами страны.',
  ]),
  'an article in Chinese': paragraphs(['政府 周二 公布 了 一项 新的 铁路 建设 计划 预计 将 在 年底 之前 开工']),
  'an article in Japanese': paragraphs([
    '政府は 火曜日に 新しい 鉄道計画を 発表し、年内に 着工する 見通しだと 述べました。',
  ]),
  'an article in Arabic': paragraphs([
    'أعلنت الحكومة يوم الثلاثاء عن خطة جديدة لتطوير السكك الحديدية بين أكبر مدينتين في البلاد',
  ]),
};

/** What snapshots with little and with all text say of a page. */
async function readBoth(what: string): Promise<{ little: string; all: string }> {
  const site = await servePages({ '/': `<!doctype html><meta charset="utf-8"><title>${what}</title>${PAGES[what]}` });
  expectSuccess(await session.navigate({ url: site.url() }));
  const read = async (interactiveOnly: boolean): Promise<string> =>
    expectSuccess(await session.snapshot({ interactiveOnly, maxTokens: 100_000 })).tree ?? '';
  return { little: await read(true), all: await read(false) };
}

describe('the estimate of a snapshot differs by at most 15 % from what a model counts', () => {
  for (const what of Object.keys(PAGES)) {
    let texts: ReturnType<typeof readBoth> | undefined;
    test.each([true, false])(`${what} (only what can be acted on: %s)`, async interactiveOnly => {
      texts ??= readBoth(what);
      const tree = (await texts)[interactiveOnly ? 'little' : 'all'];
      const counted = countTokens(tree);
      const ratio = estimateTokens(tree) / counted;
      if (process.env.TOKENS_REPORT) console.info(`${what} ${interactiveOnly} ${counted} ${ratio.toFixed(3)}`);
      expect(Math.abs(ratio - 1)).toBeLessThanOrEqual(0.15);
    });
  }
});
