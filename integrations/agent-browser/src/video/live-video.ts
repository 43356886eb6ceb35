import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  ScreencastFrame,
  VideoChunk,
  VideoConfig,
  VideoListener,
  VideoOptions,
  VideoStream,
} from '@browser-toolset/core';
import { within } from '@browser-toolset/core/waiting';
import type { JSHandle, Page } from 'playwright-core';
import type { Session } from '../browser/session.js';
import { LIVE_ENCODER_SOURCE } from '../generated/page-live-encoder.js';
import type { SessionScreencast } from '../live/screencast.js';
import type { LiveChunk, LivePicture, PageLiveEncoder } from '../page/live-encoder.js';
import { ENCODE_MS, ENCODER_ATTEMPTS, type EncoderPages } from './encoder-pages.js';

/**
 * VP9 with 8 bits per channel, which every browser decodes; the level covers every screencast size. The colours are those
 * of JPEG (ITU-R BT.601, full range). They are not in the data: the codec string and `colorSpace` tell them.
 */
const LIVE_CODEC = 'vp09.00.51.08.01.01.13.06.01';
const COLOUR_SPACE = { primaries: 'bt709', transfer: 'iec61966-2-1', matrix: 'smpte170m', fullRange: true } as const;

/** Quantizers of pictures while the page changes. */
const FIRST_QUANTIZER = 140;
const BEST_QUANTIZER = 80;
const WORST_QUANTIZER = 220;
/** Of a page at rest: as sharp as its JPEG. */
const SHARP_QUANTIZER = 40;
/** By how much a page at rest becomes better at a time on a slow line, where a change must not wait for a large picture. */
const SHARPER_STEP = 40;
/** A page without a new frame for so long, in milliseconds, is at rest. */
const REST_MS = 100;
/** In milliseconds, until a picture is taken: the line is slow, or quick. */
const SLOW_MS = 80;
const QUICK_MS = 25;
/** Bytes of a picture that moves, in those of its JPEG: more makes the next one worse, less makes it better. */
const MANY_BYTES = 0.07;
const FEW_BYTES = 0.04;
const WORSE_STEP = 12;
const BETTER_STEP = 6;

const DEFAULT_FPS = 30;

interface LiveVideoParts {
  session: Session;
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
 * Invariant: pictures are encoded one by one; of the frames that arrive meanwhile only the latest is kept.
 */
export class LiveVideo implements VideoStream {
  readonly #parts: LiveVideoParts;
  #interval: number;
  #encoder: JSHandle<PageLiveEncoder> | undefined;
  /** The latest frame, if it was not encoded yet. */
  #frame: ScreencastFrame | undefined;
  /** Of the last frame: a frame that is the same again is no change. */
  #hash = '';
  /** What the last picture showed, and how well. */
  #shown: { viewport: ScreencastFrame['viewport']; quantizer: number } | undefined;
  #config: VideoConfig | undefined;
  #isKeyWanted = false;
  #isAtRest = false;
  #resting: NodeJS.Timeout | undefined;
  #quantizer = FIRST_QUANTIZER;
  #isLineSlow = false;
  /** Microseconds since the epoch. */
  #beganAt: number | undefined;
  #lastAt = 0;
  /** `performance.now()` */
  #encodedAt = Number.NEGATIVE_INFINITY;
  #work: Promise<void> | undefined;
  #goOn: (() => void) | undefined;
  readonly #over = new AbortController();
  #stopped: Promise<void> | undefined;

  private constructor(parts: LiveVideoParts, options: VideoOptions) {
    this.#parts = parts;
    this.#interval = intervalOf(options);
  }

