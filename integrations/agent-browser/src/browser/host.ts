import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import type { ResolvedConfig } from '../config.js';
import { EngineClient } from './engine.js';
import { findExecutable } from './executable.js';
import { loadPlaywright, registerEngine } from './playwright.js';

/** A browser that is running, launched or attached to. */
export interface RunningBrowser {
  /** Null for a profile, whose only context is the browser. */
  browser: Browser | null;
  /** The context that the browser came with: a profile's, or the default one of a remote browser. */
  ownContext: BrowserContext | null;
  engine: EngineClient;
  isAlive(): boolean;
}

type State =
  | { is: 'idle' }
  | { is: 'starting'; running: Promise<RunningBrowser> }
  | { is: 'running'; running: RunningBrowser; stop: () => Promise<void> };

/** Switches that keep Chromium small and quiet beside those that Playwright gives it. */
const CHROMIUM_ARGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Software rendering in the browser process: a headless machine has no use for a process for the GPU.
  '--disable-gpu',
];

/**
 * Owns one Chromium: starts it once however many ask at the same time, forgets it when it is gone, ends it.
 * The only importer of agent-browser.
 */
export class Host {
  #state: State = { is: 'idle' };
  #listeners = new Set<() => void>();

  /** @param endpoint Where to attach; launches when left out. */
  constructor(
    readonly config: ResolvedConfig,
    readonly endpoint?: () => Promise<string>,
  ) {}

  get isRunning(): boolean {
    return this.#state.is === 'running' && this.#state.running.isAlive();
  }

  /** Calls back when the browser is gone without having been closed by `close()`. Returns the way to stop. */
  onGone(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The running browser; starts it when it is not running. */
  acquire(): Promise<RunningBrowser> {
    const state = this.#state;
    if (state.is === 'starting') return state.running;
    if (state.is === 'running' && state.running.isAlive()) return Promise.resolve(state.running);
    const starting = this.#start();
    this.#state = { is: 'starting', running: starting };
    starting.catch(() => {
      // The caller gets the error; the next call tries again.
      if (this.#state.is === 'starting' && this.#state.running === starting) this.#state = { is: 'idle' };
    });
    return starting;
  }

  async close(): Promise<void> {
    const state = this.#state;
    if (state.is === 'idle') return;
    if (state.is === 'starting') {
      // A start under way cannot be cancelled; what it brings is closed.
      await state.running.catch(() => undefined);
      return this.close();
    }
    this.#state = { is: 'idle' };
    await state.stop();
  }

  async #start(): Promise<RunningBrowser> {
    const playwright = loadPlaywright();
    const engine = new EngineClient(await registerEngine(playwright));
    const { running, stop } =
      this.endpoint === undefined ? await this.#launch(engine) : await this.#attach(engine, await this.endpoint());
    const gone = (): void => {
      if (this.#state.is !== 'running' || this.#state.running !== running) return;
      this.#state = { is: 'idle' };
      // Ends what a crash leaves behind: helper processes and the temporary profile.
      stop().catch(() => undefined);
      for (const listener of [...this.#listeners]) listener();
    };
    running.browser?.on('disconnected', gone);
    if (running.browser === null) running.ownContext?.on('close', gone);
    const leave = endWithProcess(() => this.close());
    this.#state = {
      is: 'running',
      running,
      stop: async () => {
        leave();
        await stop();
      },
    };
    return running;
  }

  async #launch(engine: EngineClient): Promise<{ running: RunningBrowser; stop: () => Promise<void> }> {
    const { BrowserManager } = await import('agent-browser');
    const { config } = this;
    const manager = new BrowserManager();
    await manager.launch({
      headless: config.headless,
      executablePath: config.executablePath ?? findExecutable(loadPlaywright().chromium.executablePath()),
      args: [...CHROMIUM_ARGS, ...config.args],
      viewport: config.viewport,
      ...(config.profile !== undefined && {
        profile: config.profile,
        ...definedOnly({
          headers: config.headers,
          userAgent: config.userAgent,
          proxy: config.proxy,
          colorScheme: config.colorScheme,
        }),
        ignoreHTTPSErrors: config.ignoreHTTPSErrors,
      }),
    });
    const context = manager.getContext();
    const browser = manager.getBrowser() ?? context?.browser() ?? null;
    const isProfile = config.profile !== undefined;
    // agent-browser opens a context of its own; sessions bring theirs, with options that it does not know.
    if (!isProfile) await context?.close();
    const ownContext = isProfile ? context : null;
    let open = true;
    context?.once('close', () => {
      if (isProfile) open = false;
    });
    const isAlive = (): boolean => (browser === null ? open : browser.isConnected() && open);
    return { running: { browser, ownContext, engine, isAlive }, stop: () => manager.close() };
  }

  /**
   * Attaches with Playwright itself: agent-browser's way sends no headers and refuses a browser without an open page.
   */
  async #attach(
    engine: EngineClient,
    endpoint: string,
  ): Promise<{ running: RunningBrowser; stop: () => Promise<void> }> {
    const browser = await loadPlaywright().chromium.connectOverCDP(endpoint, {
      timeout: this.config.navigationTimeout,
      ...definedOnly({ headers: this.config.cdpHeaders }),
    });
    const running = {
      browser,
      ownContext: browser.contexts()[0] ?? null,
      engine,
      isAlive: () => browser.isConnected(),
    };
    return { running, stop: () => browser.close() };
  }
}

/** Options of a context of our own making. */
export function contextOptions(
  config: ResolvedConfig,
  storageState?: BrowserContextOptions['storageState'],
): BrowserContextOptions {
  return {
    viewport: config.viewport,
    acceptDownloads: true,
    ignoreHTTPSErrors: config.ignoreHTTPSErrors,
    ...definedOnly({
      userAgent: config.userAgent,
      locale: config.locale,
      timezoneId: config.timezoneId,
      extraHTTPHeaders: config.headers,
      colorScheme: config.colorScheme,
      proxy: config.proxy,
      storageState: storageState ?? config.storageState,
    }),
  };
}

/** An object without its undefined fields, which some libraries take for values. */
function definedOnly<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

const SIGNALS = ['SIGTERM', 'SIGHUP'] as const;

/**
 * Playwright closes the browser on SIGTERM and SIGHUP but keeps the process from ending, which these signals mean.
 * Where nobody else handles the signal, it is given its usual effect once the browser is closed.
 */
function endWithProcess(close: () => Promise<void>): () => void {
  const handlers = SIGNALS.map(signal => {
    const handler = async (): Promise<void> => {
      await close().catch(() => undefined);
      leave();
      // Playwright's own listener goes with its last browser; any other is the host program's.
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    };
    process.on(signal, handler);
    return { signal, handler };
  });
  const leave = (): void => {
    for (const { signal, handler } of handlers) process.off(signal, handler);
  };
  return leave;
}
