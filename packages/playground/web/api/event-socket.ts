import type { Followed, ServerMessage, WindowMessage } from '../../src/server/events/api.js';
import { ApiError, NO_RESPONSE, noAnswerWithin, TIME_LIMIT_MS } from './json.js';

const ADDRESS = '/playground/events';

/** That of this window. */
let connection: WindowSocket | undefined;

/**
 * The events of a stream, from when the server has opened it. It ends when the server ends it, and fails when the
 * connection is lost or the signal says that nobody reads it.
 *
 * All streams of a window share one socket: browsers open six HTTP connections to a server, for all windows together.
 * @throws {ApiError} when there is no such stream, with the status that a request would have been answered with, and when
 * there is no answer
 */
export async function follow<Event>(of: Followed, signal: AbortSignal): Promise<AsyncGenerator<Event>> {
  signal.throwIfAborted();
  if (!connection?.isUsable) connection = new WindowSocket();
  return (await connection.follow(of, signal)) as AsyncGenerator<Event>;
}

/** One socket, and the streams that are followed over it. They fail when it is closed. */
class WindowSocket {
  readonly #socket = new WebSocket(new URL(ADDRESS, window.location.href.replace(/^http/, 'ws')));
  readonly #streams = new Map<number, EventsOfStream>();
  #lastId = 0;
  #wasOpen = false;

  constructor() {
    this.#socket.onopen = () => {
      this.#wasOpen = true;
      for (const [id, { of }] of this.#streams) this.#send({ type: 'open', id, of });
    };
    this.#socket.onmessage = ({ data }) => this.#hear(JSON.parse(data) as ServerMessage);
    this.#socket.onclose = ({ code, reason }) => this.#failAll(code, reason);
  }

  get isUsable(): boolean {
    return this.#socket.readyState === WebSocket.CONNECTING || this.#socket.readyState === WebSocket.OPEN;
  }

  async follow(of: Followed, signal: AbortSignal): Promise<AsyncGenerator<unknown>> {
    this.#lastId += 1;
    const id = this.#lastId;
    const stream = new EventsOfStream(of, () => this.#leave(id));
    const giveUp = (reason: unknown) => {
      this.#leave(id);
      stream.fail(reason);
    };
    this.#streams.set(id, stream);
    signal.addEventListener('abort', () => giveUp(signal.reason), { once: true });
    // A socket that is still being opened sends it when it is.
    if (this.#socket.readyState === WebSocket.OPEN) this.#send({ type: 'open', id, of });
    const limit = setTimeout(() => {
      giveUp(new ApiError(noAnswerWithin(TIME_LIMIT_MS)));
      // The next attempt is made with another one.
      if (!this.#wasOpen) this.#socket.close();
    }, TIME_LIMIT_MS);
    try {
      await stream.opened;
    } finally {
      clearTimeout(limit);
    }
    return stream.read();
  }

  #hear(message: ServerMessage): void {
    const stream = this.#streams.get(message.id);
    // One that was left: some of it was on its way.
    if (!stream) return;
    if (message.type === 'ended' || message.type === 'refused') this.#streams.delete(message.id);
    if (message.type === 'open') stream.open();
    else if (message.type === 'event') stream.add(message.event);
    else if (message.type === 'ended') stream.end();
    else stream.fail(new ApiError(message.message, message.status));
  }

  #leave(id: number): void {
    if (this.#streams.delete(id) && this.#socket.readyState === WebSocket.OPEN) this.#send({ type: 'close', id });
  }

  #failAll(code: number, reason: string): void {
    const error = this.#wasOpen
      ? new Error(`The server closed the connection: ${reason || `code ${code}`}`)
      : new ApiError(NO_RESPONSE);
    const failed = [...this.#streams.values()];
    this.#streams.clear();
    for (const stream of failed) stream.fail(error);
  }

  #send(message: WindowMessage): void {
    this.#socket.send(JSON.stringify(message));
  }
}

/** The events of one stream. Those that nobody has read yet are kept. */
class EventsOfStream {
  readonly of: Followed;
  readonly #opened = Promise.withResolvers<void>();
  readonly #events: ReadableStream<unknown>;
  #controller!: ReadableStreamDefaultController<unknown>;

  /** @param onLeft whoever read it reads it no longer */
  constructor(of: Followed, onLeft: () => void) {
    this.of = of;
    this.#events = new ReadableStream({
      start: controller => {
        this.#controller = controller;
      },
      cancel: onLeft,
    });
  }

  /** Rejects when it fails before. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  open(): void {
    this.#opened.resolve();
  }

  add(event: unknown): void {
    this.#controller.enqueue(event);
  }

  end(): void {
    this.#opened.resolve();
    this.#controller.close();
  }

  fail(reason: unknown): void {
    this.#opened.reject(reason);
    this.#controller.error(reason);
  }

  async *read(): AsyncGenerator<unknown> {
    const reader = this.#events.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel();
    }
  }
}
