import type { ScreencastStream, VideoChunk, VideoStream } from '@browser-toolset/core';
import { encodeVideoMessage, VIDEO_SEQUENCES } from '@browser-toolset/core/protocol';
import { viewportOf } from './frame.js';
import type { Log } from './limited-log.js';
import { type LiveThread, nameOf } from './live-browser.js';
import type { Metrics } from './metrics.js';
import { RecentChunks } from './recent-chunks.js';
import type { VideoLine } from './video-line.js';

export interface VideoFeedOptions {
  thread: LiveThread;
  metrics: Metrics;
  log: Log;
  /** Whether somebody watches the frames themselves. */
  isShared(): boolean;
  /** There is no video of this thread, or no longer. */
  onFailed(): void;
}

/** The wishes of a viewer of video. */
interface VideoWish {
  maxFps?: number;
}

const DEFAULT_FPS = 30;

/**
 * The one encoder of a thread, for as long as anybody watches its video and there is a screencast to encode.
 *
 * Invariant: at most one encoder is open. It keeps the pace of the median viewer that reads, and waits for none that does not.
 */
export class VideoFeed {
  readonly #options: VideoFeedOptions;
  readonly #lines = new Map<VideoLine, VideoWish>();
  /** Who waits for a key picture: until it may ask for one, and until that one is there. */
  readonly #keyWaits = new Map<VideoLine, NodeJS.Timeout | undefined>();
  readonly #recent = new RecentChunks();
  /** The screencast that is open. */
  #screencast: ScreencastStream | undefined;
  /** What is encoded, and how it is ended. */
  #open: { screencast: ScreencastStream; video: VideoStream } | undefined;
  #tail: Promise<void> = Promise.resolve();
  #sequence = 0;
  /** The video that is open has given a chunk. */
  #hasBegun = false;
  #hasFailed = false;
  /** Lets the encoder go on. */
  #goOn: (() => void) | undefined;
  #stallTimer: NodeJS.Timeout | undefined;

  constructor(options: VideoFeedOptions) {
    this.#options = options;
  }

  get isSupported(): boolean {
    return this.#options.thread.source.startVideo !== undefined && !this.#hasFailed;
  }

  join(line: VideoLine, wish: VideoWish): void {
    this.#lines.set(line, wish);
    this.#adjust();
    this.onReady(line);
  }

