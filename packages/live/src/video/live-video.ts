import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ScreencastFrame, VideoChunk, VideoListener, VideoOptions, VideoStream } from '@browser-toolset/core';
import type { SessionScreencast } from '../frames/screencast.js';
import type { EncoderHome, EncoderPages } from './encoder-pages.js';
import { LiveEncoder, LiveQuality } from './live-encoder.js';

/** A page without a new frame for so long, in milliseconds, is at rest. */
const REST_MS = 100;
/** In milliseconds: how long it takes to make a frame and to bring it to the encoder. */
const FRAME_MAKING_MS = 60;
const DEFAULT_FPS = 30;

interface LiveVideoParts {
  home: EncoderHome;
  screencast: SessionScreencast;
  pages: EncoderPages;
  listener: VideoListener;
}

/** A picture to encode: a new frame, or the last one again. */
interface Job {
  frame?: ScreencastFrame;
  isKey: boolean;
  quantizer: number;
}

/**
 * The video of a screencast. It encodes the frames that viewers of JPEG get, after secrets were covered on them.
 * Invariant: pictures are encoded one by one, and the next frame comes to the encoder meanwhile; of those that arrive
 * then only the latest is kept.
 */
export class LiveVideo implements VideoStream {
  readonly #parts: LiveVideoParts;
  readonly #encoder: LiveEncoder;
  readonly #quality = new LiveQuality();
  #interval = 0;
  /** The latest frame, until it is loaded. */
  #frame: ScreencastFrame | undefined;
  /** The frame that is loaded, or soon will be, until it is encoded. */
  #loaded: ScreencastFrame | undefined;
  #loading: Promise<void> | undefined;
  /** Of the last frame: a frame that is the same again is no change. */
  #hash = '';
  /** What the last picture showed, and how well. */
  #shown: { viewport: ScreencastFrame['viewport']; quantizer: number } | undefined;
  #isKeyWanted = false;
  #isAtRest = false;
  #resting: NodeJS.Timeout | undefined;
  #taking: NodeJS.Timeout | undefined;
  /** Microseconds since the epoch. */
  #beganAt: number | undefined;
  #lastAt = 0;
  /** `performance.now()` */
  #encodedAt = Number.NEGATIVE_INFINITY;
  #work: Promise<void> | undefined;
  #goOn: (() => void) | undefined;
  readonly #over = new AbortController();
  #stopped: Promise<void> | undefined;

  private constructor(parts: LiveVideoParts, encoder: LiveEncoder) {
    this.#parts = parts;
    this.#encoder = encoder;
  }

