import type { RawData, WebSocket } from 'ws';
import type { LiveSocket, SocketListener } from './socket.js';

/** How long the other end may take to answer a close, in milliseconds. */
const CLOSE_PATIENCE_MS = 1000;
const BINARY = { binary: true };
const TEXT = { binary: false };

/** A connection of the `ws` library. */
export class WsSocket implements LiveSocket {
  readonly #ws: WebSocket;

  constructor(ws: WebSocket) {
    this.#ws = ws;
  }

  get bufferedAmount(): number {
    return this.#ws.bufferedAmount;
  }

  listen({ onMessage, onPong, onClosed }: SocketListener): void {
    this.#ws.on('message', (data, isBinary) => onMessage(isBinary ? undefined : textOf(data)));
    this.#ws.on('pong', onPong);
    // A connection that fails is closed next, and that is told.
    this.#ws.on('error', () => undefined);
    this.#ws.on('close', onClosed);
  }

  send(data: string | Buffer, kind: 'text' | 'binary', onSent: () => void): void {
    this.#ws.send(data, kind === 'binary' ? BINARY : TEXT, onSent);
  }

  ping(): void {
    if (this.#ws.readyState === this.#ws.OPEN) this.#ws.ping();
  }

  pause(): void {
    this.#ws.pause();
  }

  resume(): void {
    this.#ws.resume();
  }

  close(code: number, reason: string): void {
    // A viewer that is not read from could not even answer.
    this.#ws.resume();
    this.#ws.close(code, reason);
    const patience = setTimeout(() => this.#ws.terminate(), CLOSE_PATIENCE_MS);
    this.#ws.once('close', () => clearTimeout(patience));
  }

  terminate(): void {
    this.#ws.terminate();
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return data instanceof ArrayBuffer ? Buffer.from(data).toString() : data.toString();
}
