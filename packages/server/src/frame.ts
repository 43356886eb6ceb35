import type { ScreencastFrame } from '@browser-toolset/core';
import type { LiveViewport } from '@browser-toolset/core/protocol';
import type { FrameMemory } from './frame-memory.js';

/**
 * One frame as all viewers of a thread share it. Who is given one and wants it for longer holds it, and releases it once.
 *
 * Invariant: each form is made at most once, however many viewers it goes to, and stays as it is while anybody holds the frame.
 */
export class Frame {
  readonly viewport: LiveViewport;
  readonly #base64: string;
  readonly #memory: FrameMemory;
  /** Memory that the forms are in. */
  readonly #pieces: Buffer[] = [];
  #holders = 1;
  #binary: Buffer | undefined;
  #text: Buffer | undefined;

  /** Held by who makes it. */
  constructor({ data, viewport }: ScreencastFrame, memory: FrameMemory) {
    this.viewport = viewportOf(viewport);
    this.#base64 = data;
    this.#memory = memory;
  }

  /** The picture itself. */
  binary(): Buffer {
    this.#binary ??= this.#made('base64');
    return this.#binary;
  }

  /** The picture in base64. */
  text(): Buffer {
    this.#text ??= this.#made('latin1');
    return this.#text;
  }

  hold(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    for (const piece of this.#pieces.splice(0)) this.#memory.giveBack(piece);
  }

  #made(encoding: 'base64' | 'latin1'): Buffer {
    const piece = this.#memory.take(this.#base64.length);
    this.#pieces.push(piece);
    return piece.subarray(0, piece.write(this.#base64, encoding));
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
