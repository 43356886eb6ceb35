import { setImmediate } from 'node:timers/promises';
import type { ConsoleMessage, Dialog, Download, Frame, Page, Request, Response } from 'playwright-core';
import type { OutputReport } from '#page-engine/protocol.js';
import type { KnownPage } from '../../diff/known-page.js';
import { forgetOldest, PROBE_MS, SHOWN_AFTER_MS } from '../../limits.js';
import type { LatestReading } from '../../reading/write.js';
import { type EffectsLog, oneLine } from '../../results/effects.js';
import { isTimeout } from '../../results/errors.js';
import type { PageCapture } from '../../snapshot/capture.js';
import type { SnapshotNode } from '../../snapshot/tree.js';
import { isBetweenPages } from '../chromium/cdp.js';
import { frameOf, PageFiles } from '../files/page-files.js';
import { Signal } from '../signal.js';
import type { EngineClient } from './engine.js';
import type { AskOptions } from './engine-line.js';
import type { PageReaders } from './page-readers.js';
import { Worlds } from './worlds.js';

/** Resource types whose response usually changes the page's content. */
const CONTENT_REQUESTS = new Set(['xhr', 'fetch', 'document', 'script']);

/** The pending requests of a page. */
class PageRequests {
  /** `performance.now()`. */
  readonly #open = new Map<Request, number>();
  readonly changed = new Signal();
  /** When the main frame last requested a document, before redirects. */
  navigationBegan = 0;

  constructor(readonly page: Page) {}

  began(request: Request): void {
    const now = performance.now();
    if (CONTENT_REQUESTS.has(request.resourceType())) this.#open.set(request, now);
    if (isNavigation(request, this.page) && request.redirectedFrom() === null) this.navigationBegan = now;
    this.changed.emit();
  }

  ended(request: Request): void {
    this.#open.delete(request);
    this.changed.emit();
  }

  /** Ends the navigation of a committed document, which may go on loading forever. */
  arrived(url: string): void {
    for (const request of this.#open.keys()) {
      if (isNavigation(request, this.page) && isSameDocument(request.url(), url)) this.#open.delete(request);
    }
    this.changed.emit();
  }

