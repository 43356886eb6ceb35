import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { startPlayground } from '../../src/server/playground.js';
import { PAGE } from '../../src/server/static-files.js';
import { Running } from '../demo/running.js';
import { newFolder, openPage, test } from './fixtures.js';

describe('a page that is open all day', () => {
  test('says when its server is gone, and goes on with the next one', async () => {
    const dataFolder = await newFolder();
    const first = await startPlayground({ port: 0, dataFolder });
    await using page = await openPage(first.url);
    const shop = page.getByRole('link', { name: 'Demo shop' });
    expect(await shop.getAttribute('href')).toBe(first.demoUrl);
    await first.close();
    await page.getByText('Disconnected. Reconnecting…').waitFor();

    await using second = await startPlayground({ port: Number(new URL(first.url).port), dataFolder });
    await page.getByText('Disconnected. Reconnecting…').waitFor({ state: 'detached' });
    await expect.poll(() => shop.getAttribute('href')).toBe(second.demoUrl);
    await page.getByRole('main').getByRole('button', { name: 'Read the terms' }).click();
    await page.getByText('The tab is closed, and the shop is open again.').waitFor();
  });

  test('reloads when it was built anew, while the server goes on', async () => {
    const pageFolder = await mkdtemp(join(tmpdir(), 'playground-page-'));
    await cp(PAGE, pageFolder, { recursive: true });
    await using playground = await startPlayground({ port: 0, pageFolder, dataFolder: await newFolder() });
    await using page = await openPage(playground.url);
    await page.getByRole('main').getByRole('button', { name: 'Read the terms' }).click();
    await page.getByText('The tab is closed, and the shop is open again.').waitFor();
    const index = join(pageFolder, 'index.html');
    const built = await readFile(index, 'utf8');
    await writeFile(index, built.replace('<head>', '<head><meta name="build" content="second">'));
    await playground.renewPage();
    await page.locator('meta[name=build]').waitFor({ state: 'attached' });
    await page.getByText('The tab is closed, and the shop is open again.').waitFor();
    await rm(pageFolder, { recursive: true });
  });

  test.for([
    { run: 'waits for approval', asks: true, goOn: 'Approve' },
    { run: 'goes on', asks: false, goOn: 'Resume' },
  ])('after a restart in the middle of a run that $run, one press goes on', async ({ asks, goOn }) => {
    const dataFolder = await newFolder();
    const first = await startPlayground({ port: 0, dataFolder });
    await using page = await openPage(first.url);
    await page.getByRole('checkbox', { name: 'Ask before each action' }).setChecked(asks);
    await page.getByRole('main').getByRole('button', { name: 'Buy a mug' }).click();
    if (asks) await page.locator('.decision').waitFor();
    else await page.locator('.tool-call[data-tool=browser_type]').waitFor();
    await first.close();
    await using second = await startPlayground({ port: Number(new URL(first.url).port), dataFolder });
    await page.goto(second.url);
    await page.getByRole('link', { name: /^Buy one Tidewater mug/ }).click();
    await page.getByRole('list', { name: 'Conversation' }).getByText('Buy one Tidewater mug').waitFor();
    await page.getByRole('button', { name: goOn }).click();
    await page.locator('.tool-call[data-tool=browser_navigate]').getByText('went to').last().waitFor();
  });

  test('a run that was cut off as its server was killed is done to its end by one press', async () => {
    const PLAYGROUND_DATA = await newFolder();
    const first = new Running([], { PORT: '0', PLAYGROUND_DATA });
    const [url = ''] = await first.printed(/http:\/\/127\.0\.0\.1:\d+/);
    await using page = await openPage();
    killAtFirstCall(page, first);
    await page.goto(url);
    await page.getByRole('main').getByRole('button', { name: 'Read the terms' }).click();
    await first.ended();

    const second = new Running([], { PORT: new URL(url).port, PLAYGROUND_DATA });
    try {
      await second.printed(url);
      await page.goto(url);
      await page.getByRole('link', { name: /^How long does the shop/ }).click();
      await page
        .locator('.said')
        .getByText(/^How long does the shop/)
        .waitFor();
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByText('The tab is closed, and the shop is open again.').waitFor();
      expect(
        await page
          .locator('.said')
          .getByText(/^How long does the shop/)
          .count(),
      ).toBe(1);
    } finally {
      second.interrupt();
      await second.ended();
    }
  });

  test('listens to nothing while nobody can see it, and catches up afterwards', async ({ page, context }) => {
    await page.getByRole('main').getByRole('button', { name: 'Ask me which mug' }).click();
    await page.locator('.decision').waitFor();
    const other = await context.newPage();
    await other.goto(page.url());
    await setHidden(page, true);
    await other.locator('.decision').getByRole('button', { name: 'Ember mug' }).click();
    await other.getByText('Done: 1 × Ember mug added to your cart.').waitFor();
    expect(await page.getByText('Done: 1 × Ember mug added to your cart.').count()).toBe(0);
    await setHidden(page, false);
    await page.getByText('Done: 1 × Ember mug added to your cart.').waitFor();
  });
});

/** Kills the server as soon as it tells the page of a call, before the run has ended a step. */
function killAtFirstCall(page: Page, server: Running): void {
  page.on('websocket', socket => {
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"type":"tool-call"')) server.kill();
    });
  });
}

/** Headless Chromium shows every page at once: the page is told otherwise (Page Visibility, section 4). */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(hidden => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}
