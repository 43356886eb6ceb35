import { setImmediate } from 'node:timers/promises';
import type { ConsoleMessage, Dialog, Download, Frame, Page, Request, Response } from 'playwright-core';
import { KnownPage } from '../../diff/known-page.js';
import type { OutputReport } from '../../page/protocol.js';
import type { LatestReading } from '../../reading/write.js';
import { type EffectsLog, oneLine } from '../../results/effects.js';
import { PageCapture } from '../../snapshot/capture.js';
import type { PageSnapshot, SnapshotNode } from '../../snapshot/tree.js';
import { PageFiles } from '../files/page-files.js';
import type { EngineClient } from './engine.js';
import { Worlds } from './worlds.js';

/** Kinds of request whose answer usually changes what the page shows. */
const CONTENT_REQUESTS = new Set(['xhr', 'fetch', 'document', 'script']);

/** The requests of a page that have no answer yet. */
class PageRequests {
  /** When each of them began (`performance.now()`). */
  readonly #open = new Map<Request, number>();
  /** Pages that were answers to forms. */
  readonly #posted = new Set<string>();
  readonly #listeners = new Set<() => void>();
  /** When the main frame last asked for a document, wherever it was sent on to from there. */
  navigationBegan = 0;

  constructor(readonly page: Page) {}

  began(request: Request): void {
    const now = performance.now();
    if (CONTENT_REQUESTS.has(request.resourceType())) this.#open.set(request, now);
    if (isNavigation(request, this.page)) {
      if (request.redirectedFrom() === null) this.navigationBegan = now;
      if (request.method() === 'POST') this.#posted.add(withoutHash(request.url()));
    }
    this.#changed();
  }

  ended(request: Request): void {
    this.#open.delete(request);
    this.#changed();
  }

  /** A document that is there may go on loading for ever; its navigation is over. */
  arrived(url: string): void {
    for (const request of this.#open.keys()) {
      if (isNavigation(request, this.page) && isSameDocument(request.url(), url)) this.#open.delete(request);
    }
    this.#changed();
  }

