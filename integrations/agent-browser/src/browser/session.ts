import type { Page } from 'playwright-core';
import { EffectsLog } from '../outcome/effects.js';
import { plainMessage, ToolError } from '../outcome/errors.js';
import { RefRegistry } from '../refs/registry.js';
import { KeptPages } from '../snapshot/kept-pages.js';
import { Downloads } from './downloads.js';
import { Emulation } from './emulation.js';
import type { Limits } from './engine.js';
import { Person } from './person.js';
import { Popups } from './popups.js';
import { Queue } from './queue.js';
import { Records } from './records.js';
import { RememberedStorage } from './remembered-storage.js';
import { restoreTabs } from './restored-tabs.js';
import { afterLoss, restoreTab, type SavedState, saveStorage, saveTab, tabOutline } from './saved-state.js';
import { closeContext, type OpenContext, openContext, watchContext } from './session-context.js';
import { SessionEvents } from './session-events.js';
import type { SessionOwner } from './session-owner.js';
import type { DialogAnswer, Tab } from './tab.js';
import { quietly, tabEffects } from './tab-effects.js';
import { TabSet } from './tab-set.js';

type State =
  | { is: 'new' }
  | ({ is: 'open' } & OpenContext)
  | { is: 'asleep'; saved: SavedState; why: 'hibernated' | 'browser gone' }
  | { is: 'closed' };

const TAB_GONE = 'tab was gone already';

/** One thread's browser: a context, its tabs, the refs its agent knows, and a queue that its actions stand in. */
export class Session {
  readonly queue: Queue;
  readonly refs: RefRegistry;
  readonly effects = new EffectsLog();
  readonly events = new SessionEvents();
  /** Rests of truncated snapshots. */
  readonly pages = new KeptPages();
  readonly downloads: Downloads;
  readonly records: Records;
  readonly emulation: Emulation;
  /** How dialogs are answered while an action with `onDialog` runs. */
  dialogAnswer: DialogAnswer | undefined;
  /** The action that a dialog holds up; it goes on once the dialog is answered. */
  heldAction: Promise<unknown> | undefined;
  readonly person = new Person(this);
  /** When the session was last used (`performance.now()`). */
  lastUsed = performance.now();
  #state: State = { is: 'new' };
  #tabs: TabSet;
  #storage = new RememberedStorage();
  #popups: Popups | undefined;
  #stopWatching: (() => void) | undefined;
  /** How often it was closed: what was under way before must not open it again. */
  #closings = 0;
  #closing: Promise<void> | undefined;
  /** What is being brought back. */
  #restoring: SavedState | undefined;