  /** Content requests that began at or after a moment (`performance.now()`) and are pending. */
  since(moment: number): Request[] {
    return [...this.#open].flatMap(([request, began]) => (began >= moment ? [request] : []));
  }

  get navigation(): Request | undefined {
    return [...this.#open.keys()].find(request => isNavigation(request, this.page));
  }

  clear(): void {
    this.#open.clear();
  }
}

function isSameDocument(one: string, other: string): boolean {
  return withoutHash(one) === withoutHash(other);
}

export function withoutHash(url: string): string {
  return url.split('#')[0] ?? '';
}

/** A request whose frame is gone does not belong to the main frame. */
function isNavigation(request: Request, page: Page): boolean {
  return request.isNavigationRequest() && frameOf(request) === page.mainFrame();
}

/** The dialogs dismissed while a page is left; one that opens more is replaced. */
export const MOST_DIALOGS = 3;

/** In milliseconds: the time for an unblocked page to be replaced by the next document. */
const NEXT_MS = 1_000;

/** The page blocks a navigation by opening dialogs. */
export class HeldOn extends Error {}

/** Answers a page's dialogs while its tab navigates, until another document commits. */
export class Leaving {
  readonly #hold = Promise.withResolvers<never>();
  /** Rejects when the page blocks the navigation. */
  readonly held = this.#hold.promise;
  #state: 'asked' | 'left' | 'held' = 'asked';
  #dismissed = 0;

  constructor(readonly effects: EffectsLog) {
    // The rejection matters only to a navigation that waits for it.
    this.held.catch(() => undefined);
  }

  /** For a page that is replaced before any navigation was tried. */
  static aside(effects: EffectsLog): Leaving {
    const leaving = new Leaving(effects);
    leaving.#giveUp();
    return leaving;
  }

  /** Accepts `beforeunload` dialogs, since the driver decided to leave, and dismisses all others. */
  async answer(dialog: Dialog): Promise<void> {
    // A replaced page's dialogs are not reported.
    if (this.#state === 'held') return;
    const type = dialog.type();
    const isLeave = type === 'beforeunload';
    if (!isLeave && this.#dismissed === MOST_DIALOGS) return this.#giveUp();
    if (!isLeave) this.#dismissed++;
    this.effects.dialog({ type, message: dialog.message(), answered: isLeave ? 'accepted' : 'dismissed' });
    try {
      await (isLeave ? dialog.accept() : dialog.dismiss());
    } catch (error) {
      // Other errors mean that the dialog is gone, with its page or by another answer.
      if (!isBetweenPages(error)) return;
      setTimeout(() => this.#giveUp(), NEXT_MS);
    }
  }

  /** Handles the commit of a document. Returns whether the tab goes on with it; a page that blocked is replaced. */
  end(): boolean {
    if (this.#state === 'asked') this.#state = 'left';
    return this.#state === 'left';
  }

  #giveUp(): void {
    if (this.#state !== 'asked') return;
    this.#state = 'held';
    this.#hold.reject(new HeldOn());
  }
}

/** Milliseconds: a change that comes later is not taken for the effect of an action. */
const LATEST_EFFECT_MS = 2_000;
/** The time that a late effect is given again, as a multiple of the time that it took. */
const LATE_AGAIN = 1.5;
const MOST_LATE_CONTROLS = 200;

/**
 * What the controls of a tab's documents did the last times: one that showed an effect only after its result was given
 * gets that time again, and one for which a wait was in vain is not waited for again without better evidence.
 */
export class Lateness {
  /** Milliseconds by the keys of actions; 0 after a wait in vain. */
  readonly #times = new Map<string, number>();
  /** Documents whose loading marks stayed although nothing was loading. */
  readonly #misleading = new Set<string>();
  #latest: { keys: readonly string[]; since: number } | undefined;

  /** Milliseconds in which the effect of an action may come, 0 for one that shows none late, undefined where unknown. */
  of(keys: readonly string[]): number | undefined {
    const known = keys.flatMap(key => this.#times.get(key) ?? []);
    return known.length === 0 ? undefined : Math.max(...known);
  }

  /** Records an action that has shown no effect yet; `since` is when its effects were first awaited. */
  ended(keys: readonly string[], since: number): void {
    this.#latest = { keys, since };
  }

  /** Records that the page changed after the latest result, at a moment (`performance.now()`). */
  came(at: number): void {
    if (this.#latest === undefined) return;
    const { keys, since } = this.#latest;
    this.#latest = undefined;
    const late = at - since;
    if (late > 0 && late <= LATEST_EFFECT_MS) this.#remember(keys, Math.min(LATEST_EFFECT_MS, late * LATE_AGAIN));
  }

  wasInVain(keys: readonly string[]): void {
    this.#remember(keys, 0);
  }

  trustsMarks(doc: string): boolean {
    return !this.#misleading.has(doc);
  }

  distrustMarks(doc: string): void {
    this.#misleading.add(doc);
  }

  #remember(keys: readonly string[], time: number): void {
    for (const key of keys) {
      this.#times.delete(key);
      this.#times.set(key, time);
    }
    forgetOldest(this.#times, MOST_LATE_CONTROLS);
  }
}

export interface DialogAnswer {
  accept: boolean;
  text?: string;
}

export interface TabEvents {
  dialog(tab: Tab, dialog: Dialog): void;
  dialogChanged(tab: Tab): void;
  dialogAnswered(dialog: Dialog, isAccepted: boolean): void;
  gone(tab: Tab, how: 'closed' | 'crashed'): void;
  /** The main frame has requested a document. */
  leaves(tab: Tab): void;
  /** @param how The document's HTTP status, if it was requested; `isStill`: same document and same URL. */
  navigated(tab: Tab, how: { status: number | undefined; isStill: boolean }): void;
  /** The main frame did not get a document that it requested. */
  notReached(tab: Tab, url: string): void;
  /** A title, or the list of tabs. */
  changed(): void;
  consoleError(text: string): void;
  requested(request: Request): void;
  /** A request failed or has an error status. */
  requestFailed(request: Request, how: { status?: number; reason?: string }): void;
  download(tab: Tab, download: Download): void;
}

/**
 * Whether a tab's page can run scripts, or what keeps it from that: a dialog, a navigation that awaits its server, the
 * end of its process or of the page. A `silent` page let the last call wait in vain.
 */
export type TabState = 'alive' | 'silent' | 'dialog' | 'navigating' | 'crashed' | 'closed';

const TAB_TITLE_LIMIT = 300;
const TAB_TITLE_MS = 5_000;

interface TabParts {
  readers: PageReaders;
  engine: EngineClient;
  events: TabEvents;
}

/** One tab of a session. Its id is never reused. */
export class Tab {
  readonly capture: PageCapture;
  readonly #worlds: Worlds;
  readonly files: PageFiles;
  readonly requests: PageRequests;
  #dialog: Dialog | undefined;
  /** Crashed pages answer nothing and cannot navigate, so they are replaced. */
  crashed = false;
  /** The URL that was opened again after it had crashed: where it crashes once more, it is not tried a third time. */
  reopened: string | undefined;
  /** The page state that the agent has read. */
  known: KnownPage | undefined;
  /** The roots of the latest capture, which the agent may not have read. */
  capturedRoots: readonly SnapshotNode[] | undefined;
  readonly lateness = new Lateness();
  /** Whether input was sent after the latest snapshot: what has changed since may be its effect. */
  hasActed = false;
  latestReading: LatestReading | undefined;
  movedBy: 'agent' | 'user' | undefined;
  /** The host that the driver is navigating to. */
  goal: string | undefined;
  /** The last document URL that the main frame requested or was redirected to. */
  asked: string | undefined;
  /** Chromium's name for why the last navigation of the main frame came to no document; undefined while it may. */
  unreachedBy: string | undefined;
  /** The server asked for HTTP authentication at the last navigation of the main frame. */
  isChallenged = false;
  /** The number of dialogs, other than `beforeunload`, that the document has opened. */
  dialogs = 0;
  /** When the last alert was answered, since which no action has begun (`performance.now()`). */
  alertEndedAt: number | undefined;
  /** Set while the driver navigates away from the document. */
  leaving: Leaving | undefined;
  hasPrinted = false;
  /** The page let the last call wait in vain. */
  #isSilent = false;
  /** When the page last answered (`performance.now()`). */
  #heardAt = 0;
  #title = '';
  /** The response to the main frame's pending document. */
  #answer: { url: string; status: number } | undefined;
  #shown: string;
  /** When the main frame last navigated (`performance.now()`). */
  navigatedAt = 0;

  readonly engine: EngineClient;
  readonly events: TabEvents;

  constructor(
    readonly id: string,
    readonly page: Page,
    { engine, events, readers }: TabParts,
  ) {
    this.engine = engine;
    this.events = events;
    this.#shown = page.url();
    this.requests = new PageRequests(page);
    this.#worlds = new Worlds(page, engine.lines);
    engine.worlds.set(page, this.#worlds);
    this.capture = readers.capture(page, engine, this.#worlds);
    this.capture.onOutputs = (...report) => this.gaveOut(...report);
    this.files = new PageFiles(page);
    this.#listen();
  }

  /** The open dialog that waits for an answer. */
  get dialog(): Dialog | undefined {
    return this.#dialog;
  }

  get state(): TabState {
    if (this.page.isClosed()) return 'closed';
    if (this.crashed) return 'crashed';
    if (this.#dialog !== undefined) return 'dialog';
    if (this.isNavigationStalled) return 'navigating';
    return this.#isSilent ? 'silent' : 'alive';
  }

  /** Nothing that is known keeps the page from running scripts: one that was silent may answer by now. */
  get isReachable(): boolean {
    return this.state === 'alive' || this.state === 'silent';
  }

  /**
   * Asks the page, or one of its frames, for a sign of life. Resolves to whether it gave one in time, or to undefined
   * where it was gone before.
   */
  async probe(limits: Partial<AskOptions> = {}, frame = this.page.mainFrame()): Promise<boolean | undefined> {
    const asked = performance.now();
    const isOfPage = frame === this.page.mainFrame();
    try {
      const { title } = await this.engine.call(frame, 'ping', {}, { timeout: PROBE_MS, ...limits });
      if (isOfPage) this.noteAnswer(title);
      return true;
    } catch (error) {
      if (!isTimeout(error) || limits.signal?.aborted) return undefined;
      if (isOfPage) this.noteAnswer(undefined, asked);
      return false;
    }
  }

  /** Records that the page answered with its title, or let a question wait in vain that was `asked` then. */
  noteAnswer(title: string | undefined, asked = performance.now()): void {
    if (title !== undefined) {
      this.title = title;
      this.#heardAt = performance.now();
      this.#isSilent = false;
      // While a navigation awaits its server, Chromium may pass no question on to a page that is responsive.
    } else if (this.isReachable && this.navigation === undefined && this.#heardAt < asked) this.#isSilent = true;
  }

  set dialog(dialog: Dialog | undefined) {
    if (dialog === this.#dialog) return;
    this.#dialog = dialog;
    this.events.dialogChanged(this);
  }

  /** The title last read; a page that hangs or has a dialog open cannot be read. */
  get title(): string {
    return this.#title;
  }

  set title(text: string) {
    const title = oneLine(text, TAB_TITLE_LIMIT);
    if (title === this.#title) return;
    this.#title = title;
    this.events.changed();
  }

  get url(): string {
    return this.page.url();
  }

  /** The URL, or that of the pending navigation while the tab is blank. */
  get address(): string {
    const { url } = this;
    return url === '' || url === 'about:blank' ? (this.navigation?.url() ?? url) : url;
  }

  /** Records outputs that a document reported; `questioned`: when it was asked (`performance.now()`). */
  gaveOut(frame: Frame, { printed, downloads = [] }: OutputReport, questioned: number): void {
    this.hasPrinted ||= printed ?? false;
    this.files.asked(frame, downloads, questioned);
  }

  get navigation(): Request | undefined {
    return this.requests.navigation;
  }

  /** Milliseconds left of a navigation's time, which began with its first request. */
  navigationLeft(timeout = SHOWN_AFTER_MS): number {
    return Math.max(0, this.requests.navigationBegan + timeout - performance.now());
  }

  /** The navigation has exceeded its time. Until it commits, Chromium delivers no message to the current page. */
  get isNavigationStalled(): boolean {
    return this.navigation !== undefined && this.navigationLeft() === 0;
  }

  async dispose(): Promise<void> {
    this.requests.clear();
    await this.#worlds.dispose();
  }

  /** Listeners end with the page, which belongs to no other tab. */
  #listen(): void {
    const { page, events } = this;
    const began = (request: Request): void => {
      events.requested(request);
      if (isNavigation(request, page)) {
        this.asked = request.url();
        this.unreachedBy = undefined;
        if (request.redirectedFrom() === null) events.leaves(this);
        this.dialogs = 0;
        this.alertEndedAt = undefined;
      }
      this.requests.began(request);
    };
    const failed = (request: Request): void => {
      const reason = request.failure()?.errorText.replace('net::', '') ?? '';
      if (isNavigation(request, page)) {
        this.movedBy = undefined;
        if (reason !== '' && reason !== 'ERR_ABORTED') this.unreachedBy = reason;
        events.notReached(this, request.url());
      }
      // A request that the page cancelled has not failed.
      if (reason !== 'ERR_ABORTED') events.requestFailed(request, { reason });
      this.requests.ended(request);
    };
    page.on('request', began);
    page.on('requestfinished', request => this.requests.ended(request));
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
      this.#isSilent = false;
      this.#heardAt = performance.now();
      this.navigatedAt = performance.now();
      const url = frame.url();
      const status =
        this.#answer !== undefined && isSameDocument(this.#answer.url, url) ? this.#answer.status : undefined;
      // Without a response, a web document is the same one: only its history changed.
      const isOld = status === undefined && /^https?:/.test(url);
      const isStill = isOld && url === this.#shown;
      this.#shown = url;
      if (!isOld && this.leaving?.end()) this.leaving = undefined;
      events.navigated(this, { status, isStill });
      this.#answer = undefined;
      this.requests.arrived(url);
    });
  }

  #answered(response: Response): void {
    const status = response.status();
    const request = response.request();
    if (isNavigation(request, this.page)) {
      this.#answer = { url: request.url(), status };
      this.isChallenged = status === 401 && response.headers()['www-authenticate'] !== undefined;
    }
    // A site may have no icon.
    else if (status >= 400 && !request.url().endsWith('/favicon.ico')) this.events.requestFailed(request, { status });
  }

  /** Injects the engine into a new document, to read the title for lists of tabs and to observe prints. */
  greet(): void {
    this.#meet().catch(() => {
      // The page navigated or is gone.
    });
  }

  async #meet(): Promise<void> {
    await this.#worlds.enter();
    // A waiting call to read the page goes first.
    await setImmediate();
    await this.probe({ timeout: TAB_TITLE_MS });
  }
}

/** Chromium's own message about a failed request, which is reported as such. */
function isOfRequest(message: ConsoleMessage): boolean {
  return message.args().length === 0 && message.text().startsWith('Failed to load resource:');
}
