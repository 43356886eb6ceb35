import type { Dialog, Download, Page, Request } from 'playwright-core';
import { PageCapture } from '../snapshot/capture.js';
import { ClosedShadowRoots } from '../snapshot/closed-shadow-roots.js';
import { KnownPage } from '../snapshot/known-page.js';
import { LatestViews } from '../snapshot/latest-views.js';
import type { PageSnapshot } from '../snapshot/tree.js';
import type { EngineClient } from './engine.js';

/** How a dialog that opens during an action is to be answered. */
export interface DialogAnswer {
  accept: boolean;
  text?: string;
}

/** What a tab tells its session. */
export interface TabEvents {
  dialog(tab: Tab, dialog: Dialog): void;
  /** Another dialog is open, or none. */
  dialogChanged(tab: Tab): void;
  /** A person has answered a dialog. */
  dialogAnswered(dialog: Dialog, isAccepted: boolean): void;
  gone(tab: Tab, how: 'closed' | 'crashed'): void;
  /** The main frame is about to go somewhere: it has asked for a document. */
  leaves(tab: Tab): void;
  navigated(tab: Tab): void;
  titled(): void;
  consoleError(text: string): void;
  download(tab: Tab, download: Download): void;
}

/** Kinds of request whose answer usually changes what the page shows. */
const CONTENT_REQUESTS = new Set(['xhr', 'fetch', 'document', 'script']);

/** One tab of a session. Its id is never given to another. */
export class Tab {
  readonly capture: PageCapture;
  readonly #closedRoots: ClosedShadowRoots;
  readonly #requests = new Map<Request, number>();
  #requestListeners = new Set<() => void>();
  #dialog: Dialog | undefined;
  /** Crashed pages answer nothing and cannot be navigated: they are replaced. */
  crashed = false;
  /** The page did not answer in time the last time it was asked. */
  unresponsive = false;
  /** What the agent has read of this tab. */
  known: KnownPage | undefined;
  readonly latestViews = new LatestViews();
  /** Who made the main frame ask for the document that is under way. */
  movedBy: 'agent' | 'user' | undefined;
  #title = '';
  /** When the main frame last went somewhere (`performance.now()`). */
  navigatedAt = 0;

  constructor(
    readonly id: string,
    readonly page: Page,
    readonly engine: EngineClient,
    readonly events: TabEvents,
  ) {
    this.#closedRoots = new ClosedShadowRoots(page);
    this.capture = new PageCapture(page, engine, this.#closedRoots);
    this.#listen();
  }

  /** As it was last read; a page that hangs or waits for a dialog does not tell. */
  /** The dialog that waits for an answer: nobody has been told of one yet. */
  get dialog(): Dialog | undefined {
    return this.#dialog;
  }

  set dialog(dialog: Dialog | undefined) {
    if (dialog === this.#dialog) return;
    this.#dialog = dialog;
    this.events.dialogChanged(this);
  }

  get title(): string {
    return this.#title;
  }

  set title(title: string) {
    if (title === this.#title) return;
    this.#title = title;
    this.events.titled();
  }

  get url(): string {
    return this.page.url();
  }

  /** The agent has read the page as it was captured. */
  hasRead(page: PageSnapshot): void {
    this.known = new KnownPage(page);
  }

  /** Requests for content that began at or after the given moment (`performance.now()`) and have no answer yet. */
  openRequests(since: number): Request[] {
    return [...this.#requests].flatMap(([request, began]) => (began >= since ? [request] : []));
  }

  /** The navigation of the main frame that is under way, if one is: asked for and not there yet. */
  get navigation(): Request | undefined {
    for (const request of this.#requests.keys()) {
      if (isNavigation(request, this.page)) return request;
    }
    return undefined;
  }

  /** Calls back whenever a request begins or ends, until stopped. */
  onRequestsChanged(listener: () => void): () => void {
    this.#requestListeners.add(listener);
    return () => this.#requestListeners.delete(listener);
  }

  async dispose(): Promise<void> {
    this.#requests.clear();
    await this.#closedRoots.dispose();
  }

  /** Listeners end with the page, which no other tab ever gets. */
  #listen(): void {
    const { page, events } = this;
    const began = (request: Request): void => {
      if (CONTENT_REQUESTS.has(request.resourceType())) this.#requests.set(request, performance.now());
      if (request.redirectedFrom() === null && isNavigation(request, page)) events.leaves(this);
      this.#requestsChanged();
    };
    const ended = (request: Request): void => {
      this.#requests.delete(request);
      this.#requestsChanged();
    };
    const failed = (request: Request): void => {
      if (isNavigation(request, page)) this.movedBy = undefined;
      ended(request);
    };
    page.on('request', began);
    page.on('requestfinished', ended);
    page.on('requestfailed', failed);
    page.on('dialog', dialog => {
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
      // A site without an icon of its own has done nothing wrong.
      if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico'))
        events.consoleError(message.text());
    });
    page.on('pageerror', error => events.consoleError(`${error.name}: ${error.message}`));
    page.on('domcontentloaded', () => this.#refreshTitle());
    page.on('framenavigated', frame => {
      if (frame !== page.mainFrame()) return;
      this.unresponsive = false;
      this.navigatedAt = performance.now();
      this.#arrived(frame.url());
      events.navigated(this);
      this.#requestsChanged();
    });
  }

  /** A document that is there may go on loading for ever; its navigation is over. */
  #arrived(url: string): void {
    for (const request of this.#requests.keys()) {
      if (isNavigation(request, this.page) && isSameDocument(request.url(), url)) this.#requests.delete(request);
    }
  }

  /** Nobody may read the page for a while, yet its title is told where tabs are listed. */
  #refreshTitle(): void {
    this.page.title().then(
      title => {
        this.title = title;
      },
      // The page went elsewhere or is gone, and with it the title.
      () => undefined,
    );
  }

  #requestsChanged(): void {
    for (const listener of [...this.#requestListeners]) listener();
  }
}

function isSameDocument(one: string, other: string): boolean {
  return one.split('#')[0] === other.split('#')[0];
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
