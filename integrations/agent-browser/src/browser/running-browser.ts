import { within } from '@browser-toolset/core/waiting';
import type { Browser, BrowserContext, Page, ViewportSize } from 'playwright-core';
import type { EgressProxy } from '#egress/egress-proxy.js';
import type { EgressProxyPool } from '#egress/proxy-pool.js';
import type { Secrets } from '#egress/secrets.js';
import type { Metrics, SessionLog } from '../observe/observation.js';
import type { ResolvedConfig } from '../options.js';
import { plainMessage } from '../results/errors.js';
import type { ChromiumProcess } from './chromium/chromium-process.js';
import { contextOptions } from './chromium/context-options.js';
import type { SessionFiles } from './files/files.js';
import type { EngineClient } from './tab/engine.js';

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
  /** For a context made here: its page, and the viewport to set before use. */
  own?: { page: Page; viewport: ViewportSize };
}

/** In milliseconds: the longest wait for a spare context that is being created. */
const MAKING_MS = 2_000;
/** A hidden page's compositor takes as much memory as the page: a full-size viewport would double the cost. */
const SPARE_VIEWPORT = { width: 1, height: 1 };

/**
 * Keeps a context with a blank page ready for the next thread, since opening both takes longer than loading a page.
 * None is created before a second thread has come.
 */
export class SpareContext {
  #spare: Promise<Spare | undefined> | undefined;
  #firstThread: string | undefined;
  #hasSeveral = false;
  /** After one failure no spare context is created again. */
  #hasFailed = false;

  /**
   * @param making Undefined where threads share a context, or where initial options may change before a thread comes.
   */
  constructor(
    readonly log: SessionLog,
    first: GuardedContext | undefined,
    readonly making?: SpareSetup,
  ) {
    if (first !== undefined) this.#spare = Promise.resolve({ guarded: first });
  }

  /** Takes the spare context for a thread. `isPlain`: the thread needs no context settings of its own. */
  async take(threadId: string, isPlain: boolean): Promise<GuardedContext | undefined> {
    const isFirst = this.#firstThread === undefined;
    this.#firstThread ??= threadId;
    this.#hasSeveral ||= this.#firstThread !== threadId;
    if (!isPlain && !isFirst) return undefined;
    const made = this.#spare;
    // Concurrent callers must not get the same context.
    this.#spare = undefined;
    const spare = made && (await within(MAKING_MS, made));
    if (spare !== undefined && isPlain && (await this.#isSized(spare))) return spare.guarded;
    this.#discardWhenMade(made);
    return undefined;
  }

  drop(): void {
    const made = this.#spare;
    this.#spare = undefined;
    this.#discardWhenMade(made);
  }

  /** Sets the page's viewport; resolves to whether the page still exists. */
  async #isSized({ own }: Spare): Promise<boolean> {
    if (own === undefined) return true;
    const { page, viewport } = own;
    page.off('crash', this.#onEnd).off('close', this.#onEnd);
    return page.setViewportSize(viewport).then(
      () => true,
      () => false,
    );
  }

  /** Creates a spare context in the background, unless there is one. */
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

  /** Drops a spare context whose page crashed or closed before use. */
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

export interface RunningBrowser {
  browser: Browser;
  /** The default context: a profile's, or a remote browser's. */
  ownContext: BrowserContext | null;
  engine: EngineClient;
  /** The browser was launched here and ends with the host. */
  isLaunched: boolean;
  /** The id of an attached browser's default context, which is unique among browsers. */
  contextId?: string;
  spare: SpareContext;
  /** The number of unresponsive pages that were closed to attach; read once. */
  takeClosedPages(): number;
  /** The proxy of the default context; undefined in an attached browser. */
  ownProxy?: EgressProxy;
  /** Opens a proxy for a new context, until it or the browser closes; resolves to undefined in an attached browser. */
  openProxy(): Promise<EgressProxy | undefined>;
}

export interface Started extends Omit<RunningBrowser, 'engine' | 'spare' | 'takeClosedPages' | 'openProxy'> {
  spare?: GuardedContext;
  closedPages?: number;
  egressProxies?: EgressProxyPool;
  stop(reason?: DetachReason): Promise<void>;
  /** Undefined when attached, or when the process could not be observed. */
  chromium?: ChromiumProcess;
}

/** Why the host disconnects: no session uses the browser, or another process continues with it. */
export type DetachReason = 'unused' | 'handed-over';

export interface LaunchAttempt {
  isCancelled: boolean;
  kill(): void;
  noteProcess(): void;
}

export type Launch = (config: ResolvedConfig, attempt: LaunchAttempt) => Promise<Started>;

export interface HostOwner {
  readonly launch: Launch;
  readonly config: ResolvedConfig;
  readonly log: SessionLog;
  readonly files: SessionFiles;
  readonly secrets: Secrets;
  readonly metrics: Metrics;
}
