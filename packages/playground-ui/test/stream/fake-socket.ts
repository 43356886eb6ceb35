import type { SocketLike } from '../../src/stream/transport.js';

/** A socket whose other end is the test. */
class FakeSocket implements SocketLike {
  binaryType = 'blob';
  readyState = 0;
  onopen: SocketLike['onopen'] = null;
  onmessage: SocketLike['onmessage'] = null;
  onclose: SocketLike['onclose'] = null;
  onerror: SocketLike['onerror'] = null;
  readonly sent: unknown[] = [];

  constructor(readonly url: string) {}

  send(data: string): void {
    this.sent.push(JSON.parse(data));
  }

  close(): void {
    this.readyState = 3;
  }

  open(): void {
    this.readyState = 1;
    this.onopen?.({} as never);
  }

  say(message: object | string | ArrayBuffer): void {
    const isRaw = typeof message === 'string' || message instanceof ArrayBuffer;
    this.onmessage?.({ data: isRaw ? message : JSON.stringify(message) } as never);
  }

  /** The connection is lost. */
  drop(code = 1006, reason = ''): void {
    this.readyState = 3;
    this.onclose?.({ code, reason } as never);
  }
}

/** A constructor that keeps what it made. */
export function fakeSockets() {
  const made: FakeSocket[] = [];
  class Socket extends FakeSocket {
    constructor(url: string) {
      super(url);
      made.push(this);
    }
  }
  return { Socket, made, latest: () => made.at(-1) as FakeSocket };
}
