import type { BrowserContext, Dialog, Download, Page } from 'playwright-core';
import type { ResolvedConfig } from '../config.js';
import { EffectsLog } from '../outcome/effects.js';
import type { SessionLog } from '../outcome/log.js';
import { RefRegistry } from '../refs/registry.js';
import { KeptPages } from '../snapshot/kept-pages.js';
import { saveDownload } from './downloads.js';
import type { EngineClient } from './engine.js';
import type { SessionFiles } from './files.js';
import { contextOptions, type Host, type RunningBrowser } from './host.js';
import { Queue } from './queue.js';
import { restorePage, type SavedState, type StorageState, scrollOf } from './saved-state.js';
import { SessionEvents } from './session-events.js';
import { type DialogAnswer, Tab } from './tab.js';

type State =
  | { is: 'new' }
  | { is: 'open'; context: BrowserContext; running: RunningBrowser; ownsContext: boolean }
  | { is: 'asleep'; saved: SavedState; why: 'hibernated' | 'browser gone' }
  | { is: 'closed' };

/** What a session needs of the toolset around it. */
export interface SessionOwner {
  readonly host: Host;
  readonly config: ResolvedConfig;
  readonly log: SessionLog;
  /** Where downloads and screenshots go. */
  readonly files: SessionFiles;
}

/** One thread's browser: a context, its tabs, the refs its agent knows, and a queue that its actions stand in. */
export class Session {
  readonly queue = new Queue();
  readonly refs = new RefRegistry();
  readonly effects = new EffectsLog();
  readonly events = new SessionEvents();
  /** Rests of truncated snapshots. */
  readonly pages = new KeptPages();
  /** How dialogs are answered while an action with `onDialog` runs. */
  dialogAnswer: DialogAnswer | undefined;
  /** The action that a dialog holds up; it goes on once the dialog is answered. */
  heldAction: Promise<unknown> | undefined;
  /** Who made the active tab go where it is, as far as the session can tell. */
  urlChangedBy: 'agent' | 'user' = 'agent';
  /** When an action last ended (`performance.now()`). */
  lastUsed = performance.now();
  #state: State = { is: 'new' };
  #tabs = new Map<string, Tab>();
  #active: Tab | undefined;
  #nextTab = 1;
  #storage: StorageState | undefined;
  #stopWatching: (() => void) | undefined;
  /** Pages that are being opened by the session itself, and pages that appeared meanwhile. */
  #opening = 0;
  #unclaimed = new Set<Page>();

  constructor(
    readonly threadId: string,
    readonly owner: SessionOwner,
  ) {}

  get isOpen(): boolean {
    return this.#state.is === 'open' && this.#active !== undefined;
  }

  /** The session has, or remembers, a page. */
  get isKnown(): boolean {
    return this.#state.is === 'open' || this.#state.is === 'asleep';
  }

