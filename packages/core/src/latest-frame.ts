import type { ScreencastFrame } from './browser-toolset-like.js';

/**
 * The newest frame of a screencast, for who comes later.
 *
 * The picture is copied into memory that is used again. As a string it would outlive collections of young garbage, one
 * after the other would become old, and soon the whole heap would be walked for their sake, many times a minute.
 */
export class LatestFrame {
  #memory = Buffer.alloc(0);
  #length = 0;
  #about: Omit<ScreencastFrame, 'data'> | undefined;

  keep({ data, ...about }: ScreencastFrame): void {
    if (data.length > this.#memory.length) this.#memory = Buffer.allocUnsafeSlow(withRoom(data.length));
    this.#length = this.#memory.write(data, 'latin1');
    this.#about = about;
  }

  forget(): void {
    this.#memory = Buffer.alloc(0);
    this.#about = undefined;
  }

  /** The newest frame, made anew for each who asks; undefined while there is none. */
  read(): ScreencastFrame | undefined {
    if (this.#about === undefined) return undefined;
    return { data: this.#memory.toString('latin1', 0, this.#length), ...this.#about };
  }
}

/** Frames of one page differ in length a little. */
function withRoom(length: number): number {
  return Math.ceil(length * 1.25);
}
