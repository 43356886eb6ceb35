import { within } from '@browser-toolset/core/waiting';
import type { Browser, Page } from 'playwright-core';
import type { KeptPages } from '../diff/known-page.js';
import { RefRegistry } from '../refs/registry.js';
import { EffectsLog } from '../results/effects.js';
import { logged, ToolError } from '../results/errors.js';
import { Emulation } from './chromium/emulation.js';
import { Downloads } from './files/downloads.js';
import type { OpenContext } from './open-context.js';
import { Person } from './person/person.js';
import { Queue } from './queue.js';
import type { DetachReason } from './running-browser.js';
import { begunInTime, closeContext, enterContext, Popups, watchContext } from './session-context.js';
import { SessionNetwork } from './session-network.js';
import { SessionEvents, type SessionOwner } from './session-owner.js';
import { replaceTab, restoreTabs } from './storage/restored-tabs.js';
import type { SavedState } from './storage/saved-state.js';
import {
  quickState,
  RememberedStorage,
  type SessionState,
  stateAfterLoss,
  wholeState,
} from './storage/session-state.js';
import { SessionClipboard } from './tab/clipboard.js';
import { dropDialog } from './tab/leave-page.js';
import { PageLogs } from './tab/page-logs.js';
import type { DialogAnswer, Tab } from './tab/tab.js';
import { tabEffects } from './tab/tab-effects.js';
import { TabSet } from './tab/tab-set.js';

const TAB_GONE = 'tab was gone already';
/** A call must not wait forever for a page that hangs. */
const SESSION_CLOSE_MS = 10_000;

/** One thread's browser: its context, tabs, refs and the queue of its actions. */
export class Session {
  readonly queue: Queue;
  readonly refs: RefRegistry;
  readonly effects = new EffectsLog();
  readonly events = new SessionEvents();
  readonly pages: KeptPages;
  readonly clipboard = new SessionClipboard(this);
  readonly downloads = new Downloads(this);
  readonly records: PageLogs;
  readonly emulation: Emulation;
  /** The answer for dialogs while an action with `onDialog` runs. */
  dialogAnswer: DialogAnswer | undefined;
  /** The action that an open dialog blocks; it continues once the dialog is answered. Never rejects. */
  heldAction: Promise<unknown> | undefined;
  readonly person = new Person(this);
  readonly network: SessionNetwork;
  /** `performance.now()` of the last use. */
  lastUsed = performance.now();
  #state: SessionState = { is: 'new' };
  #tabs: TabSet;
  readonly storage = new RememberedStorage();
  /** How often a page that opened by itself came in front of the active one. */
  intrusions = 0;
  popups: Popups | undefined;
  #stopWatching: (() => void) | undefined;
  /** Counts closings: work that began before one must not reopen the session. */
  #closings = 0;
  #closing: Promise<void> | undefined;
  #restoring: SavedState | undefined;