  /** Rejects when there is no encoder. */
  static async start(parts: LiveVideoParts, options: VideoOptions = {}): Promise<LiveVideo> {
    const { home, screencast, pages } = parts;
    const latest = (): string | undefined => screencast.latestFrame()?.data;
    const video = new LiveVideo(parts, await LiveEncoder.open({ home, pages, latest }));
    video.change(options);
    screencast.on('frame', video.#onFrame);
    screencast.on('stop', video.#onScreencastStopped);
    return video;
  }

  keyframe(): void {
    this.#isKeyWanted = true;
    this.#encodeAll();
  }

  change({ maxFps = DEFAULT_FPS, exclusive = false }: VideoOptions): void {
    this.#interval = 1000 / maxFps;
    this.#parts.screencast.pace(exclusive);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const { screencast } = this.#parts;
    this.#over.abort();
    this.#goOn?.();
    clearTimeout(this.#resting);
    clearTimeout(this.#taking);
    this.#frame = undefined;
    screencast.off('frame', this.#onFrame);
    screencast.off('stop', this.#onScreencastStopped);
    screencast.pace(false);
    await this.#encoder.close();
  }

  readonly #onFrame = (frame: ScreencastFrame): void => {
    const hash = createHash('sha1').update(frame.data).digest('base64');
    if (hash === this.#hash) {
      this.#takeNext();
      return;
    }
    this.#hash = hash;
    this.#frame = frame;
    this.#isAtRest = false;
    clearTimeout(this.#resting);
    // On a slow line it would be old before its turn.
    if (!this.#quality.isLineSlow) this.#load();
    this.#encodeAll();
  };

  readonly #onScreencastStopped = (): void => {
    this.#end(undefined);
  };

  #end(error: Error | undefined): void {
    if (this.#over.signal.aborted) return;
    void this.stop();
    this.#parts.listener.onEnd(error);
  }

  /** Brings the latest frame to the encoder, unless one is there. */
  #load(): void {
    if (this.#frame === undefined || this.#loaded !== undefined) return;
    this.#loaded = this.#frame;
    this.#frame = undefined;
    this.#loading = this.#encoder.load(this.#loaded.data);
    if (!this.#quality.isLineSlow) this.#takeNext();
  }

  /** Lets Chromium make the next frame, for the picture after the one that is loaded. */
  #takeNext(): void {
    clearTimeout(this.#taking);
    const due = this.#encodedAt + this.#interval * (this.#loaded === undefined ? 1 : 2);
    const wait = due - FRAME_MAKING_MS - performance.now();
    this.#taking = setTimeout(() => this.#parts.screencast.takeNext(), Math.max(wait, 0));
  }

  #encodeAll(): void {
    this.#work ??= this.#encodeEach()
      .catch((error: unknown) => this.#end(error instanceof Error ? error : new Error(String(error))))
      .finally(() => {
        this.#work = undefined;
        this.#rest();
      });
  }

  async #encodeEach(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      if (this.#frame !== undefined || this.#loaded !== undefined)
        await pause(this.#encodedAt + this.#interval - performance.now(), signal);
      this.#load();
      await this.#loading;
      const job = this.#next();
      if (job === undefined || signal.aborted) return;
      this.#encodedAt = performance.now();
      const encoding = this.#encode(job);
      // After the call that takes the picture that was loaded before.
      if (!this.#quality.isLineSlow) this.#load();
      const chunk = await encoding;
      if (signal.aborted) return;
      const given = performance.now();
      await this.#give(chunk);
      this.#takeNext();
      const jpegBytes = job.frame && Buffer.byteLength(job.frame.data, 'base64');
      const { data, isKey } = chunk;
      this.#quality.learn({ bytes: data.length, jpegBytes, isKey, waitMs: performance.now() - given });
    }
  }

  /** Resolves when the chunk is taken, or the video is stopped. */
  #give(chunk: VideoChunk): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#goOn = resolve;
      Promise.resolve(this.#parts.listener.onChunk(chunk)).then(resolve, reject);
    });
  }

  #next(): Job | undefined {
    const frame = this.#loaded;
    const isKey = this.#isKeyWanted;
    // A session without a browser has nothing to encode with, and gives a new frame when it has one again.
    if (this.#parts.home.browser === undefined) return undefined;
    if (frame !== undefined) {
      this.#loaded = undefined;
      this.#isKeyWanted = false;
      return { frame, isKey, quantizer: this.#quality.moving };
    }
    if (this.#shown === undefined) return undefined;
    const { quantizer } = this.#shown;
    if (isKey) {
      this.#isKeyWanted = false;
      return { isKey, quantizer: this.#quality.key(quantizer) };
    }
    const sharper = this.#isAtRest ? this.#quality.sharper(quantizer) : undefined;
    return sharper === undefined ? undefined : { isKey, quantizer: sharper };
  }

  /** Makes the picture sharp once the page is at rest. */
  #rest(): void {
    clearTimeout(this.#resting);
    if (this.#over.signal.aborted || this.#shown === undefined) return;
    if (this.#quality.sharper(this.#shown.quantizer) === undefined) return;
    this.#resting = setTimeout(() => {
      this.#isAtRest = true;
      this.#encodeAll();
    }, REST_MS);
  }

  async #encode({ frame, isKey, quantizer }: Job): Promise<VideoChunk> {
    const viewport = frame?.viewport ?? this.#shown?.viewport ?? { width: 0, height: 0 };
    const captured = Math.round((frame?.capturedAt ?? Date.now()) * 1000);
    this.#beganAt ??= captured;
    const at = Math.max(captured - this.#beganAt, this.#lastAt + 1);
    const encoded = await this.#encoder.encode({ at, isKey, quantizer }, this.#over.signal);
    this.#lastAt = at;
    this.#shown = { viewport, quantizer };
    const data = Buffer.from(encoded.data, 'base64');
    const config = this.#encoder.configOf(encoded);
    return { isKey: encoded.isKey, timestamp: this.#beganAt + at, data, config, viewport };
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  // An abort is how a pause ends early.
  if (milliseconds > 0) await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
