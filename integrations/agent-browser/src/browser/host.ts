import { within } from '@browser-toolset/core/waiting';
import { Resolver } from '#egress/resolver.js';
import { plainMessage } from '../results/errors.js';
import { attach, type RemotePlace } from './chromium/attach.js';
import { endWithProcess } from './chromium/process-end.js';
import {
  type DetachReason,
  type HostOwner,
  type LaunchAttempt,
  type RunningBrowser,
  SpareContext,
  type Started,
} from './running-browser.js';
import { Signal } from './signal.js';
import { EngineClient, registerEngine, registerEngineIn } from './tab/engine.js';

type HostState =
  | { is: 'idle' }
  | { is: 'starting'; attempt: LaunchAttempt; running: Promise<RunningBrowser> }
  | { is: 'running'; started: Started; running: RunningBrowser; leave: () => void }
  | { is: 'stopping'; done: Promise<void> };

/** Milliseconds until a browser that was asked to end is killed. */
const STOP_MS = 5_000;

const DISCONNECT_REPORT_MS = 200;

/** Owns one Chromium: starts it once for concurrent callers, notices when it is gone, and ends it. */
export class Host {
  #state: HostState = { is: 'idle' };
  /** The browser ended without `close()`. */
  readonly gone = new Signal();
  readonly resolver: Resolver;

  /** @param remote The browser to attach to; without it one is launched. */
  constructor(
    readonly owner: HostOwner,
    readonly remote?: RemotePlace,
  ) {
    this.resolver = new Resolver(owner.config.args);
  }

