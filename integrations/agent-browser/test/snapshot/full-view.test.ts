import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserSession } from '../../src/index.js';
import { expectSuccess, servePages, sharingToolset } from '../fixtures.js';
import {
  apart,
  embeddedControls,
  labelledElements,
  labelledRoles,
  longTexts,
  otherNames,
  slots,
  type ViewCase,
} from './full-view-cases.js';

const toolset = sharingToolset();
let session: BrowserSession;
const pages: Record<string, string> = {};

beforeAll(() => {
  session = toolset.session();
});
afterAll(() => toolset.close());

/** What a page says of each of some cases, in place of its number. */
async function missing(cases: readonly ViewCase[]): Promise<string[]> {
  const numbered = cases.map(([html, line], n) => [html.replaceAll('§', `n${n}`), line.replaceAll('§', `n${n}`)]);
  const html = numbered.map(([markup]) => `<div>${markup}</div>`).join('\n');
  pages['/'] = `<!doctype html><meta charset="utf-8"><title>Names</title>${html}`;
  const site = await servePages(pages);
  expectSuccess(await session.navigate({ url: site.url(), waitUntil: 'load' }));
  const { tree = '' } = expectSuccess(await session.snapshot({ interactiveOnly: false, maxTokens: 100_000 }));
  await site.close();
  // A line may tell of several elements, two spaces apart, each with its states after its name.
  const told = tree.split(/\n|(?<!^ *) {2}/).map(line => line.trim());
  return numbered.flatMap(([markup, line]) =>
    told.some(one => one === line || one.startsWith(`${line} `)) ? [] : [`${line} of ${markup}`],
  );
}

describe('the full view names', () => {
  test.each([
    ['what has a role and a label', labelledRoles],
    ['elements that HTML and SVG give a role or none', labelledElements],
    ['what is labelled by text with controls in it', embeddedControls],
    ['what is labelled by slotted text', slots],
    ['what is called by several texts', apart],
    ['what is called by a long text', longTexts],
    ['what is named in other ways', otherNames],
  ])('%s', async (_what, cases) => {
    expect(await missing(cases)).toEqual([]);
  });
});
