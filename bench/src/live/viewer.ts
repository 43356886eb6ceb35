import { once } from 'node:events';
import { WebSocket } from 'ws';

export interface ReceivedFrame {
  /** The message as it came: base64 as text, or the JPEG itself. */
  data: Buffer;
  /** When it was there, by `performance.now()`. */
  at: number;
}

export type FrameListener = (frame: ReceivedFrame) => void;

const openingBrace = 0x7b;

/** Somebody who watches: a WebSocket that tells frames from other messages and counts them. */
export class LiveViewer {
  /** When the connection was asked for, by `performance.now()`. */
  readonly openedAt = performance.now();
  frames = 0;
  /** Bytes of all frames as they came, without the frame headers of the WebSocket. */
  frameBytes = 0;
  onFrame: FrameListener | undefined;
  readonly #ws: WebSocket;

  private constructor(url: string, onFrame: FrameListener | undefined) {
    this.onFrame = onFrame;
    this.#ws = new WebSocket(url, {
      perMessageDeflate: false,
      // Checking megabytes of base64 a second would take the time that the server should have.
      skipUTF8Validation: true,
    });
    this.#ws.on('message', (data: Buffer, isBinary) => this.#receive(data, isBinary));
  }

  static async open(url: string, onFrame?: FrameListener): Promise<LiveViewer> {
    const viewer = new LiveViewer(url, onFrame);
    await once(viewer.#ws, 'open');
    return viewer;
  }

  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN;
  }

  /** The first frame from now on that passes a test, or undefined when none comes in time. */
  frameThat(test: (frame: ReceivedFrame) => boolean, milliseconds: number): Promise<ReceivedFrame | undefined> {
    const { promise, resolve } = Promise.withResolvers<ReceivedFrame | undefined>();
    const before = this.onFrame;
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    this.onFrame = frame => {
      before?.(frame);
      if (test(frame)) resolve(frame);
    };
    return promise.finally(() => {
      clearTimeout(timer);
      this.onFrame = before;
    });
  }

  send(message: object | string | Buffer): void {
    this.#ws.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message));
  }

  /** Waits until all that was sent is with the kernel. */
  flushed(message: object): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#ws.send(JSON.stringify(message), error => (error ? reject(error) : resolve())),
    );
  }

  /** Reads nothing more from the connection: what comes fills the kernel's buffers, then the server's. */
  stopReading(): void {
    this.#ws.pause();
  }

  readAgain(): void {
    this.#ws.resume();
  }

  async close(): Promise<void> {
    if (this.#ws.readyState === WebSocket.CLOSED) return;
    const closed = once(this.#ws, 'close');
    this.onFrame = undefined;
    this.#ws.terminate();
    await closed;
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (!isBinary && data[0] === openingBrace) return;
    const at = performance.now();
    this.frames += 1;
    this.frameBytes += data.length;
    this.onFrame?.({ data, at });
  }
}