  constructor(
    readonly threadId: string,
    readonly owner: SessionOwner,
  ) {
    this.queue = new Queue(() => this.#idle());
    this.refs = new RefRegistry(owner.firstNumbers.ref);
    this.downloads = new Downloads({ ...owner, threadId, effects: this.effects });
    this.records = new Records(owner.config);
    this.emulation = new Emulation(owner.config);
    this.#tabs = new TabSet(owner, tabEffects(this));
  }

  get isOpen(): boolean {
    return this.#state.is === 'open' && this.activeTab !== undefined;
  }

  get tabs(): readonly Tab[] {
    return this.#tabs.all;
  }

  get activeTab(): Tab | undefined {
    return this.#tabs.active;
  }

  /** Refs and tab ids from here on were never given out. */
  get nextNumbers(): { ref: number; tab: number } {
    return { ref: this.refs.next, tab: this.#tabs.next };
  }

  /** What to bring back, as far as the session knows it without asking its pages. */
  get remembered(): SavedState | undefined {
    return this.#state.is === 'asleep' ? this.#state.saved : undefined;
  }

  /** Makes sure that there is a tab to act on: opens the session, wakes it, or replaces what crashed. */
  async ready(signal?: AbortSignal): Promise<Tab> {
    await this.#closing;
    if (this.#state.is !== 'open') await this.#open(signal);
    for (const tab of this.tabs) if (tab.crashed) await this.renew(tab, tab.url);
    const { activeTab } = this;
    return activeTab === undefined || activeTab.page.isClosed() ? this.newTab() : activeTab;
  }

  async newTab(): Promise<Tab> {
    const tab = await this.#tabs.open(this.#home());
    this.activate(tab);
    return tab;
  }

  /** A blank page outside the session's tabs, for work on pictures. Whoever asks closes it. */
  async scratchPage(): Promise<Page> {
    return this.#tabs.openScratch(this.#home());
  }

  tab(id: string): Tab | undefined {
    return this.#tabs.get(id);
  }

  activate(tab: Tab): void {
    this.#tabs.activate(tab);
  }

  /** Closes a tab without asking the page. The tab used before it becomes the active one. */
  async closeTab(tab: Tab): Promise<void> {
    this.forget(tab);
    await tab.page.close({ runBeforeUnload: false });
    if (this.activeTab === undefined) await this.ready();
  }

  /** A tab's page is gone. Returns whether it was a tab of the session until now. */
  forget(tab: Tab): boolean {
    const wasTab = this.#tabs.remove(tab);
    if (wasTab) void this.#settled(TAB_GONE, tab.dispose());
    return wasTab;
  }

  /** Resolves when the pages that an action opened are tabs. */
  async popupsArrived(limits: Limits): Promise<void> {
    await this.#popups?.arrived(limits);
  }

  /** Saves tabs, cookies, storage and scroll, and gives the context back. The next call wakes the session. */
  async hibernate(): Promise<void> {
    if (this.#state.is !== 'open') return;
    const state = this.#state;
    const saved = await this.#save(state);
    // It may have been closed or lost meanwhile.
    if (this.#state !== state) return;
    await this.#letGo({ is: 'asleep', saved, why: 'hibernated' });
    this.owner.log.debug('session hibernated', { threadId: this.threadId, tabs: saved.tabs.length });
  }

  /**
   * Forgets all but the numbers of refs and tabs. The next call opens the session anew.
   * @param what When the browser is about to be closed, the context goes with it.
   */
  async close(what: 'session' | 'browser' = 'session'): Promise<void> {
    this.#closings++;
    this.#storage.set(undefined);
    this.records.clear();
    this.emulation.reset();
    const closing = this.#letGo({ is: 'closed' }, what);
    this.#closing = closing;
    await closing;
    if (this.#closing === closing) this.#closing = undefined;
  }

  /** Ends the calls that run or wait; they answer that the browser was closed. */
  interrupt(): void {
    this.events.emit('interrupted');
  }

  /** A person typed or clicked: counts as use. */
  touch(): void {
    this.lastUsed = performance.now();
  }

  #home(): OpenContext {
    if (this.#state.is !== 'open') throw new ToolError('browser_closed', 'The browser is closed.');
    return this.#state;
  }

  async #open(signal?: AbortSignal): Promise<void> {
    const before = this.#state;
    const [saved, why] = before.is === 'asleep' ? [before.saved, before.why] : [];
    const opened = await this.#enter(saved, signal);
    this.#state = { is: 'open', ...opened };
    this.#storage.set(saved?.storage);
    this.#stopWatching = watchContext(opened, this.owner.host, {
      page: page => this.#tabs.appeared(page, opened.engine),
      response: response => {
        this.downloads.noteResponse(response);
        this.#storage.noteAnswer();
      },
      gone: () => this.#lost(),
    });
    if (saved === undefined) for (const page of opened.context.pages()) this.#tabs.adopt(page, opened.engine);
    else await this.#restore(saved, why ?? '');
    const last = this.#tabs.all.at(-1);
    if (this.activeTab === undefined && last !== undefined) this.activate(last);
    if (this.activeTab === undefined) await this.newTab();
    await this.emulation.opened(opened);
    this.#popups = new Popups(opened.context);
    void this.#settled('popups are told late', this.#popups.watch());
    this.events.emit('ready');
  }

  async #enter(saved: SavedState | undefined, signal?: AbortSignal): Promise<OpenContext> {
    const { owner, emulation } = this;
    const closings = this.#closings;
    await owner.enter(this, signal);
    try {
      const { threadId } = this;
      const whose = { threadId, log: owner.log, config: emulation.options };
      const wishes = { storage: saved?.storage, isChanged: emulation.isChanged };
      const opened = await owner.host.use(running => openContext(running, whose, wishes));
      if (this.#closings === closings) return opened;
      await closeContext(opened);
      throw new ToolError('browser_closed', 'The browser was closed while it opened.');
    } catch (error) {
      await owner.left(this);
      throw error;
    }
  }

  async #restore(saved: SavedState, why: string): Promise<void> {
    this.#restoring = saved;
    const place = { home: this.#home(), timeout: this.owner.config.navigationTimeout };
    const now = await quietly(this.effects, () => restoreTabs(this.#tabs, saved, place));
    this.#restoring = undefined;
    this.effects.note({ recovered: { was: why, now } });
  }

  /** Puts the page of a tab aside, which crashed or does not answer, and gives the tab a fresh one. */
  async renew(tab: Tab, url = 'about:blank'): Promise<Tab> {
    const fresh = await this.#tabs.replace(tab, this.#home());
    void this.#settled(TAB_GONE, tab.dispose());
    void this.#settled(TAB_GONE, tab.page.close({ runBeforeUnload: false }));
    const saved = { ...tabOutline(tab), url };
    const back = await quietly(this.effects, () => restoreTab(fresh.page, saved, this.owner.config.navigationTimeout));
    // A page that always crashes must not keep the agent from going elsewhere.
    if (fresh.crashed) return this.renew(fresh);
    this.refs.clear();
    const was = tab.crashed ? 'the page crashed' : 'the page did not answer';
    const isThere = back && url !== 'about:blank';
    this.effects.note({ recovered: { was, now: isThere ? `${url} open again` : 'an empty tab' } });
    if (fresh === this.activeTab) this.events.emit('activePage');
    return fresh;
  }

  /** The browser or the context ended without us. */
  #lost(): void {
    if (this.#state.is !== 'open') return;
    const saved = afterLoss(this.#tabs.outline(), this.#restoring, this.#storage.state);
    this.effects.forgetClosedTabs();
    this.#restoring = undefined;
    this.#detach({ is: 'asleep', saved, why: 'browser gone' });
    this.events.emit('lost');
    this.events.emit('closed', 'browser_closed');
    void this.#settled('session was left already', this.owner.left(this));
  }

  async #save({ context, isOwn, isKept }: OpenContext): Promise<SavedState> {
    const tabs = await Promise.all(this.#tabs.all.map(saveTab));
    const storage = isKept ? await saveStorage(context, { remembered: this.#storage.state, isOwn }) : undefined;
    return { tabs, active: this.activeTab?.id ?? '', storage };
  }

  #idle(): void {
    this.touch();
    // Never in the way of an action: none runs or waits now, and the next does not wait for this.
    if (this.#state.is === 'open' && this.#state.isKept) this.#storage.refresh(this.#state.context, this.activeTab);
    this.owner.idle(this);
  }

  async #letGo(next: State, what: 'session' | 'browser' = 'session'): Promise<void> {
    const state = this.#state;
    this.#detach(next);
    if (state.is !== 'open') return;
    this.events.emit('closed', next.is === 'asleep' ? 'hibernated' : 'closed');
    await this.#settled('context was gone already', closeContext(state, what));
    await this.#settled('browser did not close', this.owner.left(this));
  }

  #detach(next: State): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    for (const tab of this.#tabs.clear()) void this.#settled(TAB_GONE, tab.dispose());
    this.refs.clear();
    this.pages.clear();
    this.heldAction = undefined;
    this.#popups = undefined;
    this.#state = next;
  }

  /** Resolves when a task of the session's own has ended, well or not; in the background when nobody waits. */
  async #settled(message: string, task: Promise<unknown>): Promise<void> {
    const { threadId, owner } = this;
    await task.catch(error => owner.log.debug(message, { threadId, error: plainMessage(error) }));
  }
}
