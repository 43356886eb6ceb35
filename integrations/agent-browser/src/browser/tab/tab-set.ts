import type { BrowserContext, Page } from 'playwright-core';
import { ToolError } from '../../results/errors.js';
import { newPage } from '../session-context.js';
import type { SessionOwner } from '../session-owner.js';
import { type SavedState, tabOutline } from '../storage/saved-state.js';
import type { EngineClient } from './engine.js';
import { Tab, type TabEvents } from './tab.js';

/** The events of a set of tabs, besides those of each tab. */
export interface TabSetEvents extends TabEvents {
  /** Another tab is the active one, or none is. */
  activeChanged(): void;
  /** A page is a tab from now on. */
  opened(tab: Tab): void;
  /** There is a tab more or less. */
  changed(): void;
  /** A page opened a tab. */
  popup(tab: Tab): void;
  /** A page opened more tabs than a session may have. */
  surplus(page: Page): void;
}

/** Where tabs are opened. */
interface TabHome {
  context: BrowserContext;
  engine: EngineClient;
}

/** The tabs of one session: which there are, which one is active, and which pages are tabs at all. */
export class TabSet {
  #tabs = new Map<string, Tab>();
  /** Tabs that have been active, the active one last. */
  #used = new Set<Tab>();
  #active: Tab | undefined;
  #next: number;
  /** The tabs before the first of them closed just now. */
  #before: SavedState | undefined;
  /** Pages that the session itself is opening, and pages that appeared meanwhile. */
  #opening = 0;
  /** How often all tabs were forgotten: a page that was asked for before is nobody's. */
  #clearings = 0;
  #unclaimed = new Set<Page>();
  /** Pages for the session's own work, which may be told of late. */
  #scratch = new WeakSet<Page>();

  constructor(
    readonly owner: Pick<SessionOwner, 'config' | 'firstNumbers'>,
    readonly events: TabSetEvents,
  ) {
    this.#next = owner.firstNumbers.tab;
  }

  /** The number of the next tab that is no old one brought back. */
  get next(): number {
    return this.#next;
  }

  /** Ids below are another process's. */
  skipTo(next: number): void {
    this.#next = Math.max(this.#next, next);
  }

  /** In the order of their ids. */
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

  /** Opens a blank tab. Its id is new unless it takes the place of one that is gone. */
  async open(home: TabHome, id?: string): Promise<Tab> {
    return this.#opened(home, page => this.adopt(page, home.engine, id));
  }

  /** Opens a blank page that is no tab. Whoever asks closes it. */
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
    const tab = new Tab(id, page, engine, this.events);
    this.#tabs.set(id, tab);
    this.events.opened(tab);
    this.events.changed();
    return tab;
  }

  /** A page appeared in the context. */
  appeared(page: Page, engine: EngineClient): void {
    if (page.isClosed() || this.#scratch.has(page) || this.all.some(tab => tab.page === page)) return;
    // It may be the page that is being opened; who opens it says so.
    if (this.#opening > 0) this.#unclaimed.add(page);
    else if (this.#tabs.size >= this.owner.config.sessions.maxTabs) this.events.surplus(page);
    else this.events.popup(this.adopt(page, engine));
  }

  /** The state to bring back if the browser has died: its pages close before it tells. */
  outline(): SavedState {
    return this.#before ?? { tabs: this.all.map(tabOutline), active: this.#active?.id ?? '' };
  }

  /** Forgets a tab whose page is gone. The tab used before it becomes the active one. Returns whether it was a tab. */
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

  /** Puts a tab with a blank page in the place of one whose page is of no use. */
  async replace(tab: Tab, home: TabHome): Promise<Tab> {
    const fresh = await this.open(home, tab.id);
    this.#used.delete(tab);
    if (this.#active === tab) this.#setActive(fresh);
    return fresh;
  }

  /** Forgets all tabs; ids go on counting. Returns the tabs that there were. */
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
