import { within } from '@browser-toolset/core/waiting';
import type { BrowserContext } from 'playwright-core';
import type { Tab } from '../tab/tab.js';

/** Cookies and storage in Playwright's format. */
export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** One tab as it was. */
export interface SavedTab {
  id: string;
  url: string;
  title: string;
  scroll: { x: number; y: number };
  /** The page's session storage in this tab; Playwright's storage state leaves it out. */
  sessionStorage: [key: string, value: string][];
}

/** Everything that a session needs to come back as it was. */
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
const TAB_STORAGE_MS = 1_000;
/** How long the storage of all pages may take. */
const STORAGE_TIME = 5_000;

/** So often bringing the same tabs back may end the browser before they are given up. */
const MOST_FAILURES = 1;

/** The state to bring back after a crash: what the browser had, or what was being brought back when it crashed. */
export function afterLoss(
  tabs: SavedState,
  restoring: SavedState | undefined,
  storage: StorageState | undefined,
): SavedState {
  const failures = restoring === undefined ? 0 : (restoring.failures ?? 0) + 1;
  // A page that ends the browser whenever it is brought back must not keep the agent from going elsewhere.
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
  const told = await within(TAB_STORAGE_MS, tab.page.evaluate(pageState)).catch(() => undefined);
  return { ...outline, ...told };
}

/** Facts about a context's storage that are known beforehand. */
interface StorageHint {
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
  const cookies = await within(TAB_STORAGE_MS, context.cookies()).catch(() => undefined);
  return { cookies: cookies ?? remembered?.cookies ?? [], origins: remembered?.origins ?? [] };
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
