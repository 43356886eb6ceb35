import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { z } from 'zod/v4';
import { MessageSketch } from './message-sketch.js';

const NEWLINE = 0x0a;
/** Bytes that are kept ready for the next line that comes in pieces. */
const KEPT = 65_536;

/** A line, or what is known of one that was too long. */
type Line = { text: string } | { tooLong: MessageSketch };

/** Makes lines of chunks, and keeps no more of a line than it may have. The rest of a longer one is passed over. */
class LineReader {
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

/** Bytes of a message at most. */
export const MESSAGE_BYTES = 10 * 1024 * 1024;

/** What is no message, as far as an answer to it goes. */
const unfit = z.looseObject({ id: z.union([z.string(), z.number()]).optional().catch(undefined) });

/**
 * Messages as lines of standard input and output. Nothing that comes in ends it: what is no message, or too long for one, is
 * answered with an error, for whoever sent it may wait.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #lines = new LineReader(MESSAGE_BYTES);
  #isClosed = false;
  /** Settles when the output takes more. */
  #drained: Promise<unknown> | undefined;

  constructor(
    readonly input: Readable = process.stdin,
    readonly output: Writable = process.stdout,
  ) {}

  async start(): Promise<void> {
    this.input.on('data', this.#read).on('end', this.#end).on('close', this.#end).on('error', this.#tell);
    this.output.on('error', this.#lost);
    if (this.input.readableEnded || this.input.destroyed) setImmediate(this.#end);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('The connection is closed');
    await this.#write(message);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.input.off('data', this.#read).off('end', this.#end).off('close', this.#end).off('error', this.#tell);
    this.input.pause();
    // The output keeps its listener: what fails late ends no process.
    this.onclose?.();
  }

  readonly #read = (chunk: Buffer): void => {
    for (const line of this.#lines.read(chunk)) this.#take(line);
  };

  readonly #end = (): void => {
    for (const line of this.#lines.end()) this.#take(line);
    void this.close();
  };

  readonly #tell = (error: Error): void => this.onerror?.(error);

  readonly #lost = (error: Error): void => {
    if (this.#isClosed) return;
    this.#tell(error);
    void this.close();
  };

  async #write(message: object): Promise<void> {
    if (this.output.write(`${JSON.stringify(message)}\n`)) return;
    this.#drained ??= once(this.output, 'drain').finally(() => {
      this.#drained = undefined;
    });
    await this.#drained;
  }

  #take(line: Line): void {
    if (this.#isClosed) return;
    if ('tooLong' in line) this.#refuseTooLong(line.tooLong);
    else if (line.text.trim() !== '') for (const value of this.#valuesOf(line.text)) this.#deliver(value);
  }

  #valuesOf(text: string): unknown[] {
    try {
      const value: unknown = JSON.parse(text);
      // Clients of 2025-03-26 may send several messages at once: each is answered by itself.
      return Array.isArray(value) && value.length > 0 ? value : [value];
    } catch (error) {
      this.#refuse(undefined, ProtocolErrorCode.ParseError, `The line is no JSON: ${errorMessageOf(error)}`);
      return [];
    }
  }

  #deliver(value: unknown): void {
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      const { data } = unfit.safeParse(value);
      const text = 'The line is no message of JSON-RPC 2.0';
      // Two that answer each other's answers would never end.
      if (data !== undefined && ('result' in data || 'error' in data)) this.#tell(new Error(text));
      else this.#refuse(data?.id, ProtocolErrorCode.InvalidRequest, text);
      return;
    }
    this.onmessage?.(message);
  }

  #refuseTooLong({ id, hasMethod }: MessageSketch): void {
    const code = ProtocolErrorCode.InvalidRequest;
    const message = `The message has more than ${MESSAGE_BYTES} bytes`;
    if (hasMethod || id === undefined) this.#refuse(id, code, message);
    else {
      // It was the answer to a question of the server, which waits for one.
      this.#tell(new Error(message));
      this.onmessage?.({ jsonrpc: '2.0', id, error: { code, message } });
    }
  }

  #refuse(id: string | number | undefined, code: number, message: string): void {
    this.#tell(new Error(message));
    // The types of the SDK have no null, which JSON-RPC has where no id can be read.
    this.#write({ jsonrpc: '2.0', id: id ?? null, error: { code, message } }).catch(this.#tell);
  }
}

function errorMessageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
