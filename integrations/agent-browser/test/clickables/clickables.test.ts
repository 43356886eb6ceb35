import { describe, expect, test } from 'vitest';
import { expectSuccess, pageOf, servePages } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';
import { APPS } from './apps.js';
import { CONTROLS, INNER } from './controls.js';
import { GRIDS } from './grids.js';
import { LISTS } from './lists.js';
import { documentOf } from './page.js';

const PAGES = { ...LISTS, ...GRIDS, ...CONTROLS, ...APPS };
const counted = { things: 0, reached: 0, refs: 0, react: 0 };
const { toolset } = pageOpener();
const THREAD = 'clickables';
const session = toolset.session(THREAD);

/** Presses what a ref means, and says what the page has done. */
async function press(ref: string): Promise<string[]> {
  // What these pages do shows in their log alone: nobody need wait for it to be seen.
  await session.click({ ref, waitAfter: 0 });
  return (await pageOf(toolset, THREAD)).evaluate('log.splice(0)');
}

describe('a person and the snapshot agree on what reacts to a press', () => {
  for (const [name, page] of Object.entries(PAGES)) {
    test(name, async () => {
      const site = await servePages({ '/': documentOf(name, page), '/inner': INNER });
      expectSuccess(await session.navigate({ url: site.url(), waitUntil: 'load' }));
      const { refs = {}, tree } = expectSuccess(await session.snapshot());
      const done = new Set<string>();
      const idle: string[] = [];
      for (const [ref, { role }] of Object.entries(refs)) {
        if (role === 'iframe') continue;
        const reactions = await press(ref);
        for (const reaction of reactions) done.add(reaction);
        counted.refs++;
        if (reactions.length > 0) counted.react++;
        else idle.push(ref);
      }
      counted.things += page.things;
      counted.reached += Math.min(page.things, done.size);
      expect(done.size, tree).toBe(page.things);
      expect(idle, tree).toEqual([]);
    });
  }
});

test('recall is at least 99 % and precision at least 97 %, over all pages', () => {
  expect(Object.keys(PAGES).length).toBeGreaterThanOrEqual(30);
  expect(counted.things).toBeGreaterThan(200);
  if (process.env.TRIALS_REPORT) console.info(JSON.stringify(counted));
  expect(counted.reached / counted.things).toBeGreaterThanOrEqual(0.99);
  expect(counted.react / counted.refs).toBeGreaterThanOrEqual(0.97);
});
