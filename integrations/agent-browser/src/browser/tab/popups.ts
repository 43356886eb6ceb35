import { until, within } from '@browser-toolset/core/waiting';
import { withCdp } from '../chromium/cdp.js';
import { type PageTargets, pageTargets } from '../chromium/page-targets.js';
import type { ContextPages } from '../context-pages.js';
import type { Limits } from './engine.js';

interface OwnTargets {
  targets: PageTargets;
  contextId: string;
}

/** Knows of pages that are on their way: Chromium has opened them, and Playwright still prepares them. */
export class Popups {
  #watching: Promise<OwnTargets | undefined> | undefined;

  constructor(readonly pages: ContextPages) {}

  /** Begins to watch; before that, popups are told when they come. */
  async watch(): Promise<void> {
    this.#watching = this.#look();
    await this.#watching;
  }

  /** Resolves when no page is on its way, or the time is over. */
  async arrived({ timeout, signal }: Limits): Promise<void> {
    const known = await within(timeout, this.#watching ?? Promise.resolve(undefined)).catch(() => undefined);
    if (known === undefined) return;
    await until(
      () => this.#isQuiet(known),
      { timeout, signal },
      check => {
        const stops = [known.targets.onGone(check), this.pages.onAdmitted(check)];
        return () => {
          for (const stop of stops) stop();
        };
      },
    );
  }

  async #look(): Promise<OwnTargets | undefined> {
    const { context } = this.pages;
    const browser = context.browser();
    const [page] = await this.pages.all();
    if (browser === null || page === undefined) return undefined;
    const [{ targetInfo }, targets] = await Promise.all([
      withCdp(page, session => session.send('Target.getTargetInfo')),
      pageTargets(browser),
    ]);
    const { browserContextId: contextId } = targetInfo;
    return contextId === undefined ? undefined : { targets, contextId };
  }

  #isQuiet({ targets, contextId }: OwnTargets): boolean {
    return targets.count(contextId) <= this.pages.count;
  }
}
