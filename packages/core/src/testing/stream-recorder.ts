import { expect } from 'vitest';
import type { ScreencastFrame, ScreencastStream } from '../browser-toolset-like.js';

/** Keeps what a stream gave, and lets a test wait for more of it. */
export class StreamRecorder {
  readonly frames: ScreencastFrame[] = [];
  readonly urls: string[] = [];
  readonly stops: string[] = [];
  readonly errors: Error[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(readonly stream: ScreencastStream) {
    stream.on('frame', frame => this.#keep(this.frames, frame));
    stream.on('url', url => this.#keep(this.urls, url));
    stream.on('stop', reason => this.#keep(this.stops, reason));
    stream.on('error', error => this.#keep(this.errors, error));
  }

  /** Waits, as long as the test may take, until what was kept satisfies the condition. */
  async until(condition: (kept: this) => boolean): Promise<void> {
    while (!condition(this)) {
      if (this.errors.length > 0) throw this.errors[0];
      await new Promise<void>(resolve => this.#waiting.add(resolve));
    }
  }

  /** Waits for a frame after the ones that are there. */
  async nextFrame(): Promise<ScreencastFrame> {
    const known = this.frames.length;
    await this.until(() => this.frames.length > known);
    return this.frames[known] as ScreencastFrame;
  }

  /** Waits for the first frame. */
  async firstFrame(): Promise<ScreencastFrame> {
    await this.until(() => this.frames.length > 0);
    return this.frames[0] as ScreencastFrame;
  }

  #keep<Value>(list: Value[], value: Value): void {
    list.push(value);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** Checks that a frame is a JPEG (ITU T.81, B.1.1.3: it starts with SOI and another marker) of some viewport. */
export function expectJpegFrame(frame: ScreencastFrame): void {
  expect(Buffer.from(frame.data, 'base64').subarray(0, 3).toString('hex')).toBe('ffd8ff');
  expect(frame.viewport.width).toBeGreaterThan(0);
  expect(frame.viewport.height).toBeGreaterThan(0);
}
