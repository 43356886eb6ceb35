import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { test } from './fixtures.js';
import { runTool } from './run-tool.js';

let threadOfTerms: string | undefined;

/** Shows a thread in which the agent has read the terms, which it does once for this file. */
async function showTermsRead(page: Page): Promise<void> {
  if (threadOfTerms === undefined) await page.getByRole('button', { name: /Read the terms/ }).click();
  else await page.goto(threadOfTerms);
  await page.getByText('The tab is closed, and the shop is open again.').waitFor();
  threadOfTerms = page.url();
}

describe('the tools panel', () => {
  test('runs a tool on the thread and shows object, text and cost side by side', async ({ page, playground }) => {
    await runTool(page, 'navigate', form => form.getByLabel('url').fill(playground.demoUrl));
    await page.getByText(`went to ${playground.demoUrl}/`).waitFor();
    const result = await runTool(page, 'snapshot', async () => {});
    const text = result.getByRole('region', { name: /What the model reads/ });
    await text.getByText('searchbox "Search products"').waitFor();
    expect(await text.textContent()).toMatch(/\d+ tokens/);
    expect(await text.textContent()).toContain('page "Shop');
    const object = result.getByRole('region', { name: /Object/ });
    expect(await object.textContent()).toMatch(/\d+ ms/);
    expect(await object.textContent()).toContain('success: true');
    const [left, right] = await Promise.all([object.boundingBox(), text.boundingBox()]);
    expect(left?.y).toBe(right?.y);
    // The thread is there to come back to.
    await page.getByRole('link', { name: /^Tools by hand/ }).waitFor();
  });

  test('marks what is required, and says next to a field what is wrong with it', async ({ page }) => {
    await runTool(page, 'click', form => form.getByLabel('clickCount').fill('many'));
    const field = page.locator('.field', { hasText: 'clickCount' });
    await field.getByRole('alert').waitFor();
    expect(await field.getByRole('textbox').getAttribute('aria-invalid')).toBe('true');

    await runTool(page, 'navigate', async () => {});
    const url = page.locator('.field', { hasText: 'url *' });
    expect(await url.getByRole('alert').textContent()).toBe('This is required.');
  });

  test('sends nested fields as they are meant', async ({ page, playground }) => {
    await runTool(page, 'navigate', form => form.getByLabel('url').fill(playground.demoUrl));
    await page.getByText('went to').waitFor();
    const result = await runTool(page, 'wait', form => form.getByLabel('text', { exact: true }).fill('Tidewater'));
    await result.getByText('success: true').waitFor();
  });
});

describe('the live view', () => {
  test('shows the page that the agent is on', async ({ page, playground }) => {
    await showTermsRead(page);
    const panel = page.getByRole('region', { name: 'Browser' });
    await panel.getByText('Live', { exact: true }).waitFor();
    expect(await panel.getByRole('textbox', { name: /address/i }).inputValue()).toBe(`${playground.demoUrl}/`);
    const isPainted = await panel
      .locator('canvas')
      .first()
      .evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
        return new Set(data).size > 20;
      });
    expect(isPainted).toBe(true);
  });

  test('gives the page the size of the panel', async ({ page }) => {
    await showTermsRead(page);
    const sizeOf = async (selector: string) => {
      const { width, height } = (await page.locator(selector).first().boundingBox()) ?? expect.fail(`no ${selector}`);
      return [Math.round(width), Math.round(height)];
    };
    await page.getByRole('region', { name: 'Browser' }).getByText('Live', { exact: true }).waitFor();
    expect(await sizeOf('canvas')).not.toEqual(await sizeOf('.bt-stage'));
    await page.getByRole('button', { name: 'Match size' }).click();
    await expect.poll(() => sizeOf('canvas')).toEqual(await sizeOf('.bt-stage'));
    await page.getByText('Agent is in control').waitFor();
  });
});

describe('the timeline', () => {
  test('lists what was done with its effects, and tells the rest on a click', async ({ page }) => {
    await showTermsRead(page);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    const panel = page.getByRole('tabpanel', { name: 'Timeline' });
    await panel.getByText(/^opened a tab with/).waitFor();
    expect(await panel.getByText(/tokens read$/).count()).toBe(1);
    await panel.getByRole('button', { name: /^find/ }).click();
    await panel.locator('.model-text').getByText('for any reason').first().waitFor();
  });
});

describe('the page', () => {
  test('works with the keyboard: tabs by arrows, columns by arrows', async ({ page }) => {
    await page.getByRole('tab', { name: 'Live' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('tab', { name: 'Tools' }).getAttribute('aria-selected')).toBe('true');
    const splitter = page.getByRole('separator', { name: 'Width of the threads' });
    const before = Number(await splitter.getAttribute('aria-valuenow'));
    await splitter.focus();
    await page.keyboard.press('ArrowRight');
    expect(Number(await splitter.getAttribute('aria-valuenow'))).toBe(before + 16);
    await page.reload();
    expect(Number(await splitter.getAttribute('aria-valuenow'))).toBe(before + 16);
  });

  test('needs no sideways scrolling on a small screen', async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 768 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(1024);
  });
});
