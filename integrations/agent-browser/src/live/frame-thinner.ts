import type { ScreencastFrame } from '@browser-toolset/core';

/** After this time without another frame, in milliseconds, a page is taken to stand still. */
const STANDSTILL_MS = 100;

/**
 * Passes on one of every n frames, the first included.
 *
 * Invariant: the picture of a page that stands still is always passed on. Chromium's own `everyNthFrame` skips it, so a
 * static page would never be shown.
 */
export class FrameThinner {
  readonly #everyNth: number;
  readonly #pass: (frame: ScreencastFrame) => void;
  #skipped: number;
  #standstill: NodeJS.Timeout | undefined;

  constructor(everyNth: number, pass: (frame: ScreencastFrame) => void) {
    this.#everyNth = everyNth;
    this.#pass = pass;
    this.#skipped = everyNth;
  }

  offer(frame: ScreencastFrame): void {
    clearTimeout(this.#standstill);
    this.#skipped += 1;
    if (this.#skipped >= this.#everyNth) this.#emit(frame);
    else this.#standstill = setTimeout(() => this.#emit(frame), STANDSTILL_MS);
  }

  stop(): void {
    clearTimeout(this.#standstill);
  }

  #emit(frame: ScreencastFrame): void {
    this.#skipped = 0;
    this.#pass(frame);
  }
}
