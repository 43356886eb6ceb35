/** Pieces that are kept when nothing uses them: the newest frame and those that are on their way to viewers take turns. */
const MOST_FREE = 4;

/**
 * Memory for what goes out of frames, used again when it is given back.
 *
 * New memory of this size comes from the system for each frame, page by page, and counts towards the next collection of
 * garbage: that costs more than to fill it.
 */
export class FrameMemory {
  #free: Buffer[] = [];

  /** Memory for at least so many bytes, with anything in it. */
  take(length: number): Buffer {
    const piece = this.#free.pop();
    // One that is too small is let go: frames have become larger.
    return piece !== undefined && piece.length >= length ? piece : Buffer.allocUnsafeSlow(Math.ceil(length * 1.25));
  }

  giveBack(piece: Buffer): void {
    if (this.#free.length < MOST_FREE) this.#free.push(piece);
  }

  clear(): void {
    this.#free = [];
  }
}