  /** Runs a task with the browser; runs it again if the browser had died, unless it was closed (`isWanted`). */
  async use<T>(task: (running: RunningBrowser) => Promise<T>, isWanted: () => boolean = () => true): Promise<T> {
    const running = await this.acquire(isWanted);
    try {
      return await task(running);
    } catch (error) {
      if (!isWanted() || !(await this.#isGone(running)) || !isWanted()) throw error;
    }
    return task(await this.acquire(isWanted));
  }

  /** The running browser, which is started if needed. */
  async acquire(isWanted: () => boolean = () => true): Promise<RunningBrowser> {
    this.#noticeEnd();
    // Two browsers cannot use one profile.
    while (this.#state.is === 'stopping') await this.#state.done;
    if (!isWanted()) throw new Error('The browser was closed while a call was waiting for it.');
    if (this.#state.is === 'running' || this.#state.is === 'starting') return this.#state.running;
    const attempt: LaunchAttempt = { isCancelled: false, kill: () => undefined, noteProcess: () => undefined };
    const running = Promise.resolve().then(() => this.#start(attempt));
    this.#state = { is: 'starting', attempt, running };
    return running;
  }

  /** Starts the browser in the background; its next user gets the error. Resolves when its process runs or failed. */
  async start(): Promise<void> {
    const running = this.acquire();
    const { promise, resolve } = Promise.withResolvers<void>();
    running.finally(resolve).catch(() => undefined);
    if (this.#state.is === 'starting') this.#state.attempt.noteProcess = resolve;
    await promise;
  }

  /** Ends a launched browser or disconnects from an attached one. Resolves when its processes and files are gone. */
  async close(reason?: DetachReason): Promise<void> {
    const state = this.#state;
    if (state.is === 'starting') {
      state.attempt.isCancelled = true;
      state.attempt.kill();
      // Attaching cannot be cancelled; once attached, it disconnects.
      this.#stopping(this.remote === undefined ? state.running : within(STOP_MS, state.running));
    } else if (state.is === 'running') this.#stopping(endBrowser(state.started, reason), state.leave);
    if (this.#state.is === 'stopping') await this.#state.done;
  }

  async #start(attempt: LaunchAttempt): Promise<RunningBrowser> {
    try {
      // This precedes the launch: a profile's context gets its selector engines when it is created.
      await registerEngine();
      const { owner, remote } = this;
      const started = await (remote === undefined ? owner.launch(owner.config, attempt) : attach(remote, owner));
      try {
        const name = await registerEngineFor(started);
        if (attempt.isCancelled) throw new Error('The browser was closed while it was starting.');
        return this.#startRunning(started, name);
      } catch (error) {
        await endBrowser(started);
        throw error;
      }
    } catch (error) {
      // The caller gets the error; the next call tries again.
      if (this.#state.is === 'starting' && this.#state.attempt === attempt) this.#state = { is: 'idle' };
      throw error;
    }
  }

  #startRunning(started: Started, engineName: string): RunningBrowser {
    const { browser, ownContext, ownProxy, isLaunched, contextId, egressProxies } = started;
    const engine = new EngineClient(engineName, this.owner.secrets);
    const closedPages = [started.closedPages ?? 0];
    const running: RunningBrowser = {
      ...{ browser, ownContext, ownProxy, isLaunched, contextId, engine },
      spare: this.#spareOf(started),
      takeClosedPages: () => closedPages.pop() ?? 0,
      openProxy: async () => egressProxies?.open(),
    };
    const leave = endWithProcess({ close: () => this.close(), abandon: () => abandon(started) });
    this.#state = { is: 'running', started, running, leave };
    this.owner.metrics.counts.started++;
    browser.on('disconnected', () => this.#noticeEnd());
    return running;
  }

  /** Updates the spare context after a session became idle: prepared if another session `mayCome`, else dropped. */
  keepSpare(mayCome: boolean): void {
    if (this.#state.is !== 'running') return;
    const { spare } = this.#state.running;
    if (mayCome) spare.prepare();
    else spare.drop();
  }

  #spareOf({ browser, ownContext, egressProxies, spare }: Started): SpareContext {
    const { config, log } = this.owner;
    // The `storageState` file may change whenever its owner signs in again.
    const isForAll = ownContext === null && config.scope !== 'shared' && config.storageState === undefined;
    // In a browser with a window, the blank page would appear in front of a person.
    const mayBeMade = isForAll && config.headless;
    return new SpareContext(
      log,
      spare,
      mayBeMade && egressProxies !== undefined ? { config, browser, egressProxies } : undefined,
    );
  }

  /** Playwright reports the end of a browser a moment after the end of its pages. */
  async #isGone({ browser }: RunningBrowser): Promise<boolean> {
    const gone = new Promise<void>(resolve => browser.once('disconnected', () => resolve()));
    if (browser.isConnected()) await within(DISCONNECT_REPORT_MS, gone);
    return !browser.isConnected();
  }

  #noticeEnd(): void {
    const state = this.#state;
    if (state.is !== 'running' || state.running.browser.isConnected()) return;
    this.owner.metrics.counts.browserCrashes++;
    this.#stopping(endBrowser(state.started), state.leave);
    this.gone.emit();
  }

  #stopping(ended: Promise<unknown>, leave?: () => void): void {
    const done = ended
      .catch(error => this.owner.log.debug('browser did not end in peace', { error: plainMessage(error) }))
      .then(() => {
        leave?.();
        this.#state = { is: 'idle' };
      });
    this.#state = { is: 'stopping', done };
  }
}

/** Resolves to the name of the selector engine, which a remote browser's context needs of its own. */
function registerEngineFor({ isLaunched, ownContext }: Started): Promise<string> {
  return isLaunched || ownContext === null ? registerEngine() : registerEngineIn(ownContext);
}

/** Ends a browser gracefully, or kills it, and removes what it leaves behind. */
async function endBrowser({ stop, chromium, egressProxies }: Started, reason?: DetachReason): Promise<void> {
  await egressProxies?.close();
  const ended = Promise.all([stop(reason), chromium?.ended]).then(() => true);
  const isDown = await within(STOP_MS, ended).catch(() => false);
  if (chromium === undefined) return;
  if (!isDown) {
    chromium.kill();
    await within(STOP_MS, chromium.ended);
  }
  await chromium.removeLeftovers();
}

function abandon({ chromium }: Started): void {
  chromium?.kill();
  chromium?.removeLeftoversNow();
}
