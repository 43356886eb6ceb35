import type { Page } from 'playwright-core';
import { within } from '../browser/deadline.js';
import { plainMessage } from '../outcome/errors.js';
import type { SessionLog } from '../outcome/log.js';
import type { Drawing, Encoded, Size } from '../page/video-protocol.js';
import { FrameEncoder } from './frame-encoder.js';
import { VideoFile } from './video-file.js';

/** At least so many milliseconds lie between two pictures that players can jump to. */
const KEY_INTERVAL = 5_000;
/** So many encoders, one after the other, may fail at a picture. */
const ATTEMPTS = 3;
/** How long what has come may take to be encoded, and then the file to be completed, in milliseconds. */
const END_TIME = 5_000;

export interface VideoOptions {
  folder: string;
  name: string;
  /** Of 1,000,000 bytes. */
  maxMegabytes: number;
  threadId: string;
  log: SessionLog;
  /** A page to encode in, which others may use too. */
  encoderPage(): Promise<Page>;
  /** Whether there still is a browser to encode with. */
  canEncode(): boolean;
}

/** What is to be seen from a moment on. */
export interface Sight extends Pick<Drawing, 'frame' | 'mark'> {
  /** `performance.now()` */
  at: number;
}

/**
 * A video under way: sights in, a file out. Nothing of it throws: what cannot be recorded stops nothing.
 * Invariant: one picture after the other; of the sights that come meanwhile the latest is next.
 */
export class Video {
  readonly #options: VideoOptions;
  readonly #file: VideoFile;
  #encoder: FrameEncoder | undefined;
  #size: Size | undefined;
  #next: Sight | undefined;
  #beganAt: number | undefined;
  #lastAt = -1;
  #lastKeyAt = 0;
  #work: Promise<void> | undefined;
  #isOver = false;
  #hasFailed = false;
  #ended: Promise<void> | undefined;

  constructor(options: VideoOptions) {
    this.#options = options;
    this.#file = new VideoFile(options);
  }

  show(sight: Sight): void {
    if (this.#isOver) return;
    this.#next = sight;
    this.#work ??= this.#drawAll();
  }

  /** @param at Until when the last picture is shown (`performance.now()`). */
  end(at: number): Promise<void> {
    this.#ended ??= this.#end(at);
    return this.#ended;
  }

  async #drawAll(): Promise<void> {
    for (let sight = this.#next; sight !== undefined && !this.#isOver; sight = this.#next) {
      this.#next = undefined;
      try {
        await this.#draw(sight);
      } catch (error) {
        this.#hasFailed = true;
        this.#endEarly(sight.at, this.#options.canEncode() ? `failed: ${plainMessage(error)}` : undefined);
      }
    }
    this.#work = undefined;
  }

  async #draw({ at: now, frame, mark }: Sight): Promise<void> {
    this.#beganAt ??= now;
    const at = Math.max(Math.round(now - this.#beganAt), this.#lastAt + 1);
    const isKey = at - this.#lastKeyAt >= KEY_INTERVAL;
    const { packets, size } = await this.#encode({ frame, mark, at, isKey });
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
    for (let attempt = 1; ; attempt++) {
      try {
        this.#encoder ??= await FrameEncoder.open(await this.#options.encoderPage(), this.#size);
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
    await within(END_TIME, this.#work ?? Promise.resolve());
    this.#isOver = true;
    // It goes with its page, if that has gone.
    void this.#encoder?.close().catch(() => undefined);
    const { path } = this.#file;
    try {
      const length = await within(END_TIME, this.#file.end(at - (this.#beganAt ?? at)));
      if (length === undefined) log.warn('video took too long to write', { threadId, path });
      else if (length > 0) log.debug('video written', { threadId, path, seconds: Math.round(length / 1000) });
    } catch (error) {
      // Of a disk that is full, which was told when it was, the end does not fit either.
      const level = this.#hasFailed ? 'debug' : 'warn';
      log[level]('video is not complete', { threadId, path, error: plainMessage(error) });
    }
  }
}
