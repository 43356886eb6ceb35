import { within } from '@browser-toolset/core/waiting';
import type { BrowserContext, Page } from 'playwright-core';
import type { EgressProxy } from '../network/egress-proxy.js';
import { withCdp } from './chromium/cdp.js';
import type { EngineClient } from './tab/engine.js';
import type { Trace } from './trace.js';

/** How long a page may take to say whose it is, in milliseconds; one that hangs never does. */
const PAGE_OPEN_MS = 2_000;

/**
 * The pages of a session's context. With those of the context that a remote browser came with, Playwright counts all pages
 * of contexts that others have made there (seen in 1.65): each page has to be asked whose it is.
 */
export class ContextPages {
  readonly #strangers = new WeakSet<Page>();
  readonly #undecided = new Set<Page>();
  readonly #listeners = new Set<() => void>();

  /** @param contextId Of the context that a remote browser came with. */
  constructor(
    readonly context: BrowserContext,
    readonly contextId?: string,
  ) {}

  /** How many pages there are that the session knows of. */
  get count(): number {
    return this.context.pages().filter(page => !this.#strangers.has(page) && !this.#undecided.has(page)).length;
  }

  async all(): Promise<Page[]> {
    const pages = this.context.pages();
    const areOurs = await Promise.all(pages.map(page => this.#isOurs(page)));
    return pages.filter((_, at) => areOurs[at]);
  }

  /** Lets the session take a page that appeared, if it is the session's. It counts from then on. */
  async admit(page: Page, take: () => void): Promise<void> {
    this.#undecided.add(page);
    // At once where nobody has to be asked: what is noticed of a page next is told of a page that is known.
    if (this.contextId === undefined || (await this.#isOurs(page))) take();
    this.#undecided.delete(page);
    for (const listener of [...this.#listeners]) listener();
  }

  /** Calls back when a page that appeared was taken or left to others. Returns the way to stop. */
  onAdmitted(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #isOurs(page: Page): Promise<boolean> {
    if (this.contextId === undefined) return true;
    try {
      const told = await within(
        PAGE_OPEN_MS,
        withCdp(page, session => session.send('Target.getTargetInfo')),
      );
      if (told === undefined) return false;
      const isOurs = told.targetInfo.browserContextId === this.contextId;
      if (!isOurs) this.#strangers.add(page);
      return isOurs;
    } catch {
      // It is gone already.
      return false;
    }
  }
}

/** The context of an open session. */
export interface OpenContext {
  context: BrowserContext;
  pages: ContextPages;
  engine: EngineClient;
  /** It was made for the session and goes with it. */
  isOwn: boolean;
  /**
   * What of its cookies and storage is the session's to keep: all; the cookies that end with the browser, of a profile that
   * keeps the rest; nothing of a person's own browser.
   */
  keeps: 'all' | 'cookies' | 'nothing';
  /** Of a context that a remote browser came with. */
  contextId?: string;
  /** The way out of it; a browser that was attached to has its own. */
  egressProxy?: EgressProxy;
  trace?: Trace;
  video?: Recording;
}

/** A video of a session, while it has the context. */
export interface Recording {
  /** Ends it while the context is still there. Never rejects, and takes no longer than a few seconds. */
  stop(): Promise<void>;
}
