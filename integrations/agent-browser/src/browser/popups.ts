import type { Browser, BrowserContext, CDPSession } from 'playwright-core';
import { withCdp } from './cdp.js';
import type { Limits } from './engine.js';

/** The pages of a browser as Chromium tells of them, which is earlier than Playwright does. */
class PageTargets {
  /** Browser context by target. */
  readonly #contexts = new Map<string, string | undefined>();
  readonly #listeners = new Set<() => void>();

  constructor(session: CDPSession) {
    session.on('Target.targetCreated', ({ targetInfo: { type, subtype, targetId, browserContextId } }) => {
      if (type === 'page' && subtype === undefined) this.#contexts.set(targetId, browserContextId);
    });
    session.on('Target.targetDestroyed', ({ targetId }) => {
      this.#contexts.delete(targetId);
      for (const listener of [...this.#listeners]) listener();
    });
  }

  count(contextId: string): number {
    return [...this.#contexts.values()].filter(id => id === contextId).length;
  }

  /** Calls back when a page is gone. Returns the way to stop. */
  onGone(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const targetsOf = new WeakMap<Browser, Promise<PageTargets>>();

function pageTargets(browser: Browser): Promise<PageTargets> {
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

/** Knows of pages that are on their way: Chromium has opened them, and Playwright still prepares them. */
export class Popups {
  #known: { targets: PageTargets; contextId: string } | undefined;

  constructor(readonly context: BrowserContext) {}

  /** Begins to watch; before that, popups are told when they come. */
  async watch(): Promise<void> {
    const browser = this.context.browser();
    const page = this.context.pages()[0];
    if (browser === null || page === undefined) return;
    const [{ targetInfo }, targets] = await Promise.all([
      withCdp(page, session => session.send('Target.getTargetInfo')),
      pageTargets(browser),
    ]);
    if (targetInfo.browserContextId !== undefined) this.#known = { targets, contextId: targetInfo.browserContextId };
  }

  /** Resolves when no page is on its way, or the time is over. */
  async arrived({ timeout, signal }: Limits): Promise<void> {
    const known = this.#known;
    if (known === undefined || this.#isQuiet(known)) return;
    await new Promise<void>(resolve => {
      const check = (): void => {
        if (this.#isQuiet(known)) finish();
      };
      const finish = (): void => {
        clearTimeout(timer);
        stop();
        this.context.off('page', check);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, timeout);
      const stop = known.targets.onGone(check);
      this.context.on('page', check);
      signal.addEventListener('abort', finish);
    });
  }

  #isQuiet({ targets, contextId }: { targets: PageTargets; contextId: string }): boolean {
    return targets.count(contextId) <= this.context.pages().length;
  }
}