  /** Rejects when there is no encoder. */
  static async start(parts: LiveVideoParts, options: VideoOptions = {}): Promise<LiveVideo> {
    const video = new LiveVideo(parts, options);
    try {
      await video.#openEncoder();
    } catch (error) {
      await video.stop();
      throw error;
    }
    const { screencast } = parts;
    screencast.on('frame', video.#onFrame);
    screencast.on('stop', video.#onScreencastStopped);
    return video;
  }

  keyframe(): void {
    this.#isKeyWanted = true;
    this.#encodeAll();
  }

  change(options: VideoOptions): void {
    this.#interval = intervalOf(options);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const { screencast, pages } = this.#parts;
    this.#over.abort();
    this.#goOn?.();
    clearTimeout(this.#resting);
    this.#frame = undefined;
    screencast.off('frame', this.#onFrame);
    screencast.off('stop', this.#onScreencastStopped);
    // It may have ended with its page.
    await within(
      ENCODE_MS,
      this.#encoder?.evaluate(encoder => encoder.close()).catch(() => undefined) ?? Promise.resolve(),
    );
    await pages.leave(this);
  }

  readonly #onFrame = (frame: ScreencastFrame): void => {
    const hash = createHash('sha1').update(frame.data).digest('base64');
    if (hash === this.#hash && this.#encoder !== undefined) return;
    this.#hash = hash;
    this.#frame = frame;
    this.#isAtRest = false;
    clearTimeout(this.#resting);
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
      if (this.#frame !== undefined) await pause(this.#encodedAt + this.#interval - performance.now(), signal);
      const job = this.#next();
      if (job === undefined || signal.aborted) return;
      this.#encodedAt = performance.now();
      const chunk = await this.#encode(job);
      if (signal.aborted) return;
      const given = performance.now();
      await this.#give(chunk);
      this.#learn(job, { bytes: chunk.data.length, isKey: chunk.isKey, wait: performance.now() - given });
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
    const frame = this.#frame;
    const isKey = this.#isKeyWanted;
    // A session without a browser has nothing to encode with, and gives a new frame when it has one again.
    if (this.#parts.session.browser === undefined) return undefined;
    if (frame !== undefined) {
      this.#frame = undefined;
      this.#isKeyWanted = false;
      return { frame, isKey, quantizer: this.#quantizer };
    }
    if (this.#shown === undefined) return undefined;
    const { quantizer } = this.#shown;
    if (isKey) {
      this.#isKeyWanted = false;
      return { isKey, quantizer: this.#isLineSlow ? this.#quantizer : quantizer };
    }
    if (!this.#isAtRest || quantizer <= SHARP_QUANTIZER) return undefined;
    return {
      isKey,
      quantizer: this.#isLineSlow ? Math.max(SHARP_QUANTIZER, quantizer - SHARPER_STEP) : SHARP_QUANTIZER,
    };
  }

  /** Makes the picture sharp once the page is at rest. */
  #rest(): void {
    clearTimeout(this.#resting);
    const { quantizer = 0 } = this.#shown ?? {};
    if (this.#over.signal.aborted || quantizer <= SHARP_QUANTIZER) return;
    this.#resting = setTimeout(() => {
      this.#isAtRest = true;
      this.#encodeAll();
    }, REST_MS);
  }

  /** Makes pictures as good as the line and a part of the JPEG's bytes allow. `wait`: until it was taken. */
  #learn({ frame }: Job, { bytes, isKey, wait }: { bytes: number; isKey: boolean; wait: number }): void {
    if (wait > SLOW_MS) this.#isLineSlow = true;
    else if (wait < QUICK_MS) this.#isLineSlow = false;
    // A key picture is large on every line, and so is one that makes a page at rest sharp.
    if (frame === undefined || isKey) return;
    const part = bytes / Buffer.byteLength(frame.data, 'base64');
    if (part > MANY_BYTES || wait > SLOW_MS) this.#quantizer = Math.min(WORST_QUANTIZER, this.#quantizer + WORSE_STEP);
    else if (part < FEW_BYTES && !this.#isLineSlow)
      this.#quantizer = Math.max(BEST_QUANTIZER, this.#quantizer - BETTER_STEP);
  }

  async #encode({ frame, isKey, quantizer }: Job): Promise<VideoChunk> {
    const viewport = frame?.viewport ?? this.#shown?.viewport ?? { width: 0, height: 0 };
    const captured = Math.round((frame?.capturedAt ?? Date.now()) * 1000);
    this.#beganAt ??= captured;
    const at = Math.max(captured - this.#beganAt, this.#lastAt + 1);
    const encoded = await this.#encodeWith({ ...(frame && { picture: frame.data }), at, isKey, quantizer });
    this.#lastAt = at;
    this.#shown = { viewport, quantizer };
    const data = Buffer.from(encoded.data, 'base64');
    return { isKey: encoded.isKey, timestamp: this.#beganAt + at, data, config: this.#configOf(encoded), viewport };
  }

  /** An encoder may be lost with its page; the next one starts with a key picture. */
  async #encodeWith(picture: LivePicture): Promise<LiveChunk> {
    const { screencast, session } = this.#parts;
    let drawing = picture;
    for (let attempt = 1; ; attempt++) {
      try {
        if (this.#encoder === undefined) {
          await this.#openEncoder();
          const { data } = screencast.latestFrame() ?? {};
          drawing = { ...(data !== undefined && { picture: data }), ...picture, isKey: true };
        }
        const encoded = await within(
          ENCODE_MS,
          this.#encoder?.evaluate((encoder, given) => encoder.encode(given), drawing) ?? Promise.resolve(undefined),
        );
        if (encoded === undefined) throw new Error('The encoder does not answer.');
        return encoded;
      } catch (error) {
        this.#encoder = undefined;
        if (attempt === ENCODER_ATTEMPTS || session.browser === undefined || this.#over.signal.aborted) throw error;
      }
    }
  }

  async #openEncoder(): Promise<void> {
    const { session, pages } = this.#parts;
    const { browser } = session;
    if (browser === undefined) throw new Error('The session has no browser to encode with.');
    const page: Page = await pages.open(this, browser, () => session.scratchPage());
    const settings = JSON.stringify({ codec: LIVE_CODEC });
    this.#encoder = await page.evaluateHandle<PageLiveEncoder>(`(${LIVE_ENCODER_SOURCE})(${settings})`);
  }

  #configOf({ width, height }: LiveChunk): VideoConfig {
    if (this.#config?.width !== width || this.#config.height !== height)
      this.#config = {
        ...{ codec: LIVE_CODEC, width, height, codedWidth: width, codedHeight: height },
        colorSpace: COLOUR_SPACE,
      };
    return this.#config;
  }
}

function intervalOf({ maxFps = DEFAULT_FPS }: VideoOptions): number {
  return 1000 / maxFps;
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  // An abort is how a pause ends early.
  if (milliseconds > 0) await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
