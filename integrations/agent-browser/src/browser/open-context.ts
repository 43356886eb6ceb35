import { within } from '@browser-toolset/core/waiting';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { EgressProxy } from '#egress/egress-proxy.js';
import { withCdp } from './chromium/cdp.js';
import { Signal } from './signal.js';
import type { EngineClient } from './tab/engine.js';
import type { Trace } from './trace.js';

/** The limit for a page's target info; a page that hangs never answers. */
const PAGE_OPEN_MS = 2_000;

/**
 * The pages of a session's context. In a remote browser's default context Playwright also counts pages of contexts that
 * other clients created (seen in 1.65), so each page's context is looked up.
 */
export class ContextPages {
  readonly #strangers = new WeakSet<Page>();
  readonly #undecided = new Set<Page>();
  /** A page is counted now, or known not to be the session's. */
  readonly admitted = new Signal();

  constructor(
    readonly context: BrowserContext,
    readonly contextId?: string,
  ) {}

  get count(): number {
    return this.context.pages().filter(page => !this.#strangers.has(page) && !this.#undecided.has(page)).length;
  }

  async all(): Promise<Page[]> {
    const pages = this.context.pages();
    const areOurs = await Promise.all(pages.map(page => this.#isOurs(page)));
    return pages.filter((_, at) => areOurs[at]);
  }

  /** Calls `take` for a new page if it belongs to the session, and counts the page from then on. */
  async admit(page: Page, take: () => void): Promise<void> {
    this.#undecided.add(page);
    // Without a lookup this must be synchronous: later events of the page need it to be known.
    if (this.contextId === undefined || (await this.#isOurs(page))) take();
    this.#undecided.delete(page);
    this.admitted.emit();
  }

  async #isOurs(page: Page): Promise<boolean> {
    if (this.contextId === undefined) return true;
    try {
      const answer = await within(
        PAGE_OPEN_MS,
        withCdp(page, session => session.send('Target.getTargetInfo')),
      );
      if (answer === undefined) return false;
      const isOurs = answer.targetInfo.browserContextId === this.contextId;
      if (!isOurs) this.#strangers.add(page);
      return isOurs;
    } catch {
      // The page is closed.
      return false;
    }
  }
}

export interface OpenContext {
  browser: Browser;
  context: BrowserContext;
  pages: ContextPages;
  engine: EngineClient;
  /** The context was created for the session and is closed with it. */
  isOwn: boolean;
  /**
   * The part of the context's storage that the session saves: all; only session cookies, for a profile that keeps the
   * rest; nothing, for a person's own browser.
   */
  keeps: 'all' | 'cookies' | 'nothing';
  /** The id of a remote browser's default context. */
  contextId?: string;
  /** Undefined in an attached browser. */
  egressProxy?: EgressProxy;
  trace?: Trace;
  video?: Recording;
}

export interface Recording {
  /** Ends the video while the context is open. Never rejects, and takes a few seconds at most. */
  stop(): Promise<void>;
}
