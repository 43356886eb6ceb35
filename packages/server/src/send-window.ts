import { randomUUID } from 'node:crypto';
import type { LiveSocket } from './socket.js';

/** What may be on its way to a viewer when the next picture is given to it, in bytes: at first, at least, at most. */
const FIRST_BYTES = 64 * 1024;
const LEAST_BYTES = 16 * 1024;
const MOST_BYTES = 1024 * 1024;
/** A queue on the way that takes longer than this, in milliseconds, is too long for who clicks and waits to see it. */
const LONG_QUEUE_MS = 100;
/** A viewer that answers nothing for so long, in milliseconds, is not waited for. */
const STALLED_MS = 500;

/**
 * How much may be on its way to one viewer, whatever form its pictures have.
 *
 * Pings behind the pictures measure it: the kernel, and each proxy that ends the connection, takes far more than a slow
 * line carries.
 *
 * Invariant: only who has read up to a ping can answer it, so a viewer that reads nothing is given nothing more.
 */
export class SendWindow {
  readonly #socket: Pick<LiveSocket, 'ping'>;
  #bytes = FIRST_BYTES;
  /** Bytes, since the beginning. */
  #sent = 0;
  #arrived = 0;
  /** The ping that is under way. */
  #ping: { payload: string; sent: number; at: number } | undefined;
  /** The fastest answer, in milliseconds. */
  #roundTrip = Number.POSITIVE_INFINITY;

  constructor(socket: Pick<LiveSocket, 'ping'>) {
    this.#socket = socket;
  }

  /** How much may be on its way at present. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What is sent now is not late when it arrives. */
  get isOpen(): boolean {
    return this.#sent - this.#arrived <= this.#bytes;
  }

  /** Milliseconds until the viewer counts as stalled, if it answers nothing. */
  get stallsIn(): number {
    return this.#ping === undefined ? STALLED_MS : this.#ping.at + STALLED_MS - performance.now();
  }

  /** Counts what was sent. */
  add(bytes: number): void {
    this.#sent += bytes;
    this.#measure();
  }

  /** Lets so much more be on its way, until the next answer. */
  widen(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Answers whether it is the pong that says how much has arrived. */
  onPong(payload: string): boolean {
    if (payload !== this.#ping?.payload) return false;
    const { sent, at } = this.#ping;
    this.#ping = undefined;
    this.#arrived = sent;
    this.#adjust(performance.now() - at);
    if (this.#sent > this.#arrived) this.#measure();
    return true;
  }

  #measure(): void {
    if (this.#ping !== undefined) return;
    this.#ping = { payload: randomUUID(), sent: this.#sent, at: performance.now() };
    this.#socket.ping(this.#ping.payload);
  }

  /** Lets less be on its way as soon as that waits somewhere, and more while it does not. */
  #adjust(roundTrip: number): void {
    this.#roundTrip = Math.min(this.#roundTrip, roundTrip);
    const isQueued = roundTrip - this.#roundTrip > LONG_QUEUE_MS;
    const bytes = isQueued ? this.#bytes / 2 : this.#bytes * 1.5;
    this.#bytes = Math.min(MOST_BYTES, Math.max(LEAST_BYTES, bytes));
  }
}
