import { within } from '@browser-toolset/core/waiting';
import type { Page } from 'playwright-core';
import { plainMessage } from '../outcome/errors.js';
import type { SessionLog } from '../outcome/log.js';
import type { Drawing, Encoded, Size } from '../page/video-protocol.js';
import { FrameEncoder } from './frame-encoder.js';
import { VideoFile } from './video-file.js';

/** At least so many milliseconds lie between two pictures that players can jump to. */
const KEY_INTERVAL = 5_000;
/** A sight that stood for so many milliseconds counts, however many come before it is drawn. */
const STANDING_TIME = 300;
/** So many sights wait to be drawn at most. */
const MOST_WAITING = 20;
/** So many encoders, one after the other, may fail at a picture. */
const ATTEMPTS = 3;
/** How long what has come may take to be encoded, in milliseconds. A busy machine needs seconds to open an encoder. */
const ENCODE_TIME = 15_000;
/** How long the file may take to be completed, in milliseconds. */
const END_TIME = 5_000;

export interface VideoOptions {
  folder: string;
  name: string;
  /** Largest width and height of the picture in pixels. */
  maxWidth: number;
  /** Of 1,000,000 bytes. */
  maxMegabytes: number;
  threadId: string;
  log: SessionLog;
  /** A page to encode in, which others may use too. */
  encoderPage(): Promise<Page>;
  /** Whether there still is a browser to encode with. */
  canEncode(): boolean;
}

/** The picture to show from a moment on. */
export interface VideoPicture extends Omit<Drawing, 'at' | 'isKey'> {
  /** `performance.now()` */
  at: number;
  isRepeated?: boolean;
}

/**
 * A video under way: sights in, a file out. Nothing of it throws: what cannot be recorded stops nothing.
 * Invariant: one picture after the other; of the sights that come meanwhile those that stood for a while are next, and
 * the latest.
 */
export class Video {
  readonly #options: VideoOptions;
  readonly #file: VideoFile;
  #encoder: FrameEncoder | undefined;
  #size: Size | undefined;
  readonly #waiting: VideoPicture[] = [];
  #drawAgain: NodeJS.Timeout | undefined;
  #beganAt: number | undefined;
  #lastAt = -1;
  #lastKeyAt = 0;
  #work: Promise<void> | undefined;
  #isOver = false;
  #isEnding = false;
  #hasFailed = false;
  #ended: Promise<void> | undefined;

  constructor(options: VideoOptions) {
    this.#options = options;
    this.#file = new VideoFile(options);
  }

  show(sight: VideoPicture): void {
    if (this.#isOver) return;
    clearTimeout(this.#drawAgain);
    const last = this.#waiting.at(-1);
    // A mark is shown from its beginning to its end, even where pages change faster than they can be drawn.
    const endsMark = last?.mark !== undefined && sight.mark === undefined;
    const isBrief = last !== undefined && !endsMark && sight.at - last.at < STANDING_TIME;
    if (isBrief || this.#waiting.length === MOST_WAITING) this.#waiting.pop();
    const goesOn = isBrief && last.mark !== undefined && sight.mark !== undefined;
    this.#waiting.push(goesOn ? { ...sight, at: last.at } : sight);
    this.#work ??= this.#drawAll();
  }

  /** @param at Until when the last picture is shown (`performance.now()`). */
  end(at: number): Promise<void> {
    this.#ended ??= this.#end(at);
    return this.#ended;
  }

  async #drawAll(): Promise<void> {
    let last: VideoPicture | undefined;
    for (let sight = this.#waiting.shift(); sight !== undefined && !this.#isOver; sight = this.#waiting.shift()) {
      try {
        await this.#draw(sight);
        last = sight;
      } catch (error) {
        this.#hasFailed = true;
        this.#endEarly(sight.at, this.#options.canEncode() ? `failed: ${plainMessage(error)}` : undefined);
      }
    }
    this.#work = undefined;
    if (last !== undefined) this.#write(last);
  }

  /** A picture is in the file when another one comes: of a page that stands still that is the same, once. */
  #write({ isRepeated, ...sight }: VideoPicture): void {
    if (this.#isOver || this.#isEnding || isRepeated) return;
    const repeat = (): void => this.show({ ...sight, at: performance.now(), isRepeated: true });
    this.#drawAgain = setTimeout(repeat, STANDING_TIME);
  }

  async #draw({ at: now, picture, shape, mark }: VideoPicture): Promise<void> {
    this.#beganAt ??= now;
    const at = Math.max(Math.round(now - this.#beganAt), this.#lastAt + 1);
    const isKey = at - this.#lastKeyAt >= KEY_INTERVAL;
    const { packets, size } = await this.#encode({ picture, ...(shape && { shape }), mark, at, isKey });
    if (this.#isOver) return;
    this.#size = size;
    this.#lastAt = at;
    for (const packet of packets) {
      await this.#file.add(packet, size);
      if (packet.isKey) this.#lastKeyAt = packet.at;
    }
    const { maxMegabytes } = this.#options;
    if (this.#file.bytes >= maxMegabytes * 1_000_000) this.#endEarly(now, `has reached ${maxMegabytes} MB`);
  }

  /** An encoder may be lost with the page that it is in; the next one begins with a picture that needs none before it. */
  async #encode(drawing: Drawing): Promise<Encoded> {
    const { encoderPage, maxWidth } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        this.#encoder ??= await FrameEncoder.open(await encoderPage(), { maxSide: maxWidth, size: this.#size });
        return await this.#encoder.encode(drawing);
      } catch (error) {
        this.#encoder = undefined;
        if (attempt === ATTEMPTS || !this.#options.canEncode()) throw error;
      }
    }
  }

  /** @param why Undefined when the browser went, which others tell. */
  #endEarly(at: number, why: string | undefined): void {
    const { threadId, log } = this.#options;
    this.#isOver = true;
    if (why !== undefined) log.warn(`video ends early: it ${why}`, { threadId, path: this.#file.path });
    void this.end(at);
  }

  async #end(at: number): Promise<void> {
    const { threadId, log } = this.#options;
    this.#isEnding = true;
    clearTimeout(this.#drawAgain);
    await within(ENCODE_TIME, this.#work ?? Promise.resolve());
    this.#isOver = true;
    const isIncomplete = this.#work !== undefined;
    // It goes with its page, if that has gone.
    void this.#encoder?.close().catch(() => undefined);
    const { path } = this.#file;
    try {
      const length = await within(END_TIME, this.#file.end(at - (this.#beganAt ?? at)));
      if (isIncomplete) log.warn('video ends early: its last pictures took too long to encode', { threadId, path });
      if (length === undefined) log.warn('video took too long to write', { threadId, path });
      else if (length > 0) log.debug('video written', { threadId, path, seconds: Math.round(length / 1000) });
    } catch (error) {
      // Of a disk that is full, which was told when it was, the end does not fit either.
      const level = this.#hasFailed ? 'debug' : 'warn';
      log[level]('video is not complete', { threadId, path, error: plainMessage(error) });
    }
  }
}
