import type { ScreencastFrame } from '@browser-toolset/core';

/** After this time without another frame, in milliseconds, a page is taken to stand still. */
const STANDSTILL_MS = 100;

/** How many of the frames are passed on. */
export interface Thinning {
  /** One of every n frames, the first included. */
  everyNthFrame: number;
  /** At least so many milliseconds lie between two frames. */
  minInterval: number;
}

/**
 * Passes on some of the frames.
 *
 * Invariant: the picture of a page that stands still is always passed on. Chromium's own `everyNthFrame` skips it, so a
 * static page would never be shown.
 */
export class FrameThinner {
  readonly #thinning: Thinning;
  readonly #pass: (frame: ScreencastFrame) => void;
  #skipped: number;
  /** `performance.now()` */
  #lastPassed = Number.NEGATIVE_INFINITY;
  #standstill: NodeJS.Timeout | undefined;

  constructor(thinning: Thinning, pass: (frame: ScreencastFrame) => void) {
    this.#thinning = thinning;
    this.#pass = pass;
    this.#skipped = thinning.everyNthFrame;
  }

  offer(frame: ScreencastFrame): void {
    clearTimeout(this.#standstill);
    this.#skipped += 1;
    const { everyNthFrame, minInterval } = this.#thinning;
    const isNth = this.#skipped >= everyNthFrame;
    const wait = this.#lastPassed + minInterval - performance.now();
    if (isNth && wait <= 0) this.#emit(frame);
    else this.#standstill = setTimeout(() => this.#emit(frame), Math.max(wait, isNth ? 0 : STANDSTILL_MS));
  }

  stop(): void {
    clearTimeout(this.#standstill);
  }

  #emit(frame: ScreencastFrame): void {
    this.#skipped = 0;
    this.#lastPassed = performance.now();
    this.#pass(frame);
  }
}
