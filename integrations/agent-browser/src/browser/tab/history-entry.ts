import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { withCdp } from '../chromium/cdp.js';
import type { Tab } from './tab.js';

/** The url of the entry so many steps away in a tab's history. The blank page that a tab begins with is none. */
export async function historyEntry({ page }: Tab, steps: -1 | 1): Promise<string | undefined> {
  const { currentIndex, entries } = await historyOf(page);
  const index = currentIndex + steps;
  const url = entries[index]?.url;
  return index === 0 && url === 'about:blank' ? undefined : url;
}

interface History {
  currentIndex: number;
  entries: readonly { url: string }[];
}

/** How often, and so many milliseconds apart, a page is asked again whose process a navigation is swapping. */
const ATTEMPTS = 10;
const PAUSE = 50;

async function historyOf(page: Page): Promise<History> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withCdp(page, session => session.send('Page.getNavigationHistory'));
    } catch (error) {
      // Chromium tells nobody when the new process has taken the page over.
      if (attempt === ATTEMPTS || page.isClosed()) throw error;
      await delay(PAUSE);
    }
  }
}
