/** Bytes of an id that are read at most: a longer one is none that a client waits for. */
const LONGEST_ID = 256;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/** What can be told of a message that is too long to be kept: it is read piece by piece, and its id alone is kept. */
export class MessageSketch {
  /** The id of the message itself, wherever in it that stands. */
  id: string | number | undefined;
  /** It asks for something. A message without a method is an answer. */
  hasMethod = false;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  /** The value that is being read belongs to this key of the message. */
  #key: string | undefined;
  /** Bytes of the key, or of the id. */
  #text: number[] = [];

  read(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      // Nearly all of a long message is in texts that nobody asks for.
      if (this.#inString && !this.#isEscaped && !this.#matters) at = nextMark(bytes, at);
      const byte = bytes[at];
      if (byte === undefined) return;
      if (this.#inString) this.#inText(byte);
      else this.#between(byte);
    }
  }

  /** The bytes that are read are of a key of the message, or of its id. */
  get #matters(): boolean {
    return this.#depth === 1 && (this.#key === undefined || this.#key === 'id');
  }

  #inText(byte: number): void {
    this.#note(byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #between(byte: number): void {
    if (this.#depth === 1 && byte === COLON) this.#endKey();
    else if (this.#depth === 1 && (byte === COMMA || CLOSING.has(byte))) this.#endValue();
    else this.#note(byte);
    if (byte === QUOTE) this.#inString = true;
    else if (OPENING.has(byte)) this.#depth++;
    else if (CLOSING.has(byte)) this.#depth--;
  }

  #note(byte: number): void {
    if (this.#matters && this.#text.length <= LONGEST_ID) this.#text.push(byte);
  }

  #endKey(): void {
    this.#key = String(this.#taken());
    if (this.#key === 'method') this.hasMethod = true;
  }

  #endValue(): void {
    const value = this.#taken();
    if (this.#key === 'id' && (typeof value === 'string' || typeof value === 'number')) this.id = value;
    this.#key = undefined;
  }

  /** What was noted, as JSON; undefined where it is none. */
  #taken(): unknown {
    const text = Buffer.from(this.#text).toString();
    this.#text = [];
    try {
      return JSON.parse(text);
    } catch {
      // Cut off, or no JSON: then it is nobody's id.
      return undefined;
    }
  }
}

/** Where the next byte that ends a text, or escapes another one, stands; the length where there is none. */
function nextMark(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++;
  return at;
}
