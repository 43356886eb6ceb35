import type { Page } from 'playwright-core';
import type { Session } from '../session.js';
import type { OpenContext } from '../session-context.js';
import type { Tab } from '../tab/tab.js';
import type { TabSet } from '../tab/tab-set.js';
import { restoreTab, type SavedState, type SavedTab } from './saved-state.js';

/**
 * Opens the tabs of a session again. Of a browser that lived on, pages that are still there are taken over as they are.
 * Returns what came back, in words.
 */
export async function restoreTabs(
  tabs: TabSet,
  saved: SavedState,
  home: OpenContext,
  session: Session,
): Promise<string> {
  const pages = home.isOwn ? [] : await home.pages.all();
  const entries = saved.tabs.map(tab => ({ saved: tab, page: takePage(pages, tab) }));
  for (const page of pages) tabs.adopt(page, home.engine);
  const back = await Promise.all(
    entries.map(async ({ saved: entry, page }) => {
      const tab: Tab = page === undefined ? await tabs.open(home, entry.id) : tabs.adopt(page, home.engine, entry.id);
      return tab.url === entry.url || restoreTab(tab, entry, session);
    }),
  );
  const active = tabs.get(saved.active);
  if (active !== undefined) tabs.activate(active);
  return `${back.filter(Boolean).length} of ${back.length} ${back.length === 1 ? 'tab' : 'tabs'} open again`;
}

/** The page of a running browser that a saved tab stands for: with the same url, or else a blank one. */
function takePage(pages: Page[], { url }: SavedTab): Page | undefined {
  const same = pages.findIndex(page => page.url() === url);
  const at = same >= 0 ? same : pages.findIndex(page => page.url() === 'about:blank');
  return at >= 0 ? pages.splice(at, 1)[0] : undefined;
}
