import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  LatestFrame,
  type ScreencastFrame,
  type ScreencastOptions,
  type ScreencastPicture,
  type ScreencastStream,
} from '@browser-toolset/core';
import { type CastOptions, type CastSettings, castSettings } from './cast-settings.js';
import { PageCast } from './page-cast.js';
import type { ScreencastSource } from './screencast-source.js';

export type { ScreencastSource } from './screencast-source.js';

/** A page cannot be shown while a navigation swaps its process; the wait between attempts doubles from the first to the last. */
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1000;

interface StreamEvents {
  frame: [ScreencastFrame];
  url: [string];
  stop: [string];
  /** Never emitted: Mastra's server gives a stream up on the first error, and this one recovers from all it meets. */
  error: [Error];
}

/**
 * The screencast of a session: it follows the active tab through navigations, tab switches, crashes and restarts, until it
 * is stopped or the session closes. Several of one session run side by side.
 *
 * Invariant: a handler that is added late misses neither the current frame nor the end.
 */
export class SessionScreencast implements ScreencastStream {
  readonly #source: ScreencastSource;
  #settings: CastSettings;
  readonly #emitter = new EventEmitter<StreamEvents>();
  readonly #lastFrame = new LatestFrame();
  readonly #unsubscribe: readonly (() => void)[];
  #cast: PageCast | undefined;
  #lastUrl: string | undefined;
  #stopReason: string | undefined;
  /** False from the moment at which another page may have to be shown. */
  #isCurrent = false;
  #following: Promise<void> | undefined;
  #retryNow = new AbortController();

  constructor(source: ScreencastSource, options: CastOptions = {}) {
    this.#source = source;
    this.#settings = castSettings(options);
    this.#unsubscribe = [
      source.onActivePageChanged(() => void this.reconnect()),
      source.onUrlChanged(url => this.#onUrl(url)),
      source.onClosed(reason => void this.#end(reason)),
    ];
  }

  on<Event extends keyof StreamEvents>(event: Event, handler: (...values: StreamEvents[Event]) => void): this;
  on(event: keyof StreamEvents, handler: (value: never) => void): this {
    this.#emitter.on(event, handler as () => void);
    if (event === 'frame') queueMicrotask(() => this.#replayFrame(handler as (frame: ScreencastFrame) => void));
    if (event === 'stop' && this.#stopReason !== undefined) queueMicrotask(() => handler(this.#stopReason as never));
    return this;
  }

  /** Whether the stream was neither stopped nor ended by its session. */
  isActive(): boolean {
    return this.#stopReason === undefined;
  }

  /** Shows the active page from its current state on; settles when it is shown, or when there is no page. Never rejects. */
  reconnect(): Promise<void> {
    this.#isCurrent = false;
    this.#retryNow.abort();
    if (!this.isActive()) return Promise.resolve();
    this.#following ??= this.#follow();
    return this.#following;
  }

  change(picture: ScreencastPicture): void {
    const { format, everyNthFrame, minInterval } = this.#settings;
    this.#settings = castSettings({ format, everyNthFrame, minInterval, ...picture });
    // A cast that is about to be shown still has the settings of before.
    if (this.#cast === undefined) void this.reconnect();
    else this.#cast.change(this.#settings);
  }

  latestFrame(): ScreencastFrame | undefined {
    return this.isActive() ? this.#lastFrame.read() : undefined;
  }

  /** Tells the viewers a url. */
  emitUrl(url: string): void {
    this.#lastUrl = url;
    this.#emitter.emit('url', this.#source.toldUrl?.(url) ?? url);
  }

  /** Ends the stream; does nothing when it has ended. */
  async stop(): Promise<void> {
    await this.#end('manual');
  }

  async #end(reason: string): Promise<void> {
    if (!this.isActive()) return;
    this.#stopReason = reason;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#retryNow.abort();
    this.#emitter.emit('stop', reason);
    this.#leavePage();
    await this.#following;
  }

  async #follow(): Promise<void> {
    let failures = 0;
    while (this.isActive() && !this.#isCurrent) {
      this.#isCurrent = true;
      this.#retryNow = new AbortController();
      if (await this.#showActivePage()) continue;
      failures += 1;
      await this.#pause(failures);
      this.#isCurrent = false;
    }
    this.#following = undefined;
  }

  /** Answers false when another attempt is due. */
  async #showActivePage(): Promise<boolean> {
    this.#leavePage();
    const page = this.#source.activePage();
    if (!page || !this.isActive()) return true;
    try {
      const listener = {
        onFrame: (frame: ScreencastFrame) => this.#onFrame(frame),
        onLost: () => {
          if (this.#source.activePage() === page) void this.reconnect();
        },
      };
      this.#cast = await PageCast.start(page, this.#settings, { listener, source: this.#source.covers?.() });
    } catch {
      // Either the page is between two processes, which is soon over, or it is gone, which the source will tell.
      return page.isClosed();
    }
    if (this.isActive()) this.#onUrl(page.url());
    else this.#leavePage();
    return true;
  }

  #leavePage(): void {
    this.#cast?.close();
    this.#cast = undefined;
    this.#lastFrame.forget();
  }

  async #pause(failures: number): Promise<void> {
    const wait = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS);
    // An abort is how a pause ends early.
    await delay(wait, undefined, { signal: this.#retryNow.signal }).catch(() => undefined);
  }

  #onFrame(frame: ScreencastFrame): void {
    if (!this.isActive()) return;
    this.#lastFrame.keep(frame);
    this.#emitter.emit('frame', frame);
  }

  #onUrl(url: string): void {
    // A navigation has committed: a page that could not be shown may be shown now.
    this.#retryNow.abort();
    if (url !== this.#lastUrl) this.emitUrl(url);
  }

  #replayFrame(handler: (frame: ScreencastFrame) => void): void {
    const frame = this.latestFrame();
    if (frame !== undefined) handler(frame);
  }
}

/** Starts the screencast of a session. Waits for its first page to be shown, unless it has none. */
export async function startScreencast(
  source: ScreencastSource,
  options: ScreencastOptions = {},
): Promise<SessionScreencast> {
  const screencast = new SessionScreencast(source, options);
  await screencast.reconnect();
  return screencast;
}
