import { setTimeout as delay } from 'node:timers/promises';
import { LatestFrame, type ScreencastFrame, type ScreencastStream } from '@browser-toolset/core';
import type { LiveViewport, StreamStatus } from '@browser-toolset/core/protocol';
import { Frame } from './frame.js';
import type { Log } from './limited-log.js';
import { type LiveThread, nameOf } from './live-browser.js';

/** The settings of a cast's frames. */
export interface Picture {
  /** JPEG quality, 1 to 100. */
  quality: number;
  /** Device pixels. */
  maxWidth: number;
}

interface CastListener {
  onStatus(status: StreamStatus): void;
  onUrl(url: string): void;
  onFrame(frame: Frame): void;
  /** The stream that is open from now on; undefined before it is stopped. */
  onStream(stream: ScreencastStream | undefined): void;
}

export interface CastOptions {
  thread: LiveThread;
  /** The cast of before has ended. */
  ready: Promise<unknown>;
  listener: CastListener;
  log: Log;
}

type Opened = 'streaming' | 'inactive' | 'failed' | 'outdated';

/** The default settings of a screencast (`ScreencastOptions`). */
export const DEFAULT_PICTURE: Picture = { quality: 80, maxWidth: 1280 };
const DEFAULT_HEIGHT = 720;
/** A page cannot be shown while a navigation swaps its process. The wait between attempts doubles from the first to the last. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2000;
/** Attempts with a browser that runs and shows nothing. A browser may be announced before its thread has a page. */
const INACTIVE_ATTEMPTS = 6;
/** How long a stream may take to stop. */
const STOP_PATIENCE_MS = 2000;
/** Viewers come and go and resize: the picture changes when they have settled. */
const SETTLE_MS = 250;

/**
 * The one screencast of a thread, for as long as anybody watches. It follows the browser: starts when that is ready, ends
 * when it is closed, starts again when either happened or when it broke.
 *
 * Invariant: at most one stream is open, and the old one is stopped before the new one is started: with some browsers
 * stopping a stream takes the ground from another.
 */
export class Cast {
  readonly #options: CastOptions;
  readonly #unsubscribe: (() => void)[] = [];
  #picture = DEFAULT_PICTURE;
  #status: StreamStatus = 'connected';
  #url: string | undefined;
  /** Of a stream that keeps none itself. */
  readonly #latest = new LatestFrame();
  #viewport: LiveViewport | undefined;
  #stream: ScreencastStream | undefined;
  /** Ends the attempts of the current run when another begins. */
  #run = new AbortController();
  #tail: Promise<unknown>;
  #failures = 0;
  #settling: NodeJS.Timeout | undefined;

  constructor(options: CastOptions) {
    this.#options = options;
    this.#tail = options.ready;
  }

  get status(): StreamStatus {
    return this.#status;
  }

  get url(): string | undefined {
    return this.#url;
  }

  /** The viewport of the newest frame, while the browser is shown. */
  get viewport(): LiveViewport | undefined {
    return this.#viewport;
  }

  /** The newest frame while the browser is shown, for a viewer that has just come. */
  latestFrame(): Frame | undefined {
    const frame = this.#viewport && (this.#stream?.latestFrame?.() ?? this.#latest.read());
    return frame && new Frame(frame);
  }

  start(): void {
    const { source, threadId } = this.#options.thread;
    let isAnnounced = false;
    const onReady = () => {
      isAnnounced = true;
      this.#onReady();
    };
    this.#unsubscribe.push(source.onBrowserReady(onReady, threadId));
    this.#unsubscribe.push(source.onBrowserClosed(() => void this.#onClosed(), threadId));
    if (!isAnnounced && source.isBrowserRunning(threadId)) this.#restart();
  }

