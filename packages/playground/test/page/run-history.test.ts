import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BrowserToolset } from '@browser-toolset/agent-browser';
import type { createWorkflow } from '@mastra/core/workflows';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import { newContext } from '../../../playground-ui/test/chromium.js';
import type { RunSummary } from '../../src/server/browser-agent/api.js';
import { RunsClient } from '../server/runs-client.js';
import { test as base, openPage } from './fixtures.js';
import { RunPage } from './run-page.js';

/** Saves what a link of the page downloads; answers with its path. */
async function download(page: Page, label: string, folder: string): Promise<string> {
  const coming = page.waitForEvent('download');
  await page.getByRole('group', { name: 'Export' }).getByRole('link', { name: label }).click();
  const file = await coming;
  const path = join(folder, file.suggestedFilename());
  await file.saveAs(path);
  return path;
}

/** A folder among the tests: what is exported imports packages of this one. */
async function exportFolder(): Promise<string> {
  const folder = await mkdtemp(join(import.meta.dirname, 'exported-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs of the browser agent that are recorded once for this file, with nobody watching. */
const test = base.extend<{ $file: { mugInCart: RunSummary; purchase: RunSummary } }>({
  mugInCart: [async ({ playground }, use) => use(await new RunsClient(playground).withMugInCart()), { scope: 'file' }],
  purchase: [async ({ playground }, use) => use(await new RunsClient(playground).withMugBought()), { scope: 'file' }],
});

describe('a recorded run', () => {
  test('is in the history, and can be stepped through', async ({ page, mugInCart }) => {
    const run = await RunPage.show(page, mugInCart);
    await page.getByRole('button', { name: 'New task' }).click();
    await page.getByText('What should Browser agent do?').waitFor();
    await run.history.getByRole('link', { name: /^Look for mugs/ }).click();
    await run.ending.getByText('Done: 1 × Ember mug').waitFor();
    await page.getByRole('tab', { name: 'Replay' }).click();
    await page.getByRole('article', { name: 'Start' }).waitFor();
    await page.getByRole('button', { name: 'Next step' }).click();
    await run.step(1).getByText('I search for mugs.').waitFor();
    await page
      .getByRole('img', { name: 'The page after step 1' })
      .evaluate((image: HTMLImageElement) => image.decode());
    await page.getByRole('slider', { name: 'Step' }).press('End');
    await run.step(6).getByText('Done: 1 × Ember mug added to your cart.', { exact: true }).last().waitFor();
    expect(await page.getByRole('button', { name: 'Next step' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Previous step' }).press('ArrowLeft');
    await run.step(5).waitFor();
  });

  test('is done again with other values, in a browser of its own', async ({ page, purchase }) => {
    const run = await RunPage.show(page, purchase);
    await run.ending.getByText(/The order number is/).waitFor();
    const recorded = await run.ending.textContent();
    await page.getByRole('tab', { name: 'Rerun' }).click();
    await run.rerun.getByLabel('email').fill('bo@example.com');
    await run.rerun.getByLabel('full_name').fill('Bo Ek');
    // No record holds it.
    await run.rerun.getByLabel('security_code').fill('123');
    await run.rerun.getByRole('button', { name: 'Rerun' }).click();
    const progress = page.getByRole('region', { name: 'Progress of the rerun' });
    await progress.getByText('15 of 15 actions. All recorded actions were repeated.').waitFor();
    await progress.getByText(/^Filled: .*"bo@example\.com", .*"Bo Ek"/).waitFor();

    // What the shop says of the order stands in the live view, which shows the browser of the rerun by now.
    const address = page.getByRole('region', { name: 'Browser' }).getByRole('textbox', { name: /address/i });
    await expect.poll(() => address.inputValue()).toMatch(/\/orders\/HO-\d+$/);
    expect(recorded).not.toContain((await address.inputValue()).split('/').at(-1));
    await page.getByRole('tab', { name: 'Tools' }).click();
    await page.getByRole('list', { name: 'Tools' }).getByRole('button', { name: 'read', exact: true }).click();
    await page.getByRole('form', { name: 'browser_read' }).getByRole('button', { name: 'Run' }).click();
    const read = page.getByRole('region', { name: /What the model reads/ });
    await read.getByText('Thank you, Bo Ek').first().waitFor();
    await read.getByText('bo@example.com').first().waitFor();
  });

  test('stops where what it looks for is not there, and says what', async ({ page, playground }) => {
    const run = await RunPage.show(page, await new RunsClient(playground).withMugInCart());
    await page.getByRole('tab', { name: 'Rerun' }).click();
    await run.rerun.getByLabel('origin').fill(playground.url);
    await run.rerun.getByRole('button', { name: 'Rerun' }).click();
    const progress = page.getByRole('region', { name: 'Progress of the rerun' });
    await progress
      .getByText('Stopped because an element could not be identified for certain.', { exact: false })
      .waitFor();
    await progress.getByRole('alert').getByText('searchbox "Search products" is not there', { exact: false }).waitFor();
    await progress.getByText('1 of 4 actions', { exact: false }).waitFor();
  });

  test('is not done again with values that do not fit', async ({ playground, mugInCart }) => {
    await using page = await openPage(playground.url);
    const run = await RunPage.show(page, mugInCart);
    await page.getByRole('tab', { name: 'Rerun' }).click();
    await run.rerun.getByLabel('origin').fill('nowhere');
    await run.rerun.getByLabel('search_products').fill('');
    await run.rerun.getByRole('button', { name: 'Rerun' }).click();
    await run.rerun.getByText('This must be the address of a site, such as https://shop.example.').waitFor();
    await run.rerun.getByText('This is required.').waitFor();
    expect(await run.rerun.getByLabel('origin').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('region', { name: 'Progress of the rerun' }).count()).toBe(0);
  });

  test('can be deleted', async ({ page }) => {
    const run = await RunPage.open(page);
    const rows = run.history.getByRole('link');
    const before = await rows.count();
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('Not for long');
    await page.keyboard.press('Enter');
    await run.ending.waitFor();
    expect(await rows.count()).toBe(before + 1);
    await run.history.getByRole('link', { name: /^Not for long/ }).hover();
    await page.getByRole('button', { name: 'Delete Not for long' }).click();
    await page.getByText('What should Browser agent do?').waitFor();
    await expect.poll(() => rows.count()).toBe(before);
  });
});

describe('an exported run', () => {
  test('is a whole history as JSON', async ({ page, mugInCart }) => {
    await RunPage.show(page, mugInCart);
    const path = await download(page, 'JSON', await exportFolder());
    expect(path).toMatch(/look-for-mugs-at[a-z-]*\.history\.json$/);
    const history = JSON.parse(await readFile(path, 'utf8'));
    expect(history).toMatchObject({ version: 1, success: true, result: 'Done: 1 × Ember mug added to your cart.' });
    expect(history.steps).toHaveLength(7);
  });

  test('runs in Playwright', async ({ page, mugInCart }) => {
    await RunPage.show(page, mugInCart);
    const path = await download(page, 'Playwright', await exportFolder());
    const { run } = (await import(path)) as { run(page: Page): Promise<void> };
    const cart = await cartAfter(run);
    expect(cart).toContain('Ember mug');
  });

  test('runs as a workflow of Mastra', async ({ page, mugInCart }) => {
    await RunPage.show(page, mugInCart);
    const path = await download(page, 'Mastra', await exportFolder());
    const { recordedTask } = (await import(path)) as {
      recordedTask(browser: BrowserToolset): ReturnType<typeof createWorkflow>;
    };
    await using browser = new BrowserToolset();
    const run = await recordedTask(browser).createRun();
    expect(await run.start({ inputData: {} })).toMatchObject({ status: 'success' });
    const { content = '' } = await browser.session(run.runId).read({});
    expect(content).toContain('Ember mug');
  });
});

/** What stands in the cart once the exported function has run in a browser of its own. */
async function cartAfter(run: (page: Page) => Promise<void>): Promise<string> {
  const own = await newContext();
  try {
    const shop = await own.newPage();
    await run(shop);
    await shop.getByRole('link', { name: 'Cart, 1 item' }).click();
    return (await shop.getByRole('list', { name: 'Items' }).textContent()) ?? '';
  } finally {
    await own.close();
  }
}
