import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** How often, and so many milliseconds apart, a page is asked again whose process a navigation is swapping. */
const ATTEMPTS = 10;
const PAUSE = 50;
/** Chromium's error until the new process has taken the page over. */
const BETWEEN_PROCESSES = /Not attached to an active page/;

/** Asks the browser for something that it refuses while a navigation swaps the page's process, until it does not. */
export async function onceActive<T>(page: Page, ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      // Nobody is told when the new process has taken over.
      const isSwap = error instanceof Error && BETWEEN_PROCESSES.test(error.message);
      if (!isSwap || attempt === ATTEMPTS || page.isClosed()) throw error;
      await delay(PAUSE);
    }
  }
}
