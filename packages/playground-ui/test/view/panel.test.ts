import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { test } from '../page/fixtures.js';
import { AGENT_DRIVES_AS_IS, VIEWPORT } from '../page/live-server.js';
import { button, pixel } from '../page/panel-parts.js';

describe('the page', () => {
  test('is shown as it is', async ({ page, mount }) => {
    await mount();
    const [red = 0, green = 255, blue = 255] = await pixel(page, 20, 20);
    expect(red).toBeGreaterThan(180);
    expect(green).toBeLessThan(70);
    expect(blue).toBeLessThan(70);
    expect(
      await page
        .locator('canvas')
        .evaluate(canvas => [(canvas as HTMLCanvasElement).width, (canvas as HTMLCanvasElement).height]),
    ).toEqual([1280, 720]);
  });

  for (const [width, height] of [
    [400, 700],
    [1000, 500],
  ] as const) {
    test(`is seen whole in a panel of ${width} by ${height}, in its own proportions`, async ({ page, mount }) => {
      await mount({ width, height });
      const stage = (await page.locator('.bt-stage').boundingBox()) ?? expect.fail('it has a stage');
      const picture = (await page.locator('canvas').boundingBox()) ?? expect.fail('it is shown');
      expect(picture.width / picture.height).toBeCloseTo(16 / 9, 2);
      expect(Math.min(stage.width - picture.width, stage.height - picture.height)).toBeLessThan(1);
      expect(picture.width).toBeLessThanOrEqual(stage.width + 0.1);
      expect(picture.height).toBeLessThanOrEqual(stage.height + 0.1);
    });
  }

  test('shows where the agent acts, and what became of it', async ({ page, server, mount }) => {
    await mount();
    const action = { id: 'a1', threadId: 'thread-1', tool: 'browser_click', ref: '@e12', at: 1 };
    const box = { x: 880, y: 300, width: 320, height: 48 };
    server.say({ action: { ...action, phase: 'started' } });
    server.say({ action: { ...action, phase: 'aimed', target: 'button "Pay now"', box, point: { x: 1040, y: 324 } } });
    await page.getByText('@e12 button "Pay now"').first().waitFor();
    const picture = (await page.locator('canvas').boundingBox()) ?? expect.fail('it is shown');
    const highlight = (await page.locator('.bt-highlight').boundingBox()) ?? expect.fail('the element is marked');
    const scale = picture.width / VIEWPORT.width;
    expect(highlight.x).toBeCloseTo(picture.x + box.x * scale, 0);
    expect(highlight.y).toBeCloseTo(picture.y + box.y * scale, 0);
    expect(highlight.width).toBeCloseTo(box.width * scale, 0);
    expect(highlight.height).toBeCloseTo(box.height * scale, 0);
    server.say({ action: { ...action, phase: 'ended', success: true, summary: 'opened /order/7' } });
    await page.getByRole('img', { name: 'Done' }).waitFor();
    await page.getByText('opened /order/7').waitFor();
  });
});

describe('sizes', () => {
  test('of panel and page are the same when they are to match; the agent keeps control', async ({
    page,
    server,
    mount,
  }) => {
    await mount({ width: 600, height: 500 });
    const stage = (await page.locator('.bt-stage').boundingBox()) ?? expect.fail('it has a stage');
    await button(page, 'Match size').click();
    await server.until(() => server.requests.length === 1);
    const { width, height } = { width: Math.round(stage.width), height: Math.round(stage.height) };
    expect(server.requests).toMatchObject([
      { method: 'POST', path: '/browser/shopper/viewport', body: { threadId: 'thread-1', width, height } },
    ]);
    expect(server.messages).toEqual([]);
    await mount({ width: 240, height: 300 });
    await button(page, 'Match size').click();
    await server.until(() => server.requests.length === 2);
    expect(server.requests[1]?.body).toMatchObject({ width: 320, height: 240 });
  });

  test('of the page is not offered to be changed where the browser cannot', async ({ page, server, mount }) => {
    await mount();
    await button(page, 'Match size').waitFor();
    server.say(AGENT_DRIVES_AS_IS);
    await button(page, 'Match size').waitFor({ state: 'detached' });
  });

  test('go from large to small to hidden and back, and the picture stays', async ({ page, mount }) => {
    await mount();
    await button(page, 'Small view').click();
    await page.getByRole('tablist').waitFor({ state: 'detached' });
    expect((await page.locator('.bt-panel').boundingBox())?.width).toBe(340);
    await button(page, 'Hide view').click();
    await page.locator('canvas').waitFor({ state: 'detached' });
    await button(page, 'Large view').click();
    await page.locator('canvas[data-frames]').waitFor();
    expect((await pixel(page, 20, 20))[0]).toBeGreaterThan(180);
  });

  test('that the host decides do not change by themselves', async ({ page, mount }) => {
    await mount({ props: { size: 'small' } });
    await button(page, 'Large view').click();
    expect(await page.getByRole('tablist').count()).toBe(0);
  });
});

describe('colours', () => {
  const background = (page: Page) =>
    page.locator('.bt-panel').evaluate(panel => getComputedStyle(panel).backgroundColor);

  for (const colorScheme of ['light', 'dark'] as const) {
    describe(`for who prefers ${colorScheme}`, () => {
      test.override({ contextOptions: { colorScheme } });

      test('are so, unless the host says otherwise', async ({ page, mount }) => {
        const [own, other] =
          colorScheme === 'dark'
            ? ['rgb(22, 24, 29)', 'rgb(255, 255, 255)']
            : ['rgb(255, 255, 255)', 'rgb(22, 24, 29)'];
        const theme = colorScheme === 'dark' ? 'light' : 'dark';
        await mount();
        expect(await background(page)).toBe(own);
        await page.evaluate(name => document.documentElement.setAttribute('data-theme', name), theme);
        expect(await background(page)).toBe(other);
        await mount({ props: { theme: colorScheme } });
        expect(await background(page)).toBe(own);
      });
    });
  }
});

describe('in React 18', () => {
  test.override({ react: 18 });

  test('the panel shows the page and sends clicks', async ({ page, server, mount }) => {
    await mount();
    await page.locator('canvas').click({ position: { x: 10, y: 10 } });
    await server.until(() => server.mouse().some(({ type }) => type === 'mouseReleased'));
    await page.getByText('You are in control').waitFor();
  });
});
