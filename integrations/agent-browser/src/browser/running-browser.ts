import { within } from '@browser-toolset/core/waiting';
import type { Browser, BrowserContext, Page, ViewportSize } from 'playwright-core';
import type { EgressProxy } from '../network/egress-proxy.js';
import type { EgressProxyPool } from '../network/proxy-pool.js';
import type { Metrics, SessionLog } from '../observe/observation.js';
import type { ResolvedConfig } from '../options.js';
import type { Secrets } from '../policy/secrets.js';
import { plainMessage } from '../results/errors.js';
import type { ChromiumProcess } from './chromium/chromium-process.js';
import { contextOptions } from './chromium/context-options.js';
import type { SessionFiles } from './files/files.js';
import type { EngineClient } from './tab/engine.js';

/** A context and the way out of it. */
interface GuardedContext {
  context: BrowserContext;
  egressProxy?: EgressProxy;
}

interface SpareSetup {
  config: ResolvedConfig;
  browser: Browser;
  egressProxies: EgressProxyPool;
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
const SPARE_VIEWPORT = { width: 1, height: 1 };

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
    readonly making?: SpareSetup,
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

  async #make({ config, browser, egressProxies }: SpareSetup): Promise<Spare> {
    const egressProxy = await egressProxies.open();
    let context: BrowserContext | undefined;
    try {
      context = await browser.newContext(await contextOptions(config, { egressProxy }));
      const page = await context.newPage();
      page.on('crash', this.#onEnd).on('close', this.#onEnd);
      await page.setViewportSize(SPARE_VIEWPORT);
      return { guarded: { context, egressProxy }, own: { page, viewport: config.viewport } };
    } catch (error) {
      await this.#discard({ context, egressProxy });
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

  async #discard({ context, egressProxy }: Partial<GuardedContext>): Promise<void> {
    await context
      ?.close()
      .catch(error => this.log.debug('a spare context was gone already', { error: plainMessage(error) }));
    await egressProxy?.close();
  }
}

/** A browser that is running, launched or attached to. */
export interface RunningBrowser {
  browser: Browser;
  /** The context that the browser came with: a profile's, or the default one of a remote browser. */
  ownContext: BrowserContext | null;
  engine: EngineClient;
  /** It was started here and goes with the host. */
  isLaunched: boolean;
  /** The id of the default context of a browser that was attached to; no other browser has it. */
  contextId?: string;
  /** A context that nobody uses yet. */
  spare: SpareContext;
  /** How many pages that did not answer were closed to get in; to be told once. */
  takeClosedPages(): number;
  /** The way out of the context that the browser came with. A browser that was attached to has its own. */
  ownDoor?: EgressProxy;
  /** A way out for one more context, until it or the browser is closed; a browser that was attached to has its own. */
  openDoor(): Promise<EgressProxy | undefined>;
}

/** A browser that has started, and how it ends. */
export interface Started extends Omit<RunningBrowser, 'engine' | 'spare' | 'takeClosedPages' | 'openDoor'> {
  spare?: GuardedContext;
  /** Pages that did not answer and were closed to get in. */
  closedPages?: number;
  /** Ways out of its contexts. */
  egressProxies?: EgressProxyPool;
  /** Asks it to end, or lets go of one that was attached to. */
  stop(reason?: DetachReason): Promise<void>;
  /** Where it was launched here and its process could be noted. */
  chromium?: ChromiumProcess;
}

/** Why a browser is let go of: nobody here needs it any more, or another process goes on with it. */
export type DetachReason = 'unused' | 'handed-over';

/** A start under way. */
export interface LaunchAttempt {
  isCancelled: boolean;
  /** Ends what has been started so far. */
  kill(): void;
  /** Called when its process runs. */
  noteProcess(): void;
}

/** Starts a Chromium for a toolset's options. */
export type Launch = (config: ResolvedConfig, attempt: LaunchAttempt) => Promise<Started>;

/** The parts of the toolset that a host needs. */
export interface HostOwner {
  readonly launch: Launch;
  readonly config: ResolvedConfig;
  readonly log: SessionLog;
  readonly files: SessionFiles;
  readonly secrets: Secrets;
  readonly metrics: Metrics;
}
