import { EventEmitter } from 'node:events';
import type { ScreencastFrame, ScreencastStream } from '../browser-toolset-like.js';

interface StreamEvents {
  frame: [ScreencastFrame];
  url: [string];
  stop: [string];
  error: [Error];
}

/** A stream that gives what it is told to. A handler of frames that is added late gets the last one. */
export class FakeStream implements ScreencastStream {
  readonly #emitter = new EventEmitter<StreamEvents>();
  #lastFrame: ScreencastFrame;
  #stopped = false;
  readonly #forget: (stream: FakeStream) => void;

  constructor(firstFrame: ScreencastFrame, forget: (stream: FakeStream) => void) {
    this.#lastFrame = firstFrame;
    this.#forget = forget;
  }

  on<Event extends keyof StreamEvents>(event: Event, handler: (...values: StreamEvents[Event]) => void): this {
    // The emitter's own listener type does not resolve for a generic event.
    this.#emitter.on(event, handler as never);
    if (event === 'frame') queueMicrotask(() => this.#replayTo(handler as (frame: ScreencastFrame) => void));
    return this;
  }

  emitFrame(frame: ScreencastFrame): void {
    this.#lastFrame = frame;
    this.#emitter.emit('frame', frame);
  }

  emitUrl(url: string): void {
    this.#emitter.emit('url', url);
  }

  emitError(error: Error): void {
    this.#emitter.emit('error', error);
  }

  async stop(): Promise<void> {
    this.end('manual');
  }

  end(reason: string): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#forget(this);
    this.#emitter.emit('stop', reason);
    this.#emitter.removeAllListeners();
  }

  #replayTo(handler: (frame: ScreencastFrame) => void): void {
    if (!this.#stopped) handler(this.#lastFrame);
  }
}
