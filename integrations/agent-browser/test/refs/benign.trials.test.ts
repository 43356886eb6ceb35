import { expect, test } from 'vitest';
import { seedNote, trials } from '../../../../scripts/testing/trials.js';
import type { BrowserSession } from '../../src/index.js';
import { refOf } from '../fixtures.js';
import { type BenignPage, benignPage } from './benign-pages.js';
import { type PokedPage, pokedPages } from './poked-page.js';

const { openPoked } = pokedPages();

/** Acts on each part of a page after that has changed, and says what went wrong. */
async function failures(page: PokedPage, { parts }: BenignPage): Promise<string[]> {
  const { session, seen, poke } = page;
  const failed: string[] = [];
  let adds = 0;
  for (const [i, { kind, go, act }] of parts.entries()) {
    const ref = refOf(seen, 'button', 'Go', go);
    await poke(`change${i}`);
    if (act === 'type') await session.type({ ref: refOf(seen, 'textbox', 'Tags'), text: 'Egypt' });
    if (act === 'press') await session.click({ ref: refOf(seen, 'button', 'Add', ++adds) });
    const result = await session.click({ ref });
    if (!result.success || result.title !== `went to ${i}`)
      failed.push(`${kind}: ${result.code ?? result.title} ${result.message ?? ''}`);
  }
  return failed;
}

test('what changes without making another thing of an element keeps nobody from acting on it', {
  timeout: trials.limit,
}, async () => {
  const failed: string[] = [];
  let session: BrowserSession | undefined;
  for (const seed of trials.seeds({ slice: 4, full: 25 })) {
    const page = benignPage(seed);
    const poked = await openPoked(page.html, {}, session);
    session = poked.session;
    failed.push(...(await failures(poked, page)).map(what => `${seedNote(seed)}, ${what}`));
  }
  expect(failed).toEqual([]);
});
