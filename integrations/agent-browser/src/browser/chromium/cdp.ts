import type { Browser, CDPSession, Frame, Page } from 'playwright-core';
import { getOrInsert } from '#page-engine/dom/get-or-insert.js';
import { Signal } from '../signal.js';

/** Runs `work` with a CDP session for a page, or for the process that renders a frame, and detaches it afterwards. */
export async function withCdp<T>(of: Page | Frame, work: (session: CDPSession) => Promise<T>): Promise<T> {
  const session = await sessionOf(of);
  try {
    return await work(session);
  } finally {
    // A closed page has ended its session; a page with an open dialog detaches only once that is answered.
    session.detach().catch(() => undefined);
  }
}

async function sessionOf(of: Page | Frame): Promise<CDPSession> {
  if (!('parentFrame' in of)) return of.context().newCDPSession(of);
  const page = of.page();
  const context = page.context();
  if (of.parentFrame() === null) return context.newCDPSession(page);
  // A frame in its parent's process has no target, and so no session, of its own.
  return context.newCDPSession(of).catch(() => context.newCDPSession(page));
}

/** The page targets of a browser, from Chromium's own events: earlier than Playwright's, and with titles. */
export class PageTargets {
  readonly #contexts = new Map<string, string | undefined>();
  readonly gone = new Signal();
  /** A page's title, which may be unchanged. */
  readonly titled = new Signal<[targetId: string, title: string]>();

  constructor(session: CDPSession) {
    session.on('Target.targetCreated', ({ targetInfo: { type, subtype, targetId, browserContextId } }) => {
      if (type === 'page' && subtype === undefined) this.#contexts.set(targetId, browserContextId);
    });
    session.on('Target.targetDestroyed', ({ targetId }) => {
      this.#contexts.delete(targetId);
      this.gone.emit();
    });
    session.on('Target.targetInfoChanged', ({ targetInfo: { targetId, title } }) => {
      if (this.#contexts.has(targetId)) this.titled.emit(targetId, title);
    });
  }

  /** The page targets of a context; after the connection has ended, the last known ones. */
  in(contextId: string): string[] {
    return [...this.#contexts].filter(([, context]) => context === contextId).map(([targetId]) => targetId);
  }
}

const targetsOf = new WeakMap<Browser, Promise<PageTargets>>();

export function pageTargets(browser: Browser): Promise<PageTargets> {
  return getOrInsert(targetsOf, browser, observe);
}

async function observe(browser: Browser): Promise<PageTargets> {
  const session = await browser.newBrowserCDPSession();
  const targets = new PageTargets(session);
  await session.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] });
  return targets;
}

/** Whether Chromium refused a command because the next document has committed, and the old one is not yet gone. */
export function isBetweenPages(error: unknown): boolean {
  return error instanceof Error && error.message.includes('Not attached to an active page');
}