  constructor(
    readonly threadId: string,
    readonly owner: SessionOwner,
  ) {
    this.queue = new Queue(() => this.#idle());
    this.refs = new RefRegistry(owner.firstNumbers.ref);
    this.network = new SessionNetwork(this);
    this.records = new PageLogs(owner.config, owner.secrets);
    this.emulation = new Emulation(owner.config);
    this.pages = owner.readers.keptPages();
    this.#tabs = new TabSet(owner, tabEffects(this));
  }

  get isOpen(): boolean {
    return this.#state.is === 'open' && this.activeTab !== undefined;
  }

  /** Undefined while the session is not open. */
  get browser(): Browser | undefined {
    return this.#state.is === 'open' ? this.#state.browser : undefined;
  }

  get tabs(): readonly Tab[] {
    return this.#tabs.all;
  }

  get activeTab(): Tab | undefined {
    return this.#tabs.active;
  }

  get nextNumbers(): { ref: number; tab: number } {
    return { ref: this.refs.next, tab: this.#tabs.next };
  }

  /** The state to restore, if it is known without reading the pages. */
  get remembered(): SavedState | undefined {
    return this.#state.is === 'asleep' ? this.#state.saved : undefined;
  }

  /** Ensures a tab to act on: opens or wakes the session, or replaces crashed pages. Rejects when aborted. */
  async ready(signal?: AbortSignal): Promise<Tab> {
    await this.#closing;
    signal?.throwIfAborted();
    if (this.#state.is !== 'open') await this.#open(signal);
    for (const tab of this.tabs) if (tab.crashed) await this.renew(tab, tab.url === tab.reopened ? undefined : tab.url);
    return this.activeTab?.page.isClosed() === false ? this.activeTab : this.newTab();
  }

  async newTab(): Promise<Tab> {
    const tab = await this.#tabs.open(this.#home());
    this.activate(tab);
    return tab;
  }

  /** A blank page outside the session's tabs, to draw on pictures. The caller closes it. */
  async scratchPage(): Promise<Page> {
    return this.#tabs.openScratch(this.#home());
  }

  tab(id: string): Tab | undefined {
    return this.#tabs.get(id);
  }

  activate(tab: Tab): void {
    this.#tabs.activate(tab);
  }

  /** Closes a tab without running its `beforeunload`. The tab used before becomes the active one. */
  async closeTab(tab: Tab): Promise<void> {
    this.forget(tab);
    await dropDialog(tab);
    await within(SESSION_CLOSE_MS, tab.page.close({ runBeforeUnload: false }));
    if (this.activeTab === undefined) await this.ready();
  }

  /** Removes a tab whose page is gone. Returns whether it was still a tab of the session. */
  forget(tab: Tab): boolean {
    const wasTab = this.#tabs.remove(tab);
    if (wasTab) void this.#settled(TAB_GONE, tab.dispose());
    return wasTab;
  }

  /** Saves tabs, cookies, storage and scroll positions and closes the context. The next call restores them. */
  async hibernate(): Promise<void> {
    if (this.#state.is !== 'open') return;
    const state = this.#state;
    const saved = await wholeState(this.#parts(state));
    // The session may have been closed or lost meanwhile.
    if (this.#state !== state) return;
    await this.#release({ is: 'asleep', saved, why: 'hibernated' });
    this.owner.log.debug('session hibernated', { threadId: this.threadId, tabs: saved.tabs.length });
  }

  /**
   * Resets all but ref and tab numbers; the next call opens the session anew.
   * @param what `browser`: the context is left to the browser, which closes next.
   */
  async close(what: 'session' | 'browser' = 'session'): Promise<void> {
    this.#closings++;
    this.clipboard.text = '';
    this.storage.set(undefined);
    this.records.clear();
    this.emulation.changed = {};
    const closing = this.#release({ is: 'closed' }, what);
    this.#closing = closing;
    await closing;
    if (what === 'session') await this.owner.record?.forget();
    if (this.#closing === closing) this.#closing = undefined;
  }

  /** Takes the thread's lease for one call, and the state that another process recorded since. */
  async begin(): Promise<void> {
    const recorded = await this.owner.record?.take();
    if (recorded === undefined) return;
    const next: SessionState = recorded.saved
      ? { is: 'asleep', saved: recorded.saved, why: 'used elsewhere' }
      : { is: 'closed' };
    await this.#release(next, 'session', 'handed-over');
    this.owner.endpoint.restore(recorded);
    this.emulation.changed = recorded.emulated ?? {};
    this.network.recall(recorded.reach);
    this.refs.skipTo(recorded.numbers.ref);
    this.#tabs.skipTo(recorded.numbers.tab);
  }

  /** Records the session's state after a call and gives the lease back. */
  async end(): Promise<void> {
    const { record, endpoint } = this.owner;
    if (record === undefined) return;
    const saved = this.#state.is === 'open' ? await quickState(this.#parts(this.#state)) : this.remembered;
    const rest = { ...endpoint.now, emulated: this.emulation.changed, reach: this.network.reach };
    await record.give(saved && { saved, numbers: this.nextNumbers, ...rest });
  }

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
    const closings = this.#closings;
    const opened = await enterContext(this, saved, { isWanted: () => this.#closings === closings, signal });
    this.#state = { is: 'open', ...opened };
    const leave = async (): Promise<void> => (this.#state.is === 'open' ? this.#release(before) : undefined);
    await begunInTime(this.owner, this.#begin(opened, saved, why)).catch(error =>
      leave().then(() => Promise.reject(error)),
    );
    this.events.emit('ready');
  }

  async #begin(opened: OpenContext, saved: SavedState | undefined, why = ''): Promise<void> {
    await this.network.guard(opened);
    this.storage.set(saved?.storage);
    this.#stopWatching = watchContext(opened, this.owner.host, {
      page: page => this.#tabs.appeared(page, opened.engine),
      request: request => this.network.noteRequest(request),
      response: response => {
        this.downloads.noteResponse(response);
        this.storage.noteAnswer();
      },
      gone: () => this.#lost(),
    });
    if (saved === undefined) for (const page of await opened.pages.all()) this.#tabs.adopt(page, opened.engine);
    else await this.#restore(saved, why);
    const last = this.#tabs.all.at(-1);
    if (this.activeTab === undefined && last !== undefined) this.activate(last);
    if (this.activeTab === undefined) await this.newTab();
    await this.emulation.opened(opened);
    this.popups = new Popups(opened.pages);
    void this.#settled('popups are reported late', this.popups.watch());
  }

  async #restore(saved: SavedState, why: string): Promise<void> {
    this.#restoring = saved;
    const now = await this.effects.quietly(() => restoreTabs(this.#tabs, saved, this.#home(), this));
    this.#restoring = undefined;
    this.effects.recovered(why, now);
  }

  /** The tab, or one in its place where its page does not answer: its renderer would block a navigation for ever. */
  async answering(tab: Tab): Promise<Tab> {
    return tab.state === 'silent' && (await tab.probe()) === false ? this.renew(tab) : tab;
  }

  /** Replaces a tab's page that crashed or does not respond. */
  async renew(tab: Tab, url = 'about:blank'): Promise<Tab> {
    const end = (task: Promise<void>): void => void this.#settled(TAB_GONE, task);
    const fresh = await replaceTab(tab, url, { ...this.#parts(this.#home()), session: this, end });
    this.refs.clear();
    if (fresh === this.activeTab) this.events.emit('activePage');
    return fresh;
  }

  /** Handles the end of the browser or context that the session did not cause. */
  #lost(): void {
    if (this.#state.is !== 'open') return;
    const saved = stateAfterLoss(this.#parts(this.#state), this.#restoring);
    this.effects.forget('closedTabs');
    this.#restoring = undefined;
    this.#detach({ is: 'asleep', saved, why: 'browser gone' });
    this.events.emit('lost');
    this.events.emit('closed', 'browser_closed');
    void this.#settled('session was left already', this.owner.left());
  }

  #parts(home: OpenContext): Parameters<typeof wholeState>[0] {
    return { home, tabs: this.#tabs, storage: this.storage };
  }

  #idle(): void {
    this.touch();
    // No action runs or waits now, and the next one does not wait for this.
    if (this.#state.is === 'open' && this.#state.keeps !== 'nothing')
      this.storage.refresh(this.#state.context, this.activeTab);
    this.owner.idle();
  }

  async #release(next: SessionState, what: 'session' | 'browser' = 'session', reason?: DetachReason): Promise<void> {
    const state = this.#state;
    const { tabs } = this;
    this.#detach(next);
    if (state.is !== 'open') return;
    this.events.emit('closed', next.is === 'asleep' ? 'hibernated' : 'closed');
    await Promise.all(tabs.map(dropDialog));
    await this.#settled('context was gone already', closeContext(state, what));
    await this.#settled('browser did not close', this.owner.left(reason));
  }

  #detach(next: SessionState): void {
    this.#stopWatching?.();
    // The subscription holds the context.
    this.#stopWatching = undefined;
    for (const tab of this.#tabs.clear()) void this.#settled(TAB_GONE, tab.dispose());
    this.refs.clear();
    this.pages.clear();
    this.heldAction = undefined;
    this.popups = undefined;
    this.#state = next;
  }

  async #settled(message: string, task: Promise<unknown>): Promise<void> {
    await task.catch(logged(this, message));
  }
}