  get tabs(): readonly Tab[] {
    return [...this.#tabs.values()];
  }

  get activeTab(): Tab | undefined {
    return this.#active;
  }

  /** What to bring back, as far as the session knows it without asking its pages. */
  get remembered(): SavedState | undefined {
    return this.#state.is === 'asleep' ? this.#state.saved : undefined;
  }

  get context(): BrowserContext | undefined {
    return this.#state.is === 'open' ? this.#state.context : undefined;
  }

  get engine(): EngineClient | undefined {
    return this.#state.is === 'open' ? this.#state.running.engine : undefined;
  }

  /** Makes sure that there is a tab to act on: opens the session, wakes it, or replaces what crashed. */
  async ready(): Promise<Tab> {
    if (this.#state.is !== 'open') await this.#open();
    const active = this.#active;
    if (active?.crashed) return this.#replace(active);
    if (active !== undefined && !active.page.isClosed()) return active;
    return this.newTab();
  }

  async newTab(): Promise<Tab> {
    const tab = await this.#newPage();
    this.activate(tab);
    return tab;
  }

  /** A blank page outside the session's tabs, for work on pictures. Whoever asks closes it. */
  async scratchPage(): Promise<Page> {
    const { context } = this.#opened();
    this.#opening++;
    try {
      const page = await context.newPage();
      this.#unclaimed.delete(page);
      return page;
    } finally {
      this.#pagesOpened();
    }
  }

  tab(id: string): Tab | undefined {
    return this.#tabs.get(id.trim().toLowerCase());
  }

  activate(tab: Tab): void {
    if (this.#active === tab) return;
    this.#active = tab;
    this.events.emit('activePage');
    this.events.emit('url', tab.url);
  }

  /** Closes a tab without asking the page. The tab used before it becomes the active one. */
  async closeTab(tab: Tab): Promise<void> {
    await tab.page.close({ runBeforeUnload: false });
    this.#remove(tab);
    if (this.#active === undefined) await this.ready();
  }

  /** Puts the page of a tab that does not answer aside and gives the tab a fresh one. */
  async renew(tab: Tab): Promise<Tab> {
    return this.#replace(tab, 'about:blank');
  }

  /** Saves tabs, cookies, storage and scroll, and gives the context back. The next call wakes the session. */
  async hibernate(): Promise<void> {
    if (this.#state.is !== 'open') return;
    const saved = await this.#save(true);
    await this.#letGo({ is: 'asleep', saved, why: 'hibernated' });
    this.owner.log.debug('session hibernated', { threadId: this.threadId, tabs: saved.tabs.length });
  }

  async close(): Promise<void> {
    await this.#letGo({ is: 'closed' });
    this.#storage = undefined;
  }

  /** Remembers cookies, and storage when pages have changed, for the case that the browser dies. */
  async rememberStorage(): Promise<void> {
    if (this.#state.is !== 'open' || !this.#state.ownsContext) return;
    const { context } = this.#state;
    const state = await context.storageState().catch(() => undefined);
    if (state !== undefined) this.#storage = state;
  }

  /** A person typed or clicked: counts as use. */
  touch(): void {
    this.lastUsed = performance.now();
  }

  #opened(): Extract<State, { is: 'open' }> {
    if (this.#state.is !== 'open') throw new Error(`session ${this.threadId} is ${this.#state.is}`);
    return this.#state;
  }

  async #open(): Promise<void> {
    const before = this.#state;
    const saved = before.is === 'asleep' ? before.saved : undefined;
    const { host, config } = this.owner;
    const running = await host.acquire();
    const shared =
      running.ownContext !== null &&
      (config.scope === 'shared' || typeof config.cdpUrl === 'function' || config.profile !== undefined);
    const context = shared && running.ownContext ? running.ownContext : await this.#newContext(running, saved?.storage);
    this.#state = { is: 'open', context, running, ownsContext: !shared };
    this.#watch(context);
    if (saved === undefined) {
      for (const page of context.pages()) this.#adopt(page);
      this.#active = [...this.#tabs.values()].at(-1);
    } else await this.#restore(saved, before.is === 'asleep' ? before.why : 'hibernated');
    if (this.#active === undefined) await this.newTab();
    this.events.emit('activePage');
    this.events.emit('ready');
  }

  #newContext(running: RunningBrowser, storage?: StorageState): Promise<BrowserContext> {
    if (running.browser === null) throw new Error('a profile has one context: use scope "shared"');
    return running.browser.newContext(contextOptions(this.owner.config, storage));
  }

  #watch(context: BrowserContext): void {
    const onPage = (page: Page): void => this.#pageOpened(page);
    context.on('page', onPage);
    const stopHost = this.owner.host.onGone(() => this.#lost());
    const onClose = (): void => this.#lost();
    context.on('close', onClose);
    this.#stopWatching = () => {
      context.off('page', onPage);
      context.off('close', onClose);
      stopHost();
    };
  }

  /** A page appeared that the session did not open: a popup or a link to a new tab. */
  #pageOpened(page: Page): void {
    if ([...this.#tabs.values()].some(tab => tab.page === page)) return;
    if (this.#opening > 0) {
      // It may be the page that is being opened; who opens it says so.
      this.#unclaimed.add(page);
      return;
    }
    if (this.#tabs.size >= this.owner.config.sessions.maxTabs) {
      this.effects.closedTab();
      page.close().catch(error => this.owner.log.debug('popup was gone already', { threadId: this.threadId, error }));
      return;
    }
    const tab = this.#adopt(page);
    this.effects.note({ newTab: { tab: tab.id, url: page.url() } });
  }

  #adopt(page: Page, id = `t${this.#nextTab++}`): Tab {
    for (const tab of this.#tabs.values()) if (tab.page === page) return tab;
    const { running } = this.#opened();
    const tab = new Tab(id, page, running.engine, {
      dialog: (of, dialog) => this.#dialogOpened(of, dialog),
      gone: (of, how) => this.#gone(of, how),
      navigated: of => this.#navigated(of),
      consoleError: text => this.effects.consoleError(text),
      download: (_, download) => {
        this.#download(download);
      },
    });
    this.#tabs.set(id, tab);
    return tab;
  }

  #dialogOpened(tab: Tab, dialog: Dialog): void {
    const answer = this.dialogAnswer;
    const base = { type: dialog.type(), message: dialog.message() };
    if (answer === undefined) {
      this.effects.note({ dialog: base });
      this.events.emit('dialog', tab);
      return;
    }
    this.effects.note({ dialog: { ...base, answered: answer.accept ? 'accepted' : 'dismissed' } });
    tab.dialog = undefined;
    const done = answer.accept ? dialog.accept(answer.text) : dialog.dismiss();
    done.catch(error => this.owner.log.debug('dialog was gone already', { threadId: this.threadId, error }));
  }

  #download(download: Download): void {
    const { files, log } = this.owner;
    saveDownload(download, {
      files,
      threadId: this.threadId,
      tell: report => this.effects.note({ download: report }),
    }).catch(error => log.warn('download failed', { threadId: this.threadId, error }));
  }

  #navigated(tab: Tab): void {
    tab.dialog = undefined;
    if (tab === this.#active) {
      this.effects.note({ navigated: true });
      this.urlChangedBy = this.queue.isIdle ? 'user' : 'agent';
      this.events.emit('url', tab.url);
    }
  }

  #gone(tab: Tab, how: 'closed' | 'crashed'): void {
    tab.dialog = undefined;
    this.events.emit('tabGone', tab, how);
    if (how === 'closed') {
      if (this.#tabs.get(tab.id) === tab) this.effects.closedTab();
      this.#remove(tab);
    }
  }

  #remove(tab: Tab): void {
    if (this.#tabs.get(tab.id) !== tab) return;
    this.#tabs.delete(tab.id);
    tab.dispose().catch(error => this.owner.log.debug('tab was gone already', { threadId: this.threadId, error }));
    if (this.#active !== tab) return;
    this.#active = [...this.#tabs.values()].at(-1);
    this.events.emit('activePage');
  }

  /** The browser or the context ended without us. */
  #lost(): void {
    if (this.#state.is !== 'open') return;
    const saved: SavedState = {
      tabs: [...this.#tabs.values()].map(tab => ({
        id: tab.id,
        url: tab.url,
        title: tab.title,
        scroll: { x: 0, y: 0 },
      })),
      active: this.#active?.id ?? 't1',
      storage: this.#storage,
    };
    this.#detach({ is: 'asleep', saved, why: 'browser gone' });
    this.events.emit('lost');
    this.events.emit('closed', 'browser_closed');
  }

  async #save(withStorage: boolean): Promise<SavedState> {
    const { context, ownsContext } = this.#opened();
    const tabs = await Promise.all(
      [...this.#tabs.values()].map(async tab => {
        const scroll = tab.crashed || tab.dialog ? { x: 0, y: 0 } : await scrollOf(tab.page);
        return { id: tab.id, url: tab.url, title: tab.title, scroll };
      }),
    );
    const storage =
      withStorage && ownsContext
        ? await context.storageState({ indexedDB: true }).catch(() => this.#storage)
        : this.#storage;
    return { tabs, active: this.#active?.id ?? 't1', storage };
  }

  async #restore(saved: SavedState, why: string): Promise<void> {
    const timeout = this.owner.config.navigationTimeout;
    const back = await Promise.all(
      saved.tabs.map(async entry => {
        const tab = await this.#newPage(entry.id);
        if (entry.id === saved.active) this.#active = tab;
        return restorePage(tab.page, entry, timeout);
      }),
    );
    const count = back.filter(Boolean).length;
    this.effects.take();
    this.effects.note({
      recovered: { was: why, now: `${count} of ${back.length} ${back.length === 1 ? 'tab' : 'tabs'} open again` },
    });
  }

