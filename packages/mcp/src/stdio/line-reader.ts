import { MessageSketch } from './message-sketch.js';

const NEWLINE = 0x0a;
/** Bytes that are kept ready for the next line that comes in pieces. */
const KEPT = 65_536;

/** A line, or what is known of one that was too long. */
export type Line = { text: string } | { tooLong: MessageSketch };

/** Makes lines of chunks, and keeps no more of a line than it may have. The rest of a longer one is passed over. */
export class LineReader {
  /** The begin of a line whose end has not come. */
  #held: Buffer = Buffer.alloc(0);
  #length = 0;
  #tooLong: MessageSketch | undefined;

  /** @param most Bytes of a line at most. */
  constructor(readonly most: number) {}

  /** The lines that end in a chunk. */
  *read(chunk: Buffer): Generator<Line> {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#hold(chunk.subarray(from, end));
      yield this.#taken();
      from = end + 1;
    }
    this.#hold(chunk.subarray(from));
  }

  /** The last line, where the input ended before it did. */
  *end(): Generator<Line> {
    if (this.#length > 0 || this.#tooLong !== undefined) yield this.#taken();
  }

  #hold(bytes: Buffer): void {
    const length = this.#length + bytes.length;
    if (this.#tooLong === undefined && length > this.most) {
      this.#tooLong = new MessageSketch();
      this.#tooLong.read(this.#held.subarray(0, this.#length));
      this.#held = Buffer.alloc(0);
      this.#length = 0;
    }
    if (this.#tooLong !== undefined) {
      this.#tooLong.read(bytes);
      return;
    }
    if (length > this.#held.length) {
      // Twice the room each time: a line may come byte by byte.
      const larger = Buffer.allocUnsafe(Math.max(length, this.#held.length * 2));
      this.#held.copy(larger, 0, 0, this.#length);
      this.#held = larger;
    }
    bytes.copy(this.#held, this.#length);
    this.#length = length;
  }

  #taken(): Line {
    const tooLong = this.#tooLong;
    const text = this.#held.toString('utf8', 0, this.#length).replace(/\r$/, '');
    this.#tooLong = undefined;
    this.#length = 0;
    if (this.#held.length > KEPT) this.#held = Buffer.alloc(0);
    return tooLong === undefined ? { text } : { tooLong };
  }
}
