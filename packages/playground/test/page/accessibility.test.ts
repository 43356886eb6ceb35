import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { RunSummary } from '../../src/server/browser-agent/api.js';
import type { Playground } from '../../src/server/playground.js';
import { RunsClient } from '../server/runs-client.js';
import { test } from './fixtures.js';
import { RunPage } from './run-page.js';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds, with where it is. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations: found } = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })');
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} of ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Where a chat is that the first test with one began. */
let asking: string | undefined;
let purchase: Promise<RunSummary> | undefined;

/** The views of the playground, with something in them. */
const VIEWS: Record<string, (page: Page, playground: Playground) => Promise<void>> = {
  'an empty chat': async page => {
    await page.getByRole('main').waitFor();
  },
  'a chat with calls, an open one and a question': async page => {
    if (asking === undefined) await page.getByRole('main').getByRole('button', { name: 'Ask me which mug' }).click();
    else await page.goto(asking);
    await page.locator('.decision').getByRole('button', { name: 'Ember mug' }).waitFor();
    asking = page.url();
    await page.locator('.tool-call summary').first().click();
  },
  'the tools': async page => {
    await page.getByRole('tab', { name: 'Tools' }).click();
  },
  'the page for MCP clients': async page => {
    await page.getByRole('tab', { name: 'MCP' }).click();
  },
  'a run of the browser agent that has ended': async (page, playground) => {
    purchase ??= new RunsClient(playground).withMugBought();
    await RunPage.show(page, await purchase);
  },
};

describe.each(['light', 'dark'] as const)('in %s colours axe-core finds nothing wrong with', colorScheme => {
  for (const [name, show] of Object.entries(VIEWS))
    test(name, async ({ page, playground }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await show(page, playground);
      expect(await violations(page)).toEqual([]);
    });
});
