import { within } from '@browser-toolset/core/waiting';
import type { BrowserContext } from 'playwright-core';
import { z } from 'zod/v4';
import type { OpenContext } from '../open-context.js';
import type { Tab } from '../tab/tab.js';
import type { TabSet } from '../tab/tab-set.js';
import { type SavedState, type SavedTab, type StorageState, tabOutline } from './saved-state.js';

/** In milliseconds: a browser that hangs never answers, nor does a page. */
const BROWSER_READ_MS = 5_000;
const PAGE_READ_MS = 1_000;
/** The number of failed restores after which the tabs are given up. */
const MOST_FAILURES = 1;

/** The cookies and local storage last read, for the case that the browser dies. */
export class RememberedStorage {
  #cookies: StorageState['cookies'] | undefined;
  #origins = new Map<string, StorageState['origins'][number]>();
  #running: Promise<void> | undefined;
  #mayDiffer = false;

  get state(): StorageState | undefined {
    if (this.#cookies === undefined) return undefined;
    return { cookies: this.#cookies, origins: [...this.#origins.values()] };
  }

  set(state: StorageState | undefined): void {
    this.#cookies = state?.cookies;
    this.#origins = new Map(state?.origins.map(origin => [origin.origin, origin]));
  }

  /** Notes a response: it may have set cookies, and the page may have stored data. */
  noteAnswer(): void {
    this.#mayDiffer = true;
  }

  /** Reads again, unless nothing can have changed or a read is under way. Never rejects. */
  refresh(context: BrowserContext, tab: Tab | undefined): void {
    if (!this.#mayDiffer || this.#running !== undefined) return;
    this.#running = this.read(context, tab).finally(() => {
      this.#running = undefined;
    });
  }

  async read(context: BrowserContext, tab: Tab | undefined): Promise<void> {
    this.#mayDiffer = false;
    const reads = await Promise.allSettled([this.#readCookies(context), this.#readPage(tab)]);
    // What was not read now is read later.
    this.#mayDiffer ||= reads.some(read => read.status === 'rejected' || !read.value);
  }

  /** Resolves to whether the browser answered. */
  async #readCookies(context: BrowserContext): Promise<boolean> {
    const cookies = await within(BROWSER_READ_MS, context.cookies());
    if (cookies !== undefined) this.#cookies = cookies;
    return cookies !== undefined;
  }

  /** Resolves to whether the page answered, if it can. */
  async #readPage(tab: Tab | undefined): Promise<boolean> {
    if (tab === undefined || tab.state === 'closed' || tab.state === 'crashed') return true;
    if (tab.state !== 'alive') return false;
    const { protocol, origin } = new URL(tab.page.url());
    if (!protocol.startsWith('http')) return true;
    const stored = await within(PAGE_READ_MS, tab.page.evaluate(localStorageOfPage));
    if (stored === undefined || new URL(tab.page.url()).origin !== origin) return false;
    const { data: localStorage } = storedEntries.safeParse(stored);
    if (localStorage === undefined) return true;
    const before = this.#origins.get(origin);
    // A context that begins with this state visits each origin of it, and Chromium may connect to it.
    if (before !== undefined || localStorage.length > 0) this.#origins.set(origin, { ...before, origin, localStorage });
    return true;
  }
}

/** Pages can answer what they like: their scripts run in the same world. */
const storedEntries = z.array(z.object({ name: z.string(), value: z.string() }));

/** Runs in the page. Null where it has no local storage, as opaque origins have none. */
function localStorageOfPage(): unknown {
  try {
    return Object.entries(localStorage).map(([name, value]) => ({ name, value }));
  } catch {
    return null;
  }
}

export type SessionState =
  | { is: 'new' }
  | ({ is: 'open' } & OpenContext)
  | { is: 'asleep'; saved: SavedState; why: 'hibernated' | 'browser gone' | 'used elsewhere' }
  | { is: 'closed' };

interface StateParts {
  home: OpenContext;
  tabs: TabSet;
  storage: RememberedStorage;
}

export async function wholeState({ home, tabs, storage: { state } }: StateParts): Promise<SavedState> {
  const { keeps, contextId } = home;
  const saved = await Promise.all(tabs.all.map(saveTab));
  const storage = keeps === 'nothing' ? undefined : await saveStorage(home, state);
  return { tabs: saved, active: tabs.active?.id ?? '', storage, contextId };
}

async function saveTab(tab: Tab): Promise<SavedTab> {
  const outline = tabOutline(tab);
  if (tab.crashed || tab.dialog !== undefined) return outline;
  const state = await within(PAGE_READ_MS, tab.page.evaluate(pageState)).catch(() => undefined);
  return { ...outline, ...state };
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

/** @param remembered The storage last read, which replaces what hanging pages do not return. */
async function saveStorage({ context, keeps }: OpenContext, remembered?: StorageState): Promise<StorageState> {
  const whole = keeps === 'all' ? within(BROWSER_READ_MS, context.storageState({ indexedDB: true })) : undefined;
  const all = await whole?.catch(() => undefined);
  if (all !== undefined) return all;
  const cookies = await within(BROWSER_READ_MS, context.cookies()).catch(() => undefined);
  return { cookies: cookies ?? remembered?.cookies ?? [], origins: remembered?.origins ?? [] };
}

/** The state of a session that stays open, with IndexedDB as of the last full save. */
export async function quickState({ home, tabs, storage }: StateParts): Promise<SavedState> {
  const { context, keeps, contextId } = home;
  const read = keeps === 'nothing' ? undefined : storage.read(context, tabs.active);
  const [saved] = await Promise.all([Promise.all(tabs.all.map(saveTab)), read]);
  return { tabs: saved, active: tabs.active?.id ?? '', storage: storage.state, contextId };
}

/** The state to restore after the browser died: its last one, or the one whose restore was interrupted. */
export function stateAfterLoss({ home, tabs, storage }: StateParts, restoring: SavedState | undefined): SavedState {
  const failures = restoring === undefined ? 0 : (restoring.failures ?? 0) + 1;
  // A page that always crashes the browser must not keep the agent from navigating elsewhere.
  const kept = failures > MOST_FAILURES ? { tabs: [], active: '' } : (restoring ?? tabs.outline());
  return { ...kept, failures, storage: storage.state, contextId: home.contextId };
}