  since(moment: number): Request[] {
    return [...this.#open].flatMap(([request, began]) => (began >= moment ? [request] : []));
  }

  /** That of the main frame, if one is under way: asked for and not there yet. */
  get navigation(): Request | undefined {
    for (const request of this.#open.keys()) {
      if (isNavigation(request, this.page)) return request;
    }
    return undefined;
  }

  wasPosted(url: string): boolean {
    return this.#posted.has(withoutHash(url));
  }

  /** Calls back whenever a request begins or ends, until stopped. */
  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  clear(): void {
    this.#open.clear();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function isSameDocument(one: string, other: string): boolean {
  return withoutHash(one) === withoutHash(other);
}

function withoutHash(url: string): string {
  return url.split('#')[0] ?? '';
}

/** A request of a frame that is gone belongs to no main frame. */
function isNavigation(request: Request, page: Page): boolean {
  if (!request.isNavigationRequest()) return false;
  try {
    return request.frame() === page.mainFrame();
  } catch {
    // Playwright throws for a navigation whose frame does not exist yet and for service workers.
    return false;
  }
}

/** So many dialogs of a page that is left are dismissed: one that opens more is not waited for. */
export const MOST_DIALOGS = 3;

/** Chromium's error when the next page has come, which it asks for the answer, and which waits for this one to go. */
const ASKS_NEXT = 'Not attached to an active page';
/** Milliseconds in which a page that waits for nothing takes the place of the one before. */
const NEXT_TIME = 1_000;

/** The page does not let go. */
export class HeldOn extends Error {}

/** How the dialogs of a page are answered while its tab goes elsewhere, until another document is there. */
export class Leaving {
  /** Rejects when the page does not let go. */
  readonly held: Promise<never>;
  #reject!: (reason: HeldOn) => void;
  #state: 'asked' | 'left' | 'held' = 'asked';
  #dismissed = 0;

  constructor(readonly effects: EffectsLog) {
    this.held = new Promise((_, reject) => {
      this.#reject = reject;
    });
    // Only whoever goes elsewhere wants to know.
    this.held.catch(() => undefined);
  }

  /** Of a page that is put aside before anybody has asked it to go. */
  static aside(effects: EffectsLog): Leaving {
    const leaving = new Leaving(effects);
    leaving.#giveUp();
    return leaving;
  }

  /** Who goes elsewhere means it: a page that asks whether to leave is left, and what else it asks is dismissed. */
  async answer(dialog: Dialog): Promise<void> {
    // A page that is put aside tells nobody anything.
    if (this.#state === 'held') return;
    const type = dialog.type();
    const isLeave = type === 'beforeunload';
    if (!isLeave && this.#dismissed === MOST_DIALOGS) return this.#giveUp();
    if (!isLeave) this.#dismissed++;
    this.effects.dialog({ type, message: dialog.message(), answered: isLeave ? 'accepted' : 'dismissed' });
    try {
      await (isLeave ? dialog.accept() : dialog.dismiss());
    } catch (error) {
      // Else it is gone, with its page or because of another answer.
      if (!String(error).includes(ASKS_NEXT)) return;
      setTimeout(() => this.#giveUp(), NEXT_TIME);
    }
  }

  /** The page is there still, although the way elsewhere is over: one that has opened dialogs does not let go. */
  stayed(): void {
    if (this.#dismissed > 0) this.#giveUp();
  }

  /** Another document is there. Returns whether that is where the tab goes on: a page that did not let go is put aside. */
  end(): boolean {
    if (this.#state === 'asked') this.#state = 'left';
    return this.#state === 'left';
  }

  #giveUp(): void {
    if (this.#state !== 'asked') return;
    this.#state = 'held';
    this.#reject(new HeldOn());
  }
}

/** How a dialog that opens during an action is to be answered. */
export interface DialogAnswer {
  accept: boolean;
  text?: string;
}

/** The events of a tab. */
export interface TabEvents {
  dialog(tab: Tab, dialog: Dialog): void;
  /** Another dialog is open, or none. */
  dialogChanged(tab: Tab): void;
  /** A person has answered a dialog. */
  dialogAnswered(dialog: Dialog, isAccepted: boolean): void;
  gone(tab: Tab, how: 'closed' | 'crashed'): void;
  /** The main frame is about to go somewhere: it has asked for a document. */
  leaves(tab: Tab): void;
  /** @param how The HTTP status of the document, where one was asked for; whether it is the same, at the same url. */
  navigated(tab: Tab, how: { status: number | undefined; isStill: boolean }): void;
  /** The main frame did not get a document that it asked for. */
  notReached(tab: Tab, url: string): void;
  titled(): void;
  consoleError(text: string): void;
  requested(request: Request): void;
  /** A request has no answer, or one that says that it failed. */
  requestFailed(request: Request, how: { status?: number; reason?: string }): void;
  download(tab: Tab, download: Download): void;
}

/**
 * Longest wait for a page, in milliseconds, until what is there is shown: that leaves a call of ten seconds time to read
 * it.
 */
export const SHOWN_AFTER = 9_000;
const TAB_TITLE_LIMIT = 300;
/** Milliseconds that a page may take to tell its title. */
const TAB_TITLE_MS = 5_000;

/** One tab of a session. Its id is never given to another. */
export class Tab {
  readonly capture: PageCapture;
  readonly #worlds: Worlds;
  readonly files: PageFiles;
  readonly #requests: PageRequests;
  #dialog: Dialog | undefined;
  /** Crashed pages answer nothing and cannot be navigated: they are replaced. */
  crashed = false;
  /** The page did not answer in time the last time it was asked. */
  unresponsive = false;
  /** The state of the page that the agent has read. */
  known: KnownPage | undefined;
  /** The latest reading of this tab, for its further pages. */
  latestReading: LatestReading | undefined;
  /** Who made the main frame ask for the document that is under way. */
  movedBy: 'agent' | 'user' | undefined;
  /** The host that the driver of the session sends the tab to. */
  goal: string | undefined;
  /** The document that the main frame asked for last, or was sent on to. */
  asked: string | undefined;
  /** Dialogs that the document has opened, those left out that ask whether to leave it. */
  dialogs = 0;
  /** Its driver goes elsewhere, and the document is there still. */
  leaving: Leaving | undefined;
  /** The page asked for paper. */
  hasPrinted = false;
  #title = '';
  /** The answer of the document that the main frame is about to show. */
  #answer: { url: string; status: number } | undefined;
  /** Where the main frame went last. */
  #shown: string;
  /** When the main frame last went somewhere (`performance.now()`). */
  navigatedAt = 0;

  constructor(
    readonly id: string,
    readonly page: Page,
    readonly engine: EngineClient,
    readonly events: TabEvents,
  ) {
    this.#shown = page.url();
    this.#requests = new PageRequests(page);
    this.#worlds = new Worlds(page, engine.lines);
    engine.worlds.set(page, this.#worlds);
    this.capture = new PageCapture(page, engine, this.#worlds);
    this.capture.onOutputs = (...told) => this.gaveOut(...told);
    this.files = new PageFiles(page);
    this.#listen();
  }

  /** The dialog that waits for an answer: nobody has been told of one yet. */
  get dialog(): Dialog | undefined {
    return this.#dialog;
  }

  /** The page can tell nothing: it is gone, has crashed, or waits for its dialog or for a server to answer. */
  get cannotEvaluate(): boolean {
    return this.crashed || this.#dialog !== undefined || this.page.isClosed() || this.isNavigationStalled;
  }

  set dialog(dialog: Dialog | undefined) {
    if (dialog === this.#dialog) return;
    this.#dialog = dialog;
    this.events.dialogChanged(this);
  }

  /** As it was last read; a page that hangs or waits for a dialog does not tell. */
  get title(): string {
    return this.#title;
  }

  set title(text: string) {
    const title = oneLine(text, TAB_TITLE_LIMIT);
    if (title === this.#title) return;
    this.#title = title;
    this.events.titled();
  }

  get url(): string {
    return this.page.url();
  }

  /** Where it is, or is about to be when it is empty still. */
  get address(): string {
    const { url } = this;
    return url === '' || url === 'about:blank' ? (this.navigation?.url() ?? url) : url;
  }

  /** A document of it told what it gave out when it was asked at that time (`performance.now()`). */
  gaveOut(frame: Frame, { printed, downloads = [] }: OutputReport, questioned: number): void {
    this.hasPrinted ||= printed ?? false;
    this.files.asked(frame, downloads, questioned);
  }

  /**
   * The agent has read the page as it was captured.
   * @param live All nodes of the page, by key.
   * @param told Nodes whose lines it was given.
   */
  noteRead(page: PageSnapshot, live: ReadonlyMap<string, SnapshotNode>, told: readonly SnapshotNode[]): void {
    this.known = new KnownPage(page, told, this.known, key => live.has(key));
  }

  /** Requests for content that began at or after the given moment (`performance.now()`) and have no answer yet. */
  openRequests(since: number): Request[] {
    return this.#requests.since(since);
  }

  /** The navigation of the main frame that is under way, if one is: asked for and not there yet. */
  get navigation(): Request | undefined {
    return this.#requests.navigation;
  }

  /** Milliseconds that are left of the time for a navigation; how much that is, is the caller's to say. */
  navigationLeft(timeout = SHOWN_AFTER): number {
    return Math.max(0, this.#requests.navigationBegan + timeout - performance.now());
  }

  /** The page that was asked for is not waited for any more. Until it answers Chromium asks the one before it nothing. */
  get isNavigationStalled(): boolean {
    return this.navigation !== undefined && this.navigationLeft() === 0;
  }

  /** Whether a page was the answer to a form that was sent, so that it takes sending it again to load it anew. */
  wasPosted(url: string): boolean {
    return this.#requests.wasPosted(url);
  }

  /** Calls back whenever a request begins or ends, until stopped. */
  onRequestsChanged(listener: () => void): () => void {
    return this.#requests.onChanged(listener);
  }

  async dispose(): Promise<void> {
    this.#requests.clear();
    await this.#worlds.dispose();
  }

  /** Listeners end with the page, which no other tab ever gets. */
  #listen(): void {
    const { page, events } = this;
    const began = (request: Request): void => {
      events.requested(request);
      if (isNavigation(request, page)) {
        this.asked = request.url();
        if (request.redirectedFrom() === null) events.leaves(this);
        this.dialogs = 0;
      }
      this.#requests.began(request);
    };
    const failed = (request: Request): void => {
      if (isNavigation(request, page)) {
        this.movedBy = undefined;
        events.notReached(this, request.url());
      }
      const reason = request.failure()?.errorText.replace('net::', '') ?? '';
      // A request that the page itself gave up, or left behind, has not failed.
      if (reason !== 'ERR_ABORTED') events.requestFailed(request, { reason });
      this.#requests.ended(request);
    };
    page.on('request', began);
    page.on('requestfinished', request => this.#requests.ended(request));
    page.on('requestfailed', failed);
    page.on('response', response => this.#answered(response));
    page.on('dialog', dialog => {
      if (dialog.type() !== 'beforeunload') this.dialogs++;
      this.dialog = dialog;
      events.dialog(this, dialog);
    });
    page.on('crash', () => {
      this.crashed = true;
      events.gone(this, 'crashed');
    });
    page.on('close', () => events.gone(this, 'closed'));
    page.on('download', download => events.download(this, download));
    page.on('console', message => {
      if (message.type() === 'error' && !isOfRequest(message)) events.consoleError(message.text());
    });
    page.on('pageerror', error => events.consoleError(`${error.name}: ${error.message}`));
    page.on('domcontentloaded', () => this.greet());
    page.on('framenavigated', frame => {
      if (frame !== page.mainFrame()) return;
      this.unresponsive = false;
      this.navigatedAt = performance.now();
      const url = frame.url();
      const status =
        this.#answer !== undefined && isSameDocument(this.#answer.url, url) ? this.#answer.status : undefined;
      // A document that comes from a server was answered before: without that only the history has an entry more.
      const isOld = status === undefined && /^https?:/.test(url);
      const isStill = isOld && url === this.#shown;
      this.#shown = url;
      if (!isOld && this.leaving?.end()) this.leaving = undefined;
      events.navigated(this, { status, isStill });
      this.#answer = undefined;
      this.#requests.arrived(url);
    });
  }

  #answered(response: Response): void {
    const status = response.status();
    const request = response.request();
    if (isNavigation(request, this.page)) this.#answer = { url: request.url(), status };
    // A site without an icon of its own has done nothing wrong.
    else if (status >= 400 && !request.url().endsWith('/favicon.ico')) this.events.requestFailed(request, { status });
  }

  /**
   * Nobody may read the page for a while, yet its title is told where tabs are listed; and from here on the page knows
   * whether it is printed.
   */
  greet(): void {
    this.#meet().catch(() => {
      // The page went elsewhere or is gone, and with it the title.
    });
  }

  async #meet(): Promise<void> {
    await this.#worlds.enter();
    // Whoever waits to read the page goes first.
    await setImmediate();
    const { title } = await this.engine.call(this.page.mainFrame(), 'ping', {}, { timeout: TAB_TITLE_MS });
    this.title = title;
  }
}

/** Chromium's own line for a request that failed, which is told as such. */
function isOfRequest(message: ConsoleMessage): boolean {
  return message.args().length === 0 && message.text().startsWith('Failed to load resource:');
}
