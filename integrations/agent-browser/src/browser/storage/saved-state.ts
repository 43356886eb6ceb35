import { within } from '@browser-toolset/core/waiting';
import type { BrowserContext } from 'playwright-core';
import type { Tab } from '../tab/tab.js';

export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

export interface SavedTab {
  id: string;
  url: string;
  title: string;
  scroll: { x: number; y: number };
  /** The tab's session storage, which Playwright's storage state omits. */
  sessionStorage: [key: string, value: string][];
}

export interface SavedState {
  tabs: SavedTab[];
  active: string;
  storage?: StorageState;
  /** The id of the remote browser's default context that the state belongs to. */
  contextId?: string;
  /** The number of times the browser died while this state was being restored. */
  failures?: number;
}

/** In milliseconds: a page that hangs never answers. */
const TAB_STORAGE_MS = 1_000;
/** In milliseconds, for all pages together, or for the browser's cookies. */
const STORAGE_MS = 5_000;

/** The number of failed restores after which the tabs are given up. */
const MOST_FAILURES = 1;

/** The state to restore after a crash: the browser's last one, or the one whose restore it interrupted. */
export function afterLoss(
  tabs: SavedState,
  restoring: SavedState | undefined,
  storage: StorageState | undefined,
): SavedState {
  const failures = restoring === undefined ? 0 : (restoring.failures ?? 0) + 1;
  // A page that always crashes the browser must not keep the agent from navigating elsewhere.
  const kept = failures > MOST_FAILURES ? { tabs: [], active: '' } : (restoring ?? tabs);
  return { ...kept, failures, storage };
}

export function tabOutline({ id, url, title }: Tab): SavedTab {
  return { id, url, title, scroll: { x: 0, y: 0 }, sessionStorage: [] };
}

export async function saveTab(tab: Tab): Promise<SavedTab> {
  const outline = tabOutline(tab);
  if (tab.crashed || tab.dialog !== undefined) return outline;
  const told = await within(TAB_STORAGE_MS, tab.page.evaluate(pageState)).catch(() => undefined);
  return { ...outline, ...told };
}

interface StorageHint {
  /** The storage last read, which replaces what hanging pages do not return. */
  remembered: StorageState | undefined;
  /** Reads all of the context's storage, not only cookies. */
  isWhole: boolean;
}

export async function saveStorage(context: BrowserContext, hint: StorageHint): Promise<StorageState | undefined> {
  const { remembered, isWhole } = hint;
  const all = isWhole
    ? await within(STORAGE_MS, context.storageState({ indexedDB: true })).catch(() => undefined)
    : undefined;
  if (all !== undefined) return all;
  const cookies = await within(STORAGE_MS, context.cookies()).catch(() => undefined);
  return { cookies: cookies ?? remembered?.cookies ?? [], origins: remembered?.origins ?? [] };
}

/** Runs in the page. */
function pageState(): Pick<SavedTab, 'scroll' | 'sessionStorage'> {
  let entries: [string, string][] = [];
  try {
    entries = Object.entries(sessionStorage);
  } catch {
    // Opaque origins have no session storage.
  }
  return { scroll: { x: scrollX, y: scrollY }, sessionStorage: entries };
}
