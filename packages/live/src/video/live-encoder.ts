import type { VideoConfig } from '@browser-toolset/core';
import { within } from '@browser-toolset/core/waiting';
import type { JSHandle, Page } from 'playwright-core';
import { LIVE_ENCODER_SOURCE } from '../generated/page-live-encoder.js';
import type { LiveChunk, LivePicture, PageLiveEncoder } from '../page/live-encoder.js';
import { ENCODE_MS, ENCODER_ATTEMPTS, type EncoderHome, type EncoderPages } from './encoder-pages.js';

/**
 * VP9 with 8 bits per channel, which every browser decodes; the level covers every screencast size. The colours are those
 * of JPEG (ITU-R BT.601, full range). They are not in the data: the codec string and `colorSpace` name them.
 */
const LIVE_CODEC = 'vp09.00.51.08.01.01.13.06.01';
const COLOUR_SPACE = { primaries: 'bt709', transfer: 'iec61966-2-1', matrix: 'smpte170m', fullRange: true } as const;

interface LiveEncoderParts {
  home: EncoderHome;
  pages: EncoderPages;
  /** The latest frame, JPEG in base64, for an encoder that begins anew; undefined while there is none. */
  latest(): string | undefined;
}

/**
 * An encoder in a page of the session's browser. It may be lost with its page: the next one begins with the latest frame,
 * as a key picture.
 */
export class LiveEncoder {
  #handle: JSHandle<PageLiveEncoder> | undefined;
  #opening: Promise<JSHandle<PageLiveEncoder>> | undefined;
  #config: VideoConfig | undefined;

  private constructor(readonly parts: LiveEncoderParts) {}

  /** Rejects when there is no encoder, with nothing left of it. */
  static async open(parts: LiveEncoderParts): Promise<LiveEncoder> {
    const encoder = new LiveEncoder(parts);
    try {
      await encoder.#opened();
    } catch (error) {
      await encoder.close();
      throw error;
    }
    return encoder;
  }

  /** Brings the next frame, JPEG in base64, to the encoder, also while it encodes another. Never rejects. */
  async load(frame: string): Promise<void> {
    try {
      const handle = await this.#opened();
      await within(
        ENCODE_MS,
        handle.evaluate((encoder, picture) => encoder.load(picture), frame),
      );
      void this.parts.pages.brought(this, frame);
    } catch {
      // It begins anew with the next picture, or reports then why it cannot.
      this.#handle = undefined;
    }
  }

  /** Encodes what was loaded since the last picture, or that one again. */
  async encode(picture: LivePicture, signal: AbortSignal): Promise<LiveChunk> {
    for (let attempt = 1; ; attempt++) {
      try {
        if (this.#handle === undefined || attempt > 1) await this.load(this.parts.latest() ?? '');
        const handle = await this.#opened();
        const encoded = await within(
          ENCODE_MS,
          handle.evaluate((encoder, drawing) => encoder.encode(drawing), picture),
        );
        if (encoded === undefined) throw new Error('The encoder does not answer.');
        return encoded;
      } catch (error) {
        this.#handle = undefined;
        if (attempt === ENCODER_ATTEMPTS || this.parts.home.browser === undefined || signal.aborted) throw error;
      }
    }
  }

  /** How chunks of this size are decoded: the same object for the same size as before. */
  configOf({ width, height }: LiveChunk): VideoConfig {
    if (this.#config?.width !== width || this.#config.height !== height)
      this.#config = {
        ...{ codec: LIVE_CODEC, width, height, codedWidth: width, codedHeight: height },
        colorSpace: COLOUR_SPACE,
      };
    return this.#config;
  }

  async close(): Promise<void> {
    // It may have ended with its page.
    const closing = this.#handle?.evaluate(encoder => encoder.close()).catch(() => undefined);
    await within(ENCODE_MS, closing ?? Promise.resolve());
    await this.parts.pages.leave(this);
  }

  async #opened(): Promise<JSHandle<PageLiveEncoder>> {
    if (this.#handle !== undefined) return this.#handle;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    this.#handle = await this.#opening;
    return this.#handle;
  }

  async #open(): Promise<JSHandle<PageLiveEncoder>> {
    const { home, pages } = this.parts;
    const { browser } = home;
    if (browser === undefined) throw new Error('There is no browser to encode with.');
    const page: Page = await pages.open(this, browser, () => home.scratchPage());
    const settings = JSON.stringify({ codec: LIVE_CODEC });
    return page.evaluateHandle<PageLiveEncoder>(`(${LIVE_ENCODER_SOURCE})(${settings})`);
  }
}

/** Quantizers of pictures while the page changes. */
const FIRST_QUANTIZER = 140;
const BEST_QUANTIZER = 80;
const WORST_QUANTIZER = 220;
/** Of a page at rest: as sharp as its JPEG. */
const SHARP_QUANTIZER = 40;
/** By how much a page at rest becomes better at a time on a slow line, where a change must not wait for a large picture. */
const SHARPER_STEP = 40;
/** In milliseconds, until a picture is taken: the line is slow, or quick. */
const SLOW_MS = 80;
const QUICK_MS = 25;
/** Bytes of a picture that moves, in those of its JPEG: more makes the next one worse, less makes it better. */
const MANY_BYTES = 0.07;
const FEW_BYTES = 0.04;
const WORSE_STEP = 12;
const BETTER_STEP = 6;

/** A picture that was encoded and taken. */
interface TakenPicture {
  /** Bytes of the picture, and of the JPEG that it was made of; undefined for one that was shown before. */
  bytes: number;
  jpegBytes: number | undefined;
  isKey: boolean;
  /** Milliseconds until the viewers had taken it. */
  waitMs: number;
}

/** Chooses the quantizer (0 the best, 255 the worst) of each picture, by the lines of the viewers and its bytes. */
export class LiveQuality {
  #moving = FIRST_QUANTIZER;
  #isLineSlow = false;

  /** Of a picture of a page that changes. */
  get moving(): number {
    return this.#moving;
  }

  get isLineSlow(): boolean {
    return this.#isLineSlow;
  }

  /** Of a key picture of what was shown with `shown`. */
  key(shown: number): number {
    return this.#isLineSlow ? this.#moving : shown;
  }

  /** Of what was shown with `shown`, once the page is at rest; undefined for what is sharp. */
  sharper(shown: number): number | undefined {
    if (shown <= SHARP_QUANTIZER) return undefined;
    return this.#isLineSlow ? Math.max(SHARP_QUANTIZER, shown - SHARPER_STEP) : SHARP_QUANTIZER;
  }

  learn({ bytes, jpegBytes, isKey, waitMs }: TakenPicture): void {
    if (waitMs > SLOW_MS) this.#isLineSlow = true;
    else if (waitMs < QUICK_MS) this.#isLineSlow = false;
    // A key picture is large on every line, and so is one that makes a page at rest sharp.
    if (jpegBytes === undefined || isKey) return;
    const part = bytes / jpegBytes;
    if (part > MANY_BYTES || waitMs > SLOW_MS) this.#moving = Math.min(WORST_QUANTIZER, this.#moving + WORSE_STEP);
    else if (part < FEW_BYTES && !this.#isLineSlow) this.#moving = Math.max(BEST_QUANTIZER, this.#moving - BETTER_STEP);
  }
}
