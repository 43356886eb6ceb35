import type { Page } from 'playwright-core';
import { withCdp } from '../chromium/cdp.js';
import { onceActive } from './once-active.js';
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

function historyOf(page: Page): Promise<History> {
  return onceActive(page, () => withCdp(page, session => session.send('Page.getNavigationHistory')));
}
