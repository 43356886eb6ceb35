import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { test } from '../page/fixtures.js';
import { VIEW_ONLY, VIEWPORT, YOU_DRIVE } from '../page/live-server.js';

/** Where a place on the page is shown, by the canvas alone. */
async function shownAt(page: Page, x: number, y: number): Promise<[number, number]> {
  const box = (await page.locator('canvas').boundingBox()) ?? expect.fail('the canvas is shown');
  return [box.x + (x / VIEWPORT.width) * box.width, box.y + (y / VIEWPORT.height) * box.height];
}

const PLACES = [
  [3, 3],
  [640, 360],
  [1277, 717],
  [901, 77],
] as const;

describe('a click', () => {
  for (const [width, height] of [
    [300, 169],
    [300, 600],
    [640, 360],
    [880, 700],
    [1280, 720],
    [1500, 400],
  ] as const) {
    test(`lands within one pixel in a view of ${width} by ${height}`, async ({ page, server, mount }) => {
      await page.setViewportSize({ width: 1600, height: 900 });
      await mount({ component: 'frame', width, height });
      for (const [x, y] of PLACES) await page.mouse.click(...(await shownAt(page, x, y)));
      await server.until(() => server.mouse().filter(({ type }) => type === 'mouseReleased').length === PLACES.length);
      const clicks = server.mouse().filter(({ type }) => type === 'mousePressed' || type === 'mouseReleased');
      for (const [index, [x, y]] of PLACES.entries()) {
        for (const click of clicks.slice(index * 2, index * 2 + 2)) {
          expect(Math.abs(click.x - x)).toBeLessThanOrEqual(1);
          expect(Math.abs(click.y - y)).toBeLessThanOrEqual(1);
        }
      }
    });
  }

  test('lands in the page at a zoomed and scrolled host as well', async ({ page, server, mount }) => {
    await mount({ component: 'frame', width: 640, height: 500 });
    await page.addStyleTag({ content: 'body { zoom: 1.5; padding-top: 900px; height: 3000px }' });
    await page.evaluate(() => window.scrollTo(0, 1200));
    await page.mouse.click(...(await shownAt(page, 500, 300)));
    await server.until(() => server.mouse().some(({ type }) => type === 'mouseReleased'));
    const press = server.mouse().find(({ type }) => type === 'mousePressed');
    expect(press?.x).toBeCloseTo(500, 0);
    expect(press?.y).toBeCloseTo(300, 0);
  });

  test('lands in the page at actual size, scrolled inside of the panel', async ({ page, server, mount }) => {
    await mount({ width: 600, height: 400 });
    await page.getByRole('button', { name: 'Show at actual size' }).click();
    await page.locator('.bt-scroll').evaluate(element => element.scrollTo(500, 300));
    await page.mouse.click(...(await shownAt(page, 700, 400)));
    await server.until(() => server.mouse().some(({ type }) => type === 'mouseReleased'));
    expect(server.mouse().find(({ type }) => type === 'mousePressed')).toMatchObject({ x: 700, y: 400 });
  });

  test('beside the picture is none, and takes no control', async ({ page, server, mount }) => {
    await mount({ width: 400, height: 700 });
    const [x, top] = await shownAt(page, 640, 0);
    await page.mouse.click(x, top - 30);
    // What the server says next is heard after all that the page had to say.
    server.say({ viewers: 7 });
    await page.getByRole('img', { name: '7 viewers' }).waitFor();
    expect(server.messages).toEqual([]);
  });

  test('counts, and knows its button and the modifiers', async ({ page, server, mount }) => {
    server.greeting.push(YOU_DRIVE);
    await mount({ component: 'frame', width: 640, height: 360 });
    const place = await shownAt(page, 400, 300);
    await page.mouse.click(...place, { clickCount: 3 });
    await page.mouse.click(...place, { button: 'right' });
    await page.keyboard.down('Shift');
    await page.mouse.click(...place, { button: 'middle' });
    await page.keyboard.up('Shift');
    await server.until(() => server.keys().some(({ type }) => type === 'keyUp'));
    const presses = server.mouse().filter(({ type }) => type === 'mousePressed');
    expect(presses.map(({ button, clickCount }) => [button, clickCount])).toEqual([
      ['left', 1],
      ['left', 2],
      ['left', 3],
      ['right', 1],
      ['middle', 1],
    ]);
    expect(presses.at(-1)?.modifiers).toBe(8);
  });
});

