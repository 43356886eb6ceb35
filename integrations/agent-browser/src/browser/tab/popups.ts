import type { BrowserContext } from 'playwright-core';
import { withCdp } from '../chromium/cdp.js';
import { type PageTargets, pageTargets } from '../chromium/page-targets.js';
import type { Limits } from './engine.js';

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
