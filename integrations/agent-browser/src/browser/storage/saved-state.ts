import { within } from '@browser-toolset/core/waiting';
import type { BrowserContext, Page } from 'playwright-core';
import type { Session } from '../session.js';
import type { Tab } from '../tab/tab.js';

/** Cookies and storage in Playwright's format. */
export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** One tab as it was. */
export interface SavedTab {
  id: string;
  url: string;
  title: string;
  scroll: { x: number; y: number };
  /** What the page kept for this tab alone; Playwright's storage state leaves it out. */
  sessionStorage: [key: string, value: string][];
}

/** What a session needs to come back as it was. */
export interface SavedState {
  tabs: SavedTab[];
  active: string;
  storage?: StorageState;
  /** Of the remote browser's own context that it is the state of. */
  contextId?: string;
  /** How often the browser died while this was brought back. */
  failures?: number;
}

/** How long a page may take to tell its state, in milliseconds; a page that hangs never does. */
const PAGE_TIME = 1_000;
/** How long the storage of all pages may take. */
const STORAGE_TIME = 5_000;
/** How long a page may take to grow until it can be scrolled to where it was. */
const GROW_TIME = 1_500;

/** So often bringing the same tabs back may end the browser before they are given up. */
const MOST_FAILURES = 1;

/** What to bring back of a browser that died: what it had, or what was being brought back when it did. */
export function afterLoss(
  tabs: SavedState,
  restoring: SavedState | undefined,
  storage: StorageState | undefined,
): SavedState {
  const failures = restoring === undefined ? 0 : (restoring.failures ?? 0) + 1;
  // What ends the browser whenever it is brought back must not keep the agent from going elsewhere.
  const kept = failures > MOST_FAILURES ? { tabs: [], active: '' } : (restoring ?? tabs);
  return { ...kept, failures, storage };
}

/** A tab as far as can be told without asking its page. */
export function tabOutline({ id, url, title }: Tab): SavedTab {
  return { id, url, title, scroll: { x: 0, y: 0 }, sessionStorage: [] };
}

/** A tab with all that its page tells. */
export async function saveTab(tab: Tab): Promise<SavedTab> {
  const outline = tabOutline(tab);
  if (tab.crashed || tab.dialog !== undefined) return outline;
  const told = await within(PAGE_TIME, tab.page.evaluate(pageState)).catch(() => undefined);
  return { ...outline, ...told };
}

/** What is known of a context's storage beforehand. */
export interface StorageHint {
  /** As it was last seen; stands in for what pages that hang do not tell. */
  remembered: StorageState | undefined;
  /** All that the context holds; else only its cookies. */
  isWhole: boolean;
}

/** Cookies and storage of a context. */
export async function saveStorage(context: BrowserContext, hint: StorageHint): Promise<StorageState | undefined> {
  const { remembered, isWhole } = hint;
  const all = isWhole
    ? await within(STORAGE_TIME, context.storageState({ indexedDB: true })).catch(() => undefined)
    : undefined;
  if (all !== undefined) return all;
  const cookies = await within(PAGE_TIME, context.cookies()).catch(() => undefined);
  return { cookies: cookies ?? remembered?.cookies ?? [], origins: remembered?.origins ?? [] };
}

/**
 * Opens a tab's page again with its session storage and scrolls it to where it was. Returns whether it is there: a page
 * that cannot be loaded stays blank.
 */
export async function restoreTab(tab: Tab, saved: SavedTab, { network, owner }: Session): Promise<boolean> {
  return network.drive(tab, { url: saved.url }, () => restorePage(tab.page, saved, owner.config.navigationTimeout));
}

async function restorePage(page: Page, saved: SavedTab, timeout: number): Promise<boolean> {
  if (!/^https?:/.test(saved.url)) return true;
  try {
    if (saved.sessionStorage.length === 0) await page.goto(saved.url, { waitUntil: 'domcontentloaded', timeout });
    else await withSessionStorage(page, saved, () => page.goto(saved.url, { waitUntil: 'domcontentloaded', timeout }));
  } catch {
    // The result says how many tabs came back; the agent sees the rest by their url.
    return false;
  }
  const { x, y } = saved.scroll;
  const scrolled = x === 0 && y === 0 ? undefined : page.evaluate(scrollBack, { x, y, time: GROW_TIME });
  // A page that cannot be scrolled any more is open all the same.
  if (scrolled !== undefined) await within(2 * GROW_TIME, scrolled).catch(() => undefined);
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

/** Runs in the page. */
function pageState(): Pick<SavedTab, 'scroll' | 'sessionStorage'> {
  let entries: [string, string][] = [];
  try {
    entries = Object.entries(sessionStorage);
  } catch {
    // Pages of an opaque origin have none.
  }
  return { scroll: { x: scrollX, y: scrollY }, sessionStorage: entries };
}

/** Runs in the page, before its own scripts. */
function fillSessionStorage({ origin, entries }: { origin: string; entries: [string, string][] }): void {
  if (location.origin !== origin || window !== top || sessionStorage.length > 0) return;
  for (const [key, value] of entries) sessionStorage.setItem(key, value);
}

/** Runs in the page: scrolls, again whenever the page grows, until it is there. */
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