  change(line: VideoLine, wish: VideoWish): void {
    if (!this.#lines.has(line)) return;
    this.#lines.set(line, wish);
    this.#open?.video.change(this.#videoOptions());
  }

  leave(line: VideoLine): void {
    this.#lines.delete(line);
    this.#endKeyWait(line);
    this.#adjust();
    this.#look();
  }

  /** Encodes another screencast, or none. */
  follow(screencast: ScreencastStream | undefined): void {
    // Another screencast is another try.
    if (screencast !== undefined && screencast !== this.#screencast) this.#hasFailed = false;
    this.#screencast = screencast;
    this.#adjust();
  }

  /** A viewer cannot decode what it got. One that asks again before it has a key picture asks for the same. */
  requestKey(line: VideoLine): void {
    line.lose();
    this.#help(line);
  }

  /** A viewer may be ready for another chunk. */
  onReady(line: VideoLine): void {
    this.#help(line);
    this.#look();
  }

  /** Settles once nothing is left of the encoder. */
  async stop(): Promise<void> {
    for (const line of [...this.#lines.keys()]) this.leave(line);
    this.follow(undefined);
    await this.#tail;
  }

  /** Brings a viewer that can read again to where the others are: with what it missed, or with a key picture for all. */
  #help(line: VideoLine): void {
    if (!this.#lines.has(line) || !line.needsKey || !line.isReady || this.#keyWaits.has(line)) return;
    if (!line.isLost && line.catchUp(this.#recent)) return;
    const ask = () => {
      this.#keyWaits.delete(line);
      if (!line.isReady || line.catchUp(this.#recent)) return;
      this.#keyWaits.set(line, undefined);
      // The first chunk is one.
      if (this.#hasBegun) this.#open?.video.keyframe();
    };
    const wait = line.takeKey();
    if (wait === 0) ask();
    else this.#keyWaits.set(line, setTimeout(ask, wait));
  }

  #endKeyWait(line: VideoLine): void {
    clearTimeout(this.#keyWaits.get(line));
    this.#keyWaits.delete(line);
  }

  #adjust(): void {
    this.#tail = this.#tail
      .then(() => this.#becomeWanted())
      .catch((error: unknown) => this.#log(`has a video that did not stop: ${String(error)}`));
  }

  async #becomeWanted(): Promise<void> {
    const wanted = this.#lines.size > 0 && this.isSupported ? this.#screencast : undefined;
    if (wanted === this.#open?.screencast) return;
    const before = this.#open;
    this.#forget();
    this.#release();
    await before?.video.stop();
    // Meanwhile all may have left.
    if (wanted !== undefined && this.#lines.size > 0) await this.#start(wanted);
  }

  async #start(screencast: ScreencastStream): Promise<void> {
    const isCurrent = () => this.#screencast === screencast;
    try {
      const listener = {
        onChunk: (chunk: VideoChunk) => this.#onChunk(chunk),
        onEnd: (error?: Error) => {
          if (this.#open?.screencast === screencast) this.#forget();
          if (error !== undefined && isCurrent()) this.#fail(error);
        },
      };
      const video = await this.#options.thread.source.startVideo?.(screencast, listener, this.#videoOptions());
      if (video !== undefined) this.#open = { screencast, video };
    } catch (error) {
      // The next screencast has another try when this one has ended meanwhile.
      if (isCurrent()) this.#fail(error);
    }
  }

  #forget(): void {
    this.#open = undefined;
    this.#hasBegun = false;
    this.#recent.forget();
  }

  #fail(error: unknown): void {
    this.#log(`cannot be encoded: ${String(error)}`);
    this.#hasFailed = true;
    this.#options.onFailed();
  }

  #onChunk({ viewport, config, ...chunk }: VideoChunk): Promise<void> {
    this.#options.metrics.chunksTaken += 1;
    const { buffer } = encodeVideoMessage({ ...chunk, sequence: this.#sequence });
    this.#sequence = (this.#sequence + 1) % VIDEO_SEQUENCES;
    const { isKey, timestamp } = chunk;
    const shared = { isKey, timestamp, message: Buffer.from(buffer), config, viewport: viewportOf(viewport) };
    this.#hasBegun = true;
    this.#recent.keep(shared);
    for (const line of this.#lines.keys()) {
      line.show(shared);
      // Who could not take it asks for another once it can.
      const isAsked = this.#keyWaits.get(line) === undefined;
      if (isKey && (isAsked || !line.needsKey)) this.#endKeyWait(line);
      this.#help(line);
    }
    return new Promise(goOn => {
      this.#goOn = goOn;
      this.#look();
    });
  }

  /** Lets the encoder go on once half of those who read are ready. */
  #look(): void {
    clearTimeout(this.#stallTimer);
    if (this.#goOn === undefined) return;
    const reading = [...this.#lines.keys()].filter(line => !line.isStalled);
    const ready = reading.filter(line => line.isReady).length;
    const late = reading.filter(line => !line.isReady);
    if (ready > 0 && ready >= late.length) this.#release();
    else if (late.length > 0) this.#lookIn(Math.min(...late.map(line => line.stallsIn)));
  }

  /** When one that is waited for counts as stalled. */
  #lookIn(milliseconds: number): void {
    this.#stallTimer = setTimeout(() => this.#look(), Math.max(0, milliseconds) + 1);
  }

  #release(): void {
    clearTimeout(this.#stallTimer);
    this.#goOn?.();
    this.#goOn = undefined;
  }

  /** The most that anybody wants: all get the same chunks. */
  #videoOptions() {
    const maxFps = Math.max(...[...this.#lines.values()].map(wish => wish.maxFps ?? DEFAULT_FPS));
    return { maxFps, exclusive: !this.#options.isShared() };
  }

  #log(text: string): void {
    this.#options.log('video', `${nameOf(this.#options.thread)} ${text}`);
  }
}
