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

export function tabOutline({ id, url, title }: Tab): SavedTab {
  return { id, url, title, scroll: { x: 0, y: 0 }, sessionStorage: [] };
}