  async #newPage(id?: string): Promise<Tab> {
    this.#opening++;
    try {
      const page = await this.#opened().context.newPage();
      this.#unclaimed.delete(page);
      return this.#adopt(page, id);
    } finally {
      this.#pagesOpened();
    }
  }

  /** Pages that appeared while the session opened its own are popups after all. */
  #pagesOpened(): void {
    this.#opening--;
    if (this.#opening > 0) return;
    const others = [...this.#unclaimed];
    this.#unclaimed.clear();
    for (const page of others) this.#pageOpened(page);
  }

  async #replace(tab: Tab, url = tab.url): Promise<Tab> {
    const saved = { id: tab.id, url, title: tab.title, scroll: { x: 0, y: 0 } };
    this.#tabs.delete(tab.id);
    const fresh = await this.#newPage(tab.id);
    this.#active = fresh;
    await tab.dispose();
    await tab.page
      .close({ runBeforeUnload: false })
      .catch(error => this.owner.log.debug('page was gone already', { threadId: this.threadId, error }));
    const back = await restorePage(fresh.page, saved, this.owner.config.navigationTimeout);
    this.refs.clear();
    const was = tab.crashed ? 'the page crashed' : 'the page did not answer';
    this.effects.note({ recovered: { was, now: back ? `${saved.url} open again` : 'an empty tab' } });
    this.events.emit('activePage');
    return fresh;
  }

  #detach(next: State): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    for (const tab of this.#tabs.values()) {
      tab.dispose().catch(error => this.owner.log.debug('tab was gone already', { threadId: this.threadId, error }));
    }
    this.#tabs.clear();
    this.#active = undefined;
    this.refs.clear();
    this.#state = next;
    this.heldAction = undefined;
  }

  async #letGo(next: State): Promise<void> {
    const state = this.#state;
    if (state.is !== 'open') {
      this.#state = next;
      return;
    }
    const pages = [...this.#tabs.values()].map(tab => tab.page);
    this.#detach(next);
    this.events.emit('closed', next.is === 'asleep' ? 'hibernated' : 'closed');
    // A context that is not ours stays; of a person's own browser we close nothing.
    if (state.ownsContext) await state.context.close();
    else if (this.owner.config.profile !== undefined) await Promise.allSettled(pages.map(page => page.close()));
  }
}
