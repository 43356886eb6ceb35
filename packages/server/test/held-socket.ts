import type { LiveSocket } from '../src/socket.js';

/** A connection whose kernel takes messages when the test says so. */
export class HeldSocket implements LiveSocket {
  readonly sent: string[] = [];
  /** Payloads that were not answered. */
  readonly pings: string[] = [];
  readonly held: { size: number; onSent: () => void }[] = [];
  get bufferedAmount(): number {
    return this.held.reduce((sum, { size }) => sum + size, 0);
  }
  send(data: string | Buffer, _: string, onSent: () => void): void {
    this.sent.push(data.toString());
    this.held.push({ size: data.length, onSent });
  }
  take(): void {
    this.held.shift()?.onSent();
  }
  takeAll(): void {
    while (this.held.length > 0) this.take();
  }
  listen(): void {}
  ping(payload = ''): void {
    this.pings.push(payload);
  }
  pause(): void {}
  resume(): void {}
  close(): void {}
  terminate(): void {}
}
