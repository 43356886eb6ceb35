import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { StudioState } from '../../src/server/api.js';
import type { Playground } from '../../src/server/playground.js';
import { RunsClient } from '../server/runs-client.js';
import { test } from './fixtures.js';
import { RunPage } from './run-page.js';
import { runTool } from './run-tool.js';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** All that axe-core knows by itself, and the size of what a finger presses. */
const ASKED = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } };

/** What axe-core finds, with where it is. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(ASKED)})`);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} of ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Where three columns do not fit, the tab in which the state is seen. */
type Tab = 'Chat' | 'Browser' | 'Threads';

interface State {
  show(page: Page, playground: Playground): Promise<void>;
  readonly tab?: Tab;
}

const card = (page: Page, title: string) => page.getByRole('main').getByRole('button', { name: title });

/** The playground, with something in it. */
const STATES: Record<string, State> = {
  'a page that is loading': {
    async show(page) {
      await page.route('**/playground/state', () => {});
      await page.reload({ waitUntil: 'commit' });
      await page.locator('.skeleton').waitFor();
    },
  },
  'a page that could not be loaded': {
    async show(page) {
      await page.route('**/playground/state', route => route.fulfill({ status: 200, body: 'no JSON' }));
      await page.reload();
      await page.getByRole('heading', { name: 'The playground did not load' }).waitFor();
    },
  },
  'an empty chat, and the threads': {
    async show(page) {
      await card(page, 'Buy a mug').waitFor();
      await page.getByRole('textbox', { name: 'Message to the agent' }).fill('Words');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: /^Words/ }).waitFor();
      await page.getByRole('button', { name: 'New thread' }).click();
      await card(page, 'Buy a mug').waitFor();
    },
    tab: 'Threads',
  },
  'a model that cannot be used': {
    async show(page) {
      await page.route('**/playground/state', async route => {
        const state = (await (await route.fetch()).json()) as StudioState;
        const agents = state.agents.map(agent => ({ ...agent, model: 'small at http://localhost:11434/v1' }));
        await route.fulfill({ json: { ...state, agents } });
      });
      await page.route('**/playground/model', route => route.fulfill({ json: { problem: 'It cannot be reached.' } }));
      await page.reload();
      await page.getByRole('button', { name: 'Check again' }).waitFor();
    },
  },
  'a chat with calls, an open one and a question': {
    async show(page) {
      await card(page, 'Ask me which mug').click();
      await page.locator('.decision').getByRole('button', { name: 'Ember mug' }).waitFor();
      await page.locator('.tool-call summary').first().click();
    },
  },
  'a live view, while the agent waits for an approval': {
    async show(page, { demoUrl }) {
      await page.getByRole('checkbox', { name: 'Ask before each action' }).check();
      await page.getByRole('textbox', { name: 'Message to the agent' }).fill(`Read the terms at ${demoUrl}`);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('went to').waitFor();
      await page.getByRole('region', { name: 'Browser' }).getByText('Live', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Approve' }).waitFor();
    },
    tab: 'Browser',
  },
  'tools, with a result': {
    async show(page, { demoUrl }) {
      await runTool(page, 'navigate', form => form.getByLabel('url').fill(demoUrl));
      await page.getByText('went to').waitFor();
      const result = await runTool(page, 'snapshot', async () => {});
      await result
        .getByRole('region', { name: /What the model reads/ })
        .getByText('searchbox')
        .waitFor();
    },
    tab: 'Browser',
  },
  'a timeline, with an open entry': {
    async show(page, { demoUrl }) {
      await runTool(page, 'navigate', form => form.getByLabel('url').fill(demoUrl));
      await page.getByText('went to').waitFor();
      await page.getByRole('tab', { name: 'Timeline' }).click();
      await page
        .getByRole('tabpanel', { name: 'Timeline' })
        .getByRole('button', { name: /^navigate/ })
        .click();
      await page.getByRole('tabpanel', { name: 'Timeline' }).locator('.model-text').waitFor();
    },
    tab: 'Browser',
  },
  'the page for MCP clients': {
    async show(page) {
      await page.getByRole('tab', { name: 'MCP' }).click();
      await page.locator('.mcp figure').first().waitFor();
    },
    tab: 'Browser',
  },
  'a run of the browser agent that has ended': {
    async show(page, playground) {
      await RunPage.show(page, await new RunsClient(playground).withMugInCart());
    },
  },
  'a run of the browser agent that asks': {
    async show(page, playground) {
      await RunPage.showAsking(page, playground);
    },
  },
};

const WIDTHS = [1440, 800, 420];

describe('axe-core finds nothing wrong with', () => {
  for (const [name, { show, tab = 'Chat' }] of Object.entries(STATES))
    test(`${name}, light and dark, in ${WIDTHS.join(', ')} pixels`, async ({ page, playground }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await show(page, playground);
      await page.evaluate(AXE);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const views = page.getByRole('tablist', { name: 'Views' });
        if (width < 800 && (await page.locator('#root > .columns').count()) > 0)
          await views.getByRole('tab', { name: tab }).click();
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          // The page lays itself out by script after its window has a new size: axe-core may read it half way there.
          await expect
            .poll(() => violations(page), { message: `${width} pixels, ${colorScheme}`, timeout: 10_000 })
            .toEqual([]);
        }
      }
    });
});
