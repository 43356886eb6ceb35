import { EventEmitter } from 'node:events';
import type {
  BrowserToolsetLike,
  KeyboardEventInput,
  MouseEventInput,
  ScreencastFrame,
  ScreencastOptions,
  ScreencastStream,
} from '../browser-toolset-like.js';
import { FAKE_FRAME } from './fake-frame.js';

const DEFAULT_THREAD = 'default';

interface StreamEvents {
  frame: [ScreencastFrame];
  url: [string];
  stop: [string];
  error: [Error];
}

/** An event that somebody injected into the fake. */
export type InjectedEvent =
  | { kind: 'mouse'; threadId: string; event: MouseEventInput }
  | { kind: 'keyboard'; threadId: string; event: KeyboardEventInput };

class FakeStream implements ScreencastStream {
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

interface FakeThread {
  url: string;
  readonly streams: Set<FakeStream>;
}

/** Callbacks by thread; those registered without a thread hear of every thread. */
class ThreadCallbacks {
  readonly #callbacks = new Set<{ threadId: string | undefined; callback: () => void }>();

  add(callback: () => void, threadId: string | undefined): () => void {
    const entry = { threadId, callback };
    this.#callbacks.add(entry);
    return () => this.#callbacks.delete(entry);
  }

  notify(threadId: string): void {
    for (const entry of [...this.#callbacks]) {
      if (entry.threadId === undefined || entry.threadId === threadId) entry.callback();
    }
  }
}

/**
 * A browser toolset without a browser, for tests of what shows or drives one. It does only what a test tells it to:
 * `open` a thread, `emitFrame`, `emitError`, `closeThread`; it keeps what was injected in `injected`.
 *
 * @example
 * const browser = new FakeBrowserToolset();
 * browser.open('thread-1', 'https://shop.example/');
 * browser.emitFrame('thread-1');
 */
export class FakeBrowserToolset<Tool = never> implements BrowserToolsetLike<Tool> {
  readonly tools: Readonly<Record<string, Tool>>;
  /** What was injected, oldest first. */
  readonly injected: InjectedEvent[] = [];
  readonly #threads = new Map<string, FakeThread>();
  readonly #ready = new ThreadCallbacks();
  readonly #closed = new ThreadCallbacks();

  constructor(tools: Readonly<Record<string, Tool>> = {}) {
    this.tools = tools;
  }

  /** Makes the thread's browser show a url; starts it when it is not running. */
  open(threadId: string, url: string): void {
    const thread = this.#threads.get(threadId);
    if (!thread) {
      this.#threads.set(threadId, { url, streams: new Set() });
      this.#ready.notify(threadId);
      return;
    }
    thread.url = url;
    for (const stream of [...thread.streams]) {
      stream.emitUrl(url);
      stream.emitFrame(FAKE_FRAME);
    }
  }

  /** Closes one thread's browser. */
  closeThread(threadId: string): void {
    const thread = this.#threads.get(threadId);
    if (!thread) return;
    this.#threads.delete(threadId);
    for (const stream of [...thread.streams]) stream.end('browser_closed');
    this.#closed.notify(threadId);
  }

  /** Sends a frame to every stream of a thread. */
  emitFrame(threadId = DEFAULT_THREAD, frame: ScreencastFrame = FAKE_FRAME): void {
    for (const stream of [...this.#running(threadId).streams]) stream.emitFrame(frame);
  }

  /** Sends an error to every stream of a thread. */
  emitError(error: Error, threadId = DEFAULT_THREAD): void {
    for (const stream of [...this.#running(threadId).streams]) stream.emitError(error);
  }

  /** How many streams of a thread are open. */
  streamCount(threadId = DEFAULT_THREAD): number {
    return this.#threads.get(threadId)?.streams.size ?? 0;
  }

  isBrowserRunning(threadId?: string): boolean {
    return threadId === undefined ? this.#threads.size > 0 : this.#threads.has(threadId);
  }

  onBrowserReady(callback: () => void, threadId?: string): () => void {
    const unsubscribe = this.#ready.add(callback, threadId);
    if (this.isBrowserRunning(threadId)) callback();
    return unsubscribe;
  }

  onBrowserClosed(callback: () => void, threadId?: string): () => void {
    return this.#closed.add(callback, threadId);
  }

  async startScreencast(options: ScreencastOptions = {}): Promise<ScreencastStream> {
    const threadId = options.threadId ?? DEFAULT_THREAD;
    if (!this.#threads.has(threadId)) this.open(threadId, 'about:blank');
    const { streams } = this.#running(threadId);
    const stream = new FakeStream(FAKE_FRAME, ended => streams.delete(ended));
    streams.add(stream);
    return stream;
  }

  async startScreencastIfBrowserActive(options: ScreencastOptions = {}): Promise<ScreencastStream | null> {
    return this.isBrowserRunning(options.threadId ?? DEFAULT_THREAD) ? this.startScreencast(options) : null;
  }

  async getCurrentUrl(threadId = DEFAULT_THREAD): Promise<string | null> {
    return this.#threads.get(threadId)?.url ?? null;
  }

  async injectMouseEvent(event: MouseEventInput, threadId = DEFAULT_THREAD): Promise<void> {
    this.#running(threadId);
    this.injected.push({ kind: 'mouse', threadId, event });
  }

  async injectKeyboardEvent(event: KeyboardEventInput, threadId = DEFAULT_THREAD): Promise<void> {
    this.#running(threadId);
    this.injected.push({ kind: 'keyboard', threadId, event });
  }

  async close(): Promise<void> {
    for (const threadId of [...this.#threads.keys()]) this.closeThread(threadId);
  }

  #running(threadId: string): FakeThread {
    const thread = this.#threads.get(threadId);
    if (!thread) throw new Error(`Thread ${threadId} has no browser.`);
    return thread;
  }
}
