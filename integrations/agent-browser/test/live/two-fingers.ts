import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { BrowserToolset } from '../../src/index.js';

/** A browser that is busy may take the fingers for something else: then a person tries again. */
const TRIES = 4;

/** Enlarges a page with two fingers, as a person does, and waits until it is. */
export async function enlarge(toolset: BrowserToolset, thread: string, page: Page): Promise<void> {
  const scale = () => page.evaluate<number>('visualViewport.scale');
  for (let tries = 0; tries < TRIES && (await scale()) <= 1.2; tries++) {
    await spread(toolset, thread, page);
    await expect
      .poll(scale, { timeout: 15_000 })
      .toBeGreaterThan(1.2)
      .catch(() => undefined);
  }
  expect(await scale()).toBeGreaterThan(1.2);
  await page.evaluate(STILL);
}

/** Chromium enlarges before the page is told: what is pressed before both agree lies elsewhere than the page says. */
const STILL = `new Promise(done => {
  let last = '';
  let times = 0;
  const look = () => {
    const { scale, offsetLeft, offsetTop } = visualViewport;
    const now = [scale, offsetLeft, offsetTop].join();
    times = now === last ? times + 1 : 0;
    last = now;
    if (times < 6) requestAnimationFrame(look);
    else done();
  };
  look();
})`;

async function spread(toolset: BrowserToolset, thread: string, page: Page): Promise<void> {
  const touch = (type: 'touchStart' | 'touchMove', apart: number) => {
    const touches = [
      { id: 1, x: 300 - apart, y: 20 },
      { id: 2, x: 300 + apart, y: 22 },
    ];
    return toolset.injectTouchEvent({ type, touches }, thread);
  };
  await touch('touchStart', 40);
  for (let apart = 44; apart <= 88; apart += 4) {
    await touch('touchMove', apart);
    // Fingers that move within one frame are no gesture.
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
  await toolset.injectTouchEvent({ type: 'touchEnd', touches: [] }, thread);
}
