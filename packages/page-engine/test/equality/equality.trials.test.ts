import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { catalog } from '../../../../bench/pages/catalog.ts';
import { type PageServer, servePages } from '../../../../bench/pages/server.ts';
import { RULE_OF_PAGE, SILENT_CHANGES } from '../../../../integrations/agent-browser/test/snapshot/silent-changes.js';
import { trials } from '../../../../scripts/testing/trials.js';
import { PAGE_ENGINE_SOURCE } from '../../src/generated/page-engine.js';
import { plainChromium } from '../chromium.js';
import { EnginePair } from './engine-pair.js';
import { PAGE_CHANGES } from './page-changes.js';

const SLICE = ['ticker', 'issue-list', 'mail-inbox', 'web-components', 'saved-bbc', 'saved-wired'];

const NOWHERE = 'http://page.invalid/';

const site: Promise<PageServer> = servePages();
afterAll(async () => (await site).close());

let page: Page;
beforeEach(async () => {
  page = await (await plainChromium()).newPage();
});
afterEach(() => page.close());

/** Makes a change where chance says. */
async function change(name: string, seed: number): Promise<void> {
  const run = `(${PAGE_CHANGES[name]?.toString()})`;
  await page.evaluate(`{
    let state = ${seed};
    const next = most => (state = (state * 48271 + 11) % 2147483647) % most;
    const all = [...document.body.querySelectorAll('*')].filter(each => !['SCRIPT', 'STYLE'].includes(each.tagName));
    ${run}(all[next(all.length)], all[next(all.length)]);
  }`);
}

const pages = catalog.map(({ name }) => name).filter(name => !name.startsWith('grid') && !name.startsWith('huge'));
const chosen = trials.size({ slice: SLICE, full: pages });
const rounds = trials.size({ slice: 1, full: 20 });

describe('an engine that was kept captures a page as one that has just begun', () => {
  test.each(chosen)('%s, after each kind of change', { timeout: trials.limit }, async name => {
    await page.goto((await site).url(name));
    const pair = await EnginePair.open(page);
    for (let round = 0; round < rounds; round++)
      for (const [index, kind] of Object.keys(PAGE_CHANGES).entries()) {
        const seed = trials.seed + round * 100 + index;
        await change(kind, seed);
        const { kept, fresh } = await pair.compare();
        expect(kept, `${kind}, seed ${seed}`).toBe(fresh);
      }
  });

  test.each(SILENT_CHANGES)('after a change that no mutation tells: %s', async (_, html, run: () => unknown) => {
    const content = `<!doctype html><title>Page</title>${RULE_OF_PAGE}${html}`;
    await page.route(NOWHERE, route => route.fulfill({ contentType: 'text/html', body: content }));
    await page.goto(NOWHERE);
    const pair = await EnginePair.open(page);
    await page.evaluate(run);
    const { kept, fresh } = await pair.compare();
    expect(kept).toBe(fresh);
  });
});

test('a difference between two engines is seen', async () => {
  await page.setContent('<button>Go</button>');
  const otherSource = PAGE_ENGINE_SOURCE.replaceAll('"button"', '"Button"');
  expect(otherSource).not.toBe(PAGE_ENGINE_SOURCE);
  const pair = await EnginePair.open(page, otherSource);
  const { kept, fresh } = await pair.compare();
  expect(kept).not.toBe(fresh);
});