  /** Changes the picture once the wishes have settled. */
  want(picture: Picture): void {
    clearTimeout(this.#settling);
    if (this.#unsubscribe.length === 0) this.#picture = picture;
    if (isSame(picture, this.#picture)) return;
    this.#settling = setTimeout(() => {
      this.#picture = picture;
      if (this.#stream?.change) this.#stream.change(this.#size());
      else if (this.#status === 'streaming') this.#restart();
    }, SETTLE_MS);
  }

  /** Ends the stream and follows the browser no longer. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearTimeout(this.#settling);
    this.#forget();
    this.#next(() => this.#leave());
    await this.#tail;
  }

  #onReady(): void {
    // Without a thread this is told of every thread. A stream that runs needs no other then.
    if (this.#options.thread.threadId !== undefined || this.#stream === undefined) this.#restart();
  }

  async #onClosed(): Promise<void> {
    // Likewise: look whether it was the default thread that closed.
    if (this.#options.thread.threadId === undefined && (await this.#urlNow()) !== null) return;
    this.#next(() => this.#leave());
    this.#end();
  }

  #restart(wait = 0): void {
    const { signal } = this.#next(() => this.#connect(signal, wait));
  }

  /** Ends the current run; the next one begins when the old one is gone. */
  #next(step: () => Promise<void>): AbortController {
    this.#run.abort();
    this.#run = new AbortController();
    this.#tail = this.#tail.then(step).catch((error: unknown) => this.#log(`cannot be shown: ${String(error)}`));
    return this.#run;
  }

  async #connect(signal: AbortSignal, wait: number): Promise<void> {
    await this.#leave();
    await pause(wait, signal);
    for (let inactive = 0; !signal.aborted; await pause(this.#nextWait(), signal)) {
      const opened = await this.#open(signal);
      if (opened === 'streaming' || signal.aborted) return;
      inactive += opened === 'inactive' ? 1 : 0;
      if (opened === 'inactive' && (inactive >= INACTIVE_ATTEMPTS || !this.#mayBecomeActive())) return this.#end();
    }
  }

  async #open(signal: AbortSignal): Promise<Opened> {
    const { source, threadId } = this.#options.thread;
    const url = await this.#urlNow();
    if (signal.aborted) return 'outdated';
    if (!source.isBrowserRunning(threadId) || (threadId === undefined && url === null)) return 'inactive';
    if (this.#status !== 'streaming') this.#tell('browser_starting');
    try {
      const stream = await source.startScreencastIfBrowserActive({ ...this.#size(), ...(threadId && { threadId }) });
      if (stream === null) return 'inactive';
      this.#stream = stream;
    } catch (error) {
      this.#log(`cannot be shown yet: ${String(error)}`);
      if (!signal.aborted) this.#tell('browser_starting');
      return 'failed';
    }
    if (signal.aborted) return 'outdated';
    this.#tell('streaming');
    this.#onUrl(url);
    this.#listen(this.#stream);
    this.#options.listener.onStream(this.#stream);
    void this.#checkUrl(this.#stream);
    return 'streaming';
  }

  /** The page may have changed while the stream was opened. */
  async #checkUrl(stream: ScreencastStream): Promise<void> {
    const url = await this.#urlNow();
    if (this.#stream === stream) this.#onUrl(url);
  }

  #listen(stream: ScreencastStream): void {
    const whileCurrent =
      <Value>(handle: (value: Value) => void) =>
      (value: Value) => {
        if (this.#stream === stream) handle(value);
      };
    stream.on(
      'frame',
      whileCurrent(frame => this.#onFrame(frame)),
    );
    stream.on(
      'url',
      whileCurrent(url => this.#onUrl(url)),
    );
    stream.on(
      'stop',
      whileCurrent(reason => this.#onBroken(reason)),
    );
    stream.on(
      'error',
      whileCurrent(error => this.#onBroken(error)),
    );
  }

  #onFrame(frame: ScreencastFrame): void {
    this.#failures = 0;
    if (this.#stream?.latestFrame === undefined) this.#latest.keep(frame);
    const shared = new Frame(frame);
    this.#viewport = shared.viewport;
    this.#options.listener.onFrame(shared);
  }

  #forget(): void {
    this.#latest.forget();
    this.#viewport = undefined;
  }

  #onUrl(url: string | null): void {
    if (url === null || url === this.#url) return;
    this.#url = url;
    this.#options.listener.onUrl(url);
  }

  /** The stream ended by itself: because the browser did, which is told too, or else it is worth another. */
  #onBroken(reason: string | Error): void {
    if (reason instanceof Error) this.#log(`was shown no longer: ${String(reason)}`);
    this.#restart(this.#nextWait());
  }

  #nextWait(): number {
    const wait = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, LAST_RETRY_MS);
    this.#failures += 1;
    return wait;
  }

  async #urlNow(): Promise<string | null> {
    const { source, threadId } = this.#options.thread;
    return source.getCurrentUrl(threadId).catch((error: unknown) => {
      this.#log(`does not tell its url: ${String(error)}`);
      return null;
    });
  }

  #mayBecomeActive(): boolean {
    const { source, threadId } = this.#options.thread;
    return threadId !== undefined && source.isBrowserRunning(threadId);
  }

  #end(): void {
    this.#failures = 0;
    this.#forget();
    this.#url = undefined;
    if (this.#status !== 'connected') this.#tell('browser_closed');
  }

  async #leave(): Promise<void> {
    const stream = this.#stream;
    this.#stream = undefined;
    if (stream === undefined) return;
    this.#options.listener.onStream(undefined);
    // A stream whose browser is gone may fail to stop, or never say so: it has stopped.
    const stopped = stream.stop().catch((error: unknown) => this.#log(`did not stop: ${String(error)}`));
    const patience = new AbortController();
    await Promise.race([stopped, pause(STOP_PATIENCE_MS, patience.signal)]);
    patience.abort();
  }

  #size() {
    if (isSame(this.#picture, DEFAULT_PICTURE)) return {};
    // A tall page is not made narrower than its viewers want it.
    return { ...this.#picture, maxHeight: Math.max(DEFAULT_HEIGHT, this.#picture.maxWidth) };
  }

  #tell(status: StreamStatus): void {
    if (status === this.#status) return;
    this.#status = status;
    this.#options.listener.onStatus(status);
  }

  #log(text: string): void {
    this.#options.log('cast', `${nameOf(this.#options.thread)} ${text}`);
  }
}

function isSame(one: Picture, other: Picture): boolean {
  return one.quality === other.quality && one.maxWidth === other.maxWidth;
}

async function pause(wait: number, signal: AbortSignal): Promise<void> {
  // An abort is how a pause ends early.
  if (wait > 0) await delay(wait, undefined, { signal }).catch(() => undefined);
}