test('a drag carries the button, goes on outside of the view and is released there', async ({
  page,
  server,
  mount,
}) => {
  server.greeting.push(YOU_DRIVE);
  await mount({ component: 'frame', width: 640, height: 360 });
  await page.mouse.move(...(await shownAt(page, 300, 300)));
  await page.mouse.down();
  await page.mouse.move(...(await shownAt(page, 700, 300)), { steps: 8 });
  await page.mouse.move(1100, 600, { steps: 4 });
  await page.mouse.up();
  await server.until(() => server.mouse().at(-1)?.type === 'mouseReleased');
  const events = server.mouse();
  const drag = events.slice(events.findIndex(({ type }) => type === 'mousePressed'));
  expect(drag.at(0)).toMatchObject({ type: 'mousePressed', x: 300, y: 300 });
  expect(drag.slice(1, -1).map(({ type, button }) => `${type} ${button}`)).toContain('mouseMoved left');
  expect(new Set(drag.slice(1, -1).map(({ button }) => button))).toEqual(new Set(['left']));
  expect(drag.at(-1)).toMatchObject({ type: 'mouseReleased', x: 1279, y: 719, button: 'left' });
});

test('a button is released when the view goes away under it', async ({ page, server, mount }) => {
  server.greeting.push(YOU_DRIVE);
  await mount({ component: 'frame', width: 640, height: 360 });
  await page.mouse.move(...(await shownAt(page, 300, 300)));
  await page.mouse.down();
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await server.until(() => server.mouse().at(-1)?.type === 'mouseReleased');
});

test('the wheel turns the page of who drives, and the host of who does not', async ({ page, server, mount }) => {
  await mount({ component: 'frame', width: 640, height: 360 });
  await page.addStyleTag({ content: 'body { height: 3000px }' });
  await page.mouse.move(...(await shownAt(page, 300, 100)));
  await page.mouse.wheel(0, 80);
  await page.waitForFunction(() => window.scrollY === 80);
  expect(server.mouse()).toEqual([]);
  server.say(YOU_DRIVE);
  await page.locator('[data-driving=true]').waitFor();
  await page.mouse.wheel(30, 120);
  await server.until(() => server.mouse().some(({ type }) => type === 'mouseWheel'));
  expect(server.mouse().find(({ type }) => type === 'mouseWheel')).toMatchObject({ deltaX: 30, deltaY: 120 });
  expect(await page.evaluate(() => window.scrollY)).toBe(80);
});

test('the first press takes control, once, and is sent after it', async ({ page, server, mount }) => {
  server.grantsControl = false;
  await mount({ component: 'frame', width: 640, height: 360 });
  await page.mouse.click(...(await shownAt(page, 300, 300)));
  await page.mouse.click(...(await shownAt(page, 400, 300)));
  await server.until(() => server.mouse().filter(({ type }) => type === 'mouseReleased').length === 2);
  const order = server.messages.map(message => (message.type === 'mouse' ? message.event.type : message.type));
  expect(order.slice(0, 3)).toEqual(['control', 'mousePressed', 'mouseReleased']);
  expect(order.filter(type => type === 'control')).toHaveLength(1);
});

test('who may only watch sends nothing', async ({ page, server, mount }) => {
  server.greeting.push(VIEW_ONLY);
  await mount({ width: 800, height: 600 });
  await page.getByText('View only').waitFor();
  await page.mouse.click(...(await shownAt(page, 300, 300)));
  await page.mouse.wheel(0, 50);
  await page.keyboard.type('hello');
  // What the server says next is heard after all that the page had to say.
  server.say({ viewers: 7 });
  await page.getByRole('img', { name: '7 viewers' }).waitFor();
  expect(server.messages).toEqual([]);
  expect(await page.getByRole('button', { name: 'Reload' }).isDisabled()).toBe(true);
});

describe('on a touch screen', () => {
  test.override({ contextOptions: { hasTouch: true, isMobile: true, viewport: { width: 700, height: 500 } } });

  test('a tap is a touch of the page and no click', async ({ page, server, mount }) => {
    server.greeting.push(YOU_DRIVE);
    await mount({ component: 'frame', width: 640, height: 360 });
    await page.touchscreen.tap(...(await shownAt(page, 640, 360)));
    await server.until(() =>
      server.messages.some(message => message.type === 'touch' && message.event.type === 'touchEnd'),
    );
    const touches = server.messages.flatMap(message => (message.type === 'touch' ? [message.event] : []));
    expect(touches.map(({ type }) => type)).toEqual(['touchStart', 'touchEnd']);
    expect(touches[0]?.touches[0]?.x).toBeCloseTo(640, 0);
    expect(server.mouse()).toEqual([]);
  });
});
