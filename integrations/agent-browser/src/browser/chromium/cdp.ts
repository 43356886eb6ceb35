import type { Browser, CDPSession, Frame, Page } from 'playwright-core';

/** Speaks the DevTools protocol with a page, or with the process that a frame is in, for as long as the work takes. */
export async function withCdp<T>(of: Page | Frame, work: (session: CDPSession) => Promise<T>): Promise<T> {
  const session = await sessionOf(of);
  try {
    return await work(session);
  } finally {
    // A page that is gone has taken the session along; one with an open dialog lets it go only when that is answered.
    session.detach().catch(() => undefined);
  }
}

async function sessionOf(of: Page | Frame): Promise<CDPSession> {
  if (!('parentFrame' in of)) return of.context().newCDPSession(of);
  const page = of.page();
  const context = page.context();
  if (of.parentFrame() === null) return context.newCDPSession(page);
  // A frame that shares the process of the one around it has no session of its own.
  return context.newCDPSession(of).catch(() => context.newCDPSession(page));
}

/** The pages of a browser as Chromium tells of them, which is earlier than Playwright does, and with their titles. */
export class PageTargets {
  /** Browser context by target. */
  readonly #contexts = new Map<string, string | undefined>();
  readonly #onGone = new Set<() => void>();
  readonly #onTitle = new Set<(targetId: string, title: string) => void>();

  constructor(session: CDPSession) {
    session.on('Target.targetCreated', ({ targetInfo: { type, subtype, targetId, browserContextId } }) => {
      if (type === 'page' && subtype === undefined) this.#contexts.set(targetId, browserContextId);
    });
    session.on('Target.targetDestroyed', ({ targetId }) => {
      this.#contexts.delete(targetId);
      for (const listener of [...this.#onGone]) listener();
    });
    session.on('Target.targetInfoChanged', ({ targetInfo: { targetId, title } }) => {
      if (this.#contexts.has(targetId)) for (const listener of [...this.#onTitle]) listener(targetId, title);
    });
  }

  count(contextId: string): number {
    return this.in(contextId).length;
  }

  /** The targets of the pages of a context; once the connection has ended, those that it had then. */
  in(contextId: string): string[] {
    return [...this.#contexts].filter(([, context]) => context === contextId).map(([targetId]) => targetId);
  }

  /** Calls back when a page is gone. Returns the way to stop. */
  onGone(listener: () => void): () => void {
    this.#onGone.add(listener);
    return () => this.#onGone.delete(listener);
  }

  /** Calls back with the title of a page that may have changed. Returns the way to stop. */
  onTitle(listener: (targetId: string, title: string) => void): () => void {
    this.#onTitle.add(listener);
    return () => this.#onTitle.delete(listener);
  }
}

const targetsOf = new WeakMap<Browser, Promise<PageTargets>>();

export function pageTargets(browser: Browser): Promise<PageTargets> {
  let targets = targetsOf.get(browser);
  if (targets === undefined) {
    targets = observe(browser);
    targetsOf.set(browser, targets);
  }
  return targets;
}

async function observe(browser: Browser): Promise<PageTargets> {
  const session = await browser.newBrowserCDPSession();
  const targets = new PageTargets(session);
  await session.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] });
  return targets;
}
