import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_TOOLS } from '../../src/tools/index.js';
import { expectSuccess, refOf, servePages, sharingToolset } from '../fixtures.js';

const VALUE = 'kq7wz-hunter';
/** Parts of the secret, and as many texts that are nowhere. */
const GUESSES = [
  ['kq', 'xj'],
  ['7wz', '9vy'],
  ['KQ7WZ', 'XJ9VY'],
  ['hunter', 'fisher'],
  ['wz-hun', 'vy-fis'],
] as const;

/** A page that shows a secret in all places that somebody may ask about. */
const site = await servePages({
  '/': `<!doctype html><title>${VALUE}</title><link rel="icon" href="data:,"><body>
    <h1>Mine: ${VALUE}</h1><p>${VALUE.split('')
      .map(letter => `<b>${letter}</b>`)
      .join('')}</p>
    <input aria-label="Field" value="${VALUE}" type="text"><button aria-label="${VALUE}">Go</button>
    <label>Native <select><option>Other</option><option value="${VALUE}">${VALUE}</option></select></label>
    <div role="listbox" aria-label="List" tabindex="0"><div role="option" tabindex="-1">${VALUE}</div><div role="option" tabindex="-1">Other</div></div>
    <iframe title="frame" srcdoc="<p>${VALUE}</p>"></iframe>
    <script>
      console.log('${VALUE}'); localStorage.setItem('${VALUE}', '${VALUE}');
      fetch('/asked?${VALUE}');
      history.replaceState(null, '', '?is=${VALUE}');
    </script>`,
  '/asked': '',
});

type Question = (guess: string) => object;

/** What the tools can be asked about texts of a page. */
const QUESTIONS: Record<string, Question[]> = {
  browser_wait: [
    text => ({ for: { text }, timeout: 0.1 }),
    gone => ({ for: { gone }, timeout: 60 }),
    url => ({ for: { url }, timeout: 0.1 }),
    guess => ({ for: { url: `*${guess}*` }, timeout: 0.1 }),
  ],
  browser_find: [text => ({ text }), regex => ({ regex }), guess => ({ regex: `^Mine: ${guess}` }), role => ({ role })],
  browser_network: [filter => ({ filter })],
  browser_select: ['Native', 'List'].flatMap(name => [
    (guess: string) => ({ ref: refs.get(name), labels: [guess] }),
    (guess: string) => ({ ref: refs.get(name), values: [guess] }),
  ]),
  browser_fill_form: ['Native', 'List'].map(name => (value: string) => ({ fields: [{ ref: refs.get(name), value }] })),
};
/** These compare no text that they are given with the page: they act by ref or place, or tell all that there is. */
const ASKED_NOTHING =
  `ask_user click clipboard close console dialog drag emulate evaluate extract history hover navigate
  page_tools pdf press read screenshot scroll snapshot storage tabs type upload`
    .split(/\s+/)
    .map(name => (name === 'ask_user' ? name : `browser_${name}`));

const refs = new Map<string, string>();
const toolset = sharingToolset({ secrets: { PW: { value: VALUE, domains: ['127.0.0.1'] } } });
const session = toolset.session('ann');

beforeAll(async () => {
  await session.network();
  expectSuccess(await session.navigate({ url: site.url() }));
  const page = expectSuccess(await session.snapshot());
  refs.set('Native', refOf(page, 'combobox', 'Native')).set('List', refOf(page, 'listbox', 'List'));
});
afterAll(() => toolset.close());

it('each tool is asked here, or asks nothing', () => {
  const known = [...Object.keys(QUESTIONS), ...ASKED_NOTHING];
  expect(ALL_TOOLS.map(({ id }) => id).filter(id => !known.includes(id))).toEqual([]);
});

describe('a guess of a part of a secret is answered like any other', () => {
  const cases = Object.entries(QUESTIONS).flatMap(([tool, questions]) =>
    questions.map((question, index) => ({ tool, question, index })),
  );
  it.each(cases)('by $tool ($index)', async ({ tool, question }) => {
    const ask = session[tool.replace('browser_', '').replace('fill_form', 'fillForm') as 'find'].bind(session);
    for (const [right, wrong] of GUESSES) {
      const [one, other] = [await ask(question(right) as never), await ask(question(wrong) as never)];
      expect(told(one, right)).toEqual(told(other, wrong));
    }
  });
});

it('what is no secret is waited for beside one', async () => {
  const page = `<!doctype html><title>Later</title><link rel="icon" href="data:,"><p id="out">Loading</p><p>${VALUE}</p><script>
    setTimeout(() => { out.innerHTML = 'Order <b>12</b> is ready'; history.replaceState(null, '', '?is=done&key=${VALUE}'); }, 300);
  </script>`;
  const later = await servePages({ '/': page });
  expectSuccess(await session.navigate({ url: later.url() }));
  expectSuccess(await session.wait({ for: { text: 'order 12 is ready' }, timeout: 60 }));
  expectSuccess(await session.wait({ for: { gone: 'Loading' }, timeout: 60 }));
  expectSuccess(await session.wait({ for: { url: 'is=done' }, timeout: 60 }));
});

/** What an answer says, but for the guess itself and for how long it took. */
function told(answer: object, guess: string): string {
  return JSON.stringify(answer)
    .replaceAll(guess, 'GUESS')
    .replace(/"(?:waited|executionTime|ms|page)":[\d.]+/g, '');
}
