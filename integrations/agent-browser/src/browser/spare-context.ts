import { within } from '@browser-toolset/core/waiting';
import type { Browser, BrowserContext, Page, ViewportSize } from 'playwright-core';
import type { ResolvedConfig } from '../config.js';
import type { Door } from '../network/door.js';
import type { Doors } from '../network/doors.js';
import { plainMessage } from '../outcome/errors.js';
import type { SessionLog } from '../outcome/log.js';
import { contextOptions } from './chromium/context-options.js';

/** A context and the way out of it. */
export interface GuardedContext {
  context: BrowserContext;
  door?: Door;
}

interface Making {
  config: ResolvedConfig;
  browser: Browser;
  doors: Doors;
}

interface Spare {
  guarded: GuardedContext;
  /** Of one that was made here: its page, and the size that it is to have. */
  own?: { page: Page; viewport: ViewportSize };
}

/** Longest wait for one that is being made, in milliseconds. */
const MAKING_TIME = 2_000;
/**
 * The compositor's memory for a hidden page equals the page's own: a full size would double what a spare context costs.
 */
const NOTHING = { width: 1, height: 1 };

/**
 * Keeps a context with a blank page ready for the thread that comes next: both take longer to open than a page takes to
 * load. Whoever has but one thread has no use for it, so that none is made before a second one has come.
 */
export class SpareContext {
  #spare: Promise<Spare | undefined> | undefined;
  #firstThread: string | undefined;
  #hasSeveral = false;
  /** A spare context that could not be made once is not tried again. */
  #hasFailed = false;

  /**
   * @param first The one that the browser came with.
   * @param making Left out where threads share a context, or begin with what may change before they come.
   */
  constructor(
    readonly log: SessionLog,
    first: GuardedContext | undefined,
    readonly making?: Making,
  ) {
    if (first !== undefined) this.#spare = Promise.resolve({ guarded: first });
  }

  /**
   * The context, where there is one for this thread.
   * @param isPlain The thread's context is to be like all others.
   */
  async take(threadId: string, isPlain: boolean): Promise<GuardedContext | undefined> {
    const isFirst = this.#firstThread === undefined;
    this.#firstThread ??= threadId;
    this.#hasSeveral ||= this.#firstThread !== threadId;
    if (!isPlain && !isFirst) return undefined;
    const made = this.#spare;
    // From here on it is nobody else's.
    this.#spare = undefined;
    const spare = made && (await within(MAKING_TIME, made));
    if (spare !== undefined && isPlain && (await this.#isSized(spare))) return spare.guarded;
    this.#discardWhenMade(made);
    return undefined;
  }

  /** Keeps none until one is prepared. */
  drop(): void {
    const made = this.#spare;
    this.#spare = undefined;
    this.#discardWhenMade(made);
  }

  /** Gives its page the size that pages have, if it is still there. */
  async #isSized({ own }: Spare): Promise<boolean> {
    if (own === undefined) return true;
    const { page, viewport } = own;
    page.off('crash', this.#onEnd).off('close', this.#onEnd);
    return page.setViewportSize(viewport).then(
      () => true,
      () => false,
    );
  }

  /** Makes one in the background, unless there is one. */
  prepare(): void {
    const { making } = this;
    if (making === undefined || !this.#hasSeveral || this.#hasFailed || this.#spare !== undefined) return;
    const made: Promise<Spare | undefined> = this.#make(making).catch(error => {
      this.log.debug('no context could be kept ready', { error: plainMessage(error) });
      this.#hasFailed = true;
      if (this.#spare === made) this.#spare = undefined;
      return undefined;
    });
    this.#spare = made;
  }

  async #make({ config, browser, doors }: Making): Promise<Spare> {
    const door = await doors.open();
    let context: BrowserContext | undefined;
    try {
      context = await browser.newContext(await contextOptions(config, { door }));
      const page = await context.newPage();
      page.on('crash', this.#onEnd).on('close', this.#onEnd);
      await page.setViewportSize(NOTHING);
      return { guarded: { context, door }, own: { page, viewport: config.viewport } };
    } catch (error) {
      await this.#discard({ context, door });
      throw error;
    }
  }

  /** Its page crashed or was closed before anybody used it. */
  readonly #onEnd = async (page: Page): Promise<void> => {
    page.off('crash', this.#onEnd).off('close', this.#onEnd);
    const made = this.#spare;
    if ((await made)?.own?.page !== page || this.#spare !== made) return;
    this.drop();
  };

  #discardWhenMade(made: Promise<Spare | undefined> | undefined): void {
    void made?.then(spare => spare && this.#discard(spare.guarded));
  }

  async #discard({ context, door }: Partial<GuardedContext>): Promise<void> {
    await context
      ?.close()
      .catch(error => this.log.debug('a spare context was gone already', { error: plainMessage(error) }));
    await door?.close();
  }
}
