import { within } from '@browser-toolset/core/waiting';
import type { Page } from 'playwright-core';
import type { OpenContext } from '../open-context.js';
import type { SessionNetwork } from '../session-network.js';
import type { SessionBase } from '../session-owner.js';
import { dropDialog } from '../tab/leave-page.js';
import { Leaving, type Tab } from '../tab/tab.js';
import type { TabSet } from '../tab/tab-set.js';
import { type SavedState, type SavedTab, tabOutline } from './saved-state.js';

/** In milliseconds: the wait for a page to grow until its scroll position can be restored. */
const GROW_MS = 1_500;

interface Restored extends SessionBase {
  readonly network: SessionNetwork;
}

/** Reopens a session's tabs, or takes over those still open. Resolves to a description of the result. */
export async function restoreTabs(
  tabs: TabSet,
  saved: SavedState,
  home: OpenContext,
  session: Restored,
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
  return `${back.filter(Boolean).length} of ${back.length} ${back.length === 1 ? 'tab' : 'tabs'} reopened`;
}

/** The open page to use for a saved tab: one with the same URL, else a blank one. */
function takePage(pages: Page[], { url }: SavedTab): Page | undefined {
  const same = pages.findIndex(page => page.url() === url);
  const at = same >= 0 ? same : pages.findIndex(page => page.url() === 'about:blank');
  return at >= 0 ? pages.splice(at, 1)[0] : undefined;
}

/** Loads a tab's page, session storage and scroll position. Resolves to false when it did not load and is blank. */
async function restoreTab(tab: Tab, saved: SavedTab, { network, owner }: Restored): Promise<boolean> {
  return network.drive(tab, { url: saved.url }, () => restorePage(tab.page, saved, owner.config.navigationTimeout));
}

async function restorePage(page: Page, saved: SavedTab, timeout: number): Promise<boolean> {
  if (!/^https?:/.test(saved.url)) return true;
  try {
    if (saved.sessionStorage.length === 0) await page.goto(saved.url, { waitUntil: 'domcontentloaded', timeout });
    else await withSessionStorage(page, saved, () => page.goto(saved.url, { waitUntil: 'domcontentloaded', timeout }));
  } catch {
    // The result reports how many tabs were restored; the agent reads the rest from their URLs.
    return false;
  }
  const { x, y } = saved.scroll;
  const scrolled = x === 0 && y === 0 ? undefined : page.evaluate(scrollBack, { x, y, time: GROW_MS });
  // Failing to scroll does not matter.
  if (scrolled !== undefined) await within(2 * GROW_MS, scrolled).catch(() => undefined);
  return true;
}

async function withSessionStorage(page: Page, saved: SavedTab, load: () => Promise<unknown>): Promise<void> {
  const { origin } = new URL(saved.url);
  const script = await page.addInitScript(fillSessionStorage, { origin, entries: saved.sessionStorage });
  try {
    await load();
  } finally {
    await script.dispose();
  }
}

/** Runs in the page before its own scripts. */
function fillSessionStorage({ origin, entries }: { origin: string; entries: [string, string][] }): void {
  if (location.origin !== origin || window !== top || sessionStorage.length > 0) return;
  for (const [key, value] of entries) sessionStorage.setItem(key, value);
}

/** Runs in the page: scrolls again whenever the page grows, until the position is reached. */
function scrollBack({ x, y, time }: { x: number; y: number; time: number }): Promise<void> {
  return new Promise(resolve => {
    const scroll = (): void => {
      scrollTo({ left: x, top: y, behavior: 'instant' });
      if (Math.abs(scrollX - x) < 2 && Math.abs(scrollY - y) < 2) finish();
    };
    const finish = (): void => {
      growth.disconnect();
      resolve();
    };
    const growth = new ResizeObserver(scroll);
    growth.observe(document.documentElement);
    setTimeout(finish, time);
    scroll();
  });
}

interface Replacement {
  tabs: TabSet;
  home: OpenContext;
  session: Restored;
  /** Receives background work on the old page. */
  end(task: Promise<void>): void;
}

/** Replaces the page of a tab that crashed or hangs, reloads the URL there, and records the outcome. */
export async function replaceTab(tab: Tab, url: string, place: Replacement): Promise<Tab> {
  const { tabs, home, session, end } = place;
  const { effects } = session;
  const holdsOn = tab.leaving === undefined ? 'the page did not respond' : 'the page kept opening dialogs';
  tab.leaving ??= Leaving.aside(effects);
  if (tab.dialog !== undefined) tab.events.dialogAnswered(tab.dialog, false);
  const fresh = await tabs.replace(tab, home);
  end(tab.dispose());
  end(dropDialog(tab).then(() => tab.page.close({ runBeforeUnload: false })));
  const back = await effects.quietly(() => restoreTab(fresh, { ...tabOutline(tab), url }, session));
  // A page that always crashes must not keep the agent from navigating elsewhere.
  if (fresh.crashed) return replaceTab(fresh, 'about:blank', place);
  if (tab.crashed) fresh.reopened = fresh.url;
  const was = tab.crashed ? 'the page crashed' : holdsOn;
  const isThere = back && url !== 'about:blank';
  effects.recovered(was, isThere ? `${url} reopened` : 'an empty tab');
  return fresh;
}
