import type { BrowserContext, Page } from 'playwright-core';
import { ToolError } from '../../results/errors.js';
import { newPage } from '../session-context.js';
import type { SessionOwner } from '../session-owner.js';
import { type SavedState, tabOutline } from '../storage/saved-state.js';
import type { EngineClient } from './engine.js';
import { Tab, type TabEvents } from './tab.js';

export interface TabSetEvents extends TabEvents {
  activeChanged(): void;
  opened(tab: Tab): void;
  popup(tab: Tab): void;
  /** A page opened more tabs than a session may have. */
  surplus(page: Page): void;
}

interface TabHome {
  context: BrowserContext;
  engine: EngineClient;
}

/** The tabs of one session: decides which pages are tabs and which tab is active. */
export class TabSet {
  #tabs = new Map<string, Tab>();
  /** Tabs in the order of use, the active one last. */
  #used = new Set<Tab>();
  #active: Tab | undefined;
  #next: number;
  /** The state before tabs began to close just now. */
  #before: SavedState | undefined;
  /** The number of pages that the session is opening, during which new pages are unclaimed. */
  #opening = 0;
  /** Counts `clear`: a page whose opening began before one is closed. */
  #clearings = 0;
  #unclaimed = new Set<Page>();
  /** Scratch pages, whose events may come late. */
  #scratch = new WeakSet<Page>();

  constructor(
    readonly owner: Pick<SessionOwner, 'config' | 'firstNumbers' | 'readers'>,
    readonly events: TabSetEvents,
  ) {
    this.#next = owner.firstNumbers.tab;
  }

  get next(): number {
    return this.#next;
  }

  /** Lower ids belong to another process. */
  skipTo(next: number): void {
    this.#next = Math.max(this.#next, next);
  }

  get all(): Tab[] {
    return [...this.#tabs.values()].sort((a, b) => tabNumber(a) - tabNumber(b));
  }

  get active(): Tab | undefined {
    return this.#active;
  }

  get(id: string): Tab | undefined {
    return this.#tabs.get(id.trim().toLowerCase());
  }

  activate(tab: Tab): void {
    if (this.#active === tab) return;
    this.#setActive(tab);
    this.events.activeChanged();
  }

  /** Opens a blank tab. Its id is new unless it replaces a tab. */
  async open(home: TabHome, id?: string): Promise<Tab> {
    return this.#opened(home, page => this.adopt(page, home.engine, id));
  }

  /** Opens a blank page that is not a tab. The caller closes it. */
  async openScratch(home: TabHome): Promise<Page> {
    return this.#opened(home, page => {
      this.#scratch.add(page);
      return page;
    });
  }

  /** Makes a page a tab, unless it is one. */
  adopt(page: Page, engine: EngineClient, id = `t${this.#next++}`): Tab {
    const known = this.all.find(tab => tab.page === page);
    if (known !== undefined) return known;
    const tab = new Tab(id, page, { engine, events: this.events, readers: this.owner.readers });
    this.#tabs.set(id, tab);
    this.events.opened(tab);
    this.events.changed();
    return tab;
  }

  appeared(page: Page, engine: EngineClient): void {
    if (page.isClosed() || this.#scratch.has(page) || this.all.some(tab => tab.page === page)) return;
    // It may be the page that is being opened, whose opener adopts it.
    if (this.#opening > 0) this.#unclaimed.add(page);
    else if (this.#tabs.size >= this.owner.config.sessions.maxTabs) this.events.surplus(page);
    else this.events.popup(this.adopt(page, engine));
  }

  /** The state to restore if the browser has died: its pages close before it disconnects. */
  outline(): SavedState {
    return this.#before ?? { tabs: this.all.map(tabOutline), active: this.#active?.id ?? '' };
  }

  /** Removes a tab and activates the one used before. Returns whether it was a tab. */
  remove(tab: Tab): boolean {
    if (this.#tabs.get(tab.id) !== tab) return false;
    this.#before = this.outline();
    setImmediate(() => {
      this.#before = undefined;
    });
    this.#tabs.delete(tab.id);
    this.#used.delete(tab);
    if (this.#active === tab) {
      this.#setActive([...this.#used].at(-1) ?? this.all.at(-1));
      this.events.activeChanged();
    }
    this.events.changed();
    return true;
  }

  /** Replaces a tab whose page is unusable by one with a blank page and the same id. */
  async replace(tab: Tab, home: TabHome): Promise<Tab> {
    const fresh = await this.open(home, tab.id);
    this.#used.delete(tab);
    if (this.#active === tab) this.#setActive(fresh);
    return fresh;
  }

  clear(): Tab[] {
    const { all } = this;
    this.#clearings++;
    this.#tabs.clear();
    this.#used.clear();
    this.#active = undefined;
    this.#unclaimed.clear();
    this.events.changed();
    return all;
  }

  #setActive(tab: Tab | undefined): void {
    this.#active = tab;
    if (tab === undefined) return;
    this.#used.delete(tab);
    this.#used.add(tab);
  }

  async #opened<T>({ context, engine }: TabHome, claim: (page: Page) => T): Promise<T> {
    this.#opening++;
    const clearings = this.#clearings;
    try {
      const page = await newPage(context, this.owner.config.launchTimeout);
      this.#unclaimed.delete(page);
      if (clearings === this.#clearings) return claim(page);
      await page.close();
      throw new ToolError('browser_closed', 'The browser was closed while a tab was being opened.');
    } finally {
      this.#opening--;
      if (this.#opening === 0) this.#admitUnclaimed(engine);
    }
  }

  /** Pages that appeared while the session opened its own are popups after all. */
  #admitUnclaimed(engine: EngineClient): void {
    const popups = [...this.#unclaimed];
    this.#unclaimed.clear();
    for (const page of popups) this.appeared(page, engine);
  }
}

function tabNumber({ id }: Tab): number {
  return Number(id.slice(1));
}
