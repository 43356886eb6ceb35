import type { ScreencastFrame } from '@browser-toolset/core';
import type { LiveViewport } from '@browser-toolset/core/protocol';

/**
 * One frame as all viewers of a thread share it.
 *
 * Invariant: each form is made at most once, however many viewers it goes to.
 */
export class Frame {
  readonly viewport: LiveViewport;
  readonly #base64: string;
  #binary: Buffer | undefined;
  #text: Buffer | undefined;
  #isTextGiven = false;

  constructor({ data, viewport }: ScreencastFrame) {
    this.viewport = viewportOf(viewport);
    this.#base64 = data;
  }

  /** The picture itself. */
  binary(): Buffer {
    this.#binary ??= Buffer.from(this.#base64, 'base64');
    return this.#binary;
  }

  /**
   * The picture in base64. A socket encodes a string by itself, which costs least when it is the only one; the second
   * who asks gets bytes, and so do all others.
   */
  text(): string | Buffer {
    if (!this.#isTextGiven) {
      this.#isTextGiven = true;
      return this.#base64;
    }
    this.#text ??= Buffer.from(this.#base64, 'latin1');
    return this.#text;
  }
}

/** A viewport with what a browser may leave out. */
export function viewportOf({
  width,
  height,
  offsetTop = 0,
  pageScaleFactor = 1,
}: ScreencastFrame['viewport']): LiveViewport {
  return { width, height, offsetTop, pageScaleFactor };
}

export function isSameViewport(one: LiveViewport, other: LiveViewport | undefined): boolean {
  return (
    one.width === other?.width &&
    one.height === other.height &&
    one.offsetTop === other.offsetTop &&
    one.pageScaleFactor === other.pageScaleFactor
  );
}
