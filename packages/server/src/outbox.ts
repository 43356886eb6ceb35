import type { ServerMessage } from '@browser-toolset/core/protocol';
import { type Frame, isSameViewport } from './frame.js';
import type { Metrics } from './metrics.js';
import type { SendWindow } from './send-window.js';
import type { LiveSocket } from './socket.js';

/** Messages that may be given to a connection beside a frame, in bytes. */
const MOST_BUFFERED = 64 * 1024;
/** Actions that wait for a viewer that does not read; older ones are dropped. */
const MOST_WAITING_ACTIONS = 50;

export interface OutboxOptions {
  window: SendWindow;
  /** JPEG goes out as it is, not in base64. */
  isBinary: boolean;
  metrics: Metrics;
}

/**
 * What goes out to one viewer.
 *
 * Invariant: latest frame wins. At most one frame is on its way to the kernel, as much as its line carries is on its way to
 * the viewer, and at most one frame waits, the newest. Of what else waits, each kind of state is there once: a viewer that
 * reads nothing costs the same memory after an hour.
 */
export class Outbox {
  readonly #socket: LiveSocket;
  readonly #options: OutboxOptions;
  /** JSON that waits, by what it replaces. */
  readonly #waiting = new Map<string, string>();
  #frame: Frame | undefined;
  #isFrameOnItsWay = false;
  #told: Frame['viewport'] | undefined;
  /** Milliseconds between frames; 0 for every one. */
  #interval = 0;
  #dueAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(socket: LiveSocket, options: OutboxOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  /** Limits the frames a second; undefined lifts the limit. */
  limit(maxFps: number | undefined): void {
    this.#interval = maxFps === undefined ? 0 : 1000 / maxFps;
    this.#dueAt = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pump();
  }

  tell(message: ServerMessage): void {
    if (this.#isClosed) return;
    const key = keyOf(message);
    this.#waiting.delete(key);
    this.#waiting.set(key, JSON.stringify(message));
    if ('action' in message) this.#dropOldActions();
    this.#pump();
  }

  show(frame: Frame): void {
    if (this.#isClosed) return;
    if (this.#frame !== undefined) this.#options.metrics.framesSkipped += 1;
    this.#frame = frame;
    this.#pump();
  }

  /** Sends what waits: the connection has taken something that did not go through here, or something has arrived. */
  flush(): void {
    this.#pump();
  }

  /** Forgets what waits; nothing is sent any more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#waiting.clear();
    this.#frame = undefined;
  }

  #pump(): void {
    if (this.#isFrameOnItsWay || this.#isClosed) return;
    for (const [key, json] of this.#waiting) {
      if (this.#socket.bufferedAmount > MOST_BUFFERED) return;
      this.#waiting.delete(key);
      this.#socket.send(json, 'text', this.#onSent);
    }
    if (this.#frame !== undefined && this.#options.window.isOpen && this.#isDue()) this.#sendFrame(this.#frame);
  }

  #isDue(): boolean {
    if (this.#interval === 0) return true;
    if (this.#timer !== undefined) return false;
    const wait = this.#dueAt - performance.now();
    if (wait <= 0) return true;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#dueAt = 0;
      this.#pump();
    }, wait);
    return false;
  }

  #sendFrame(frame: Frame): void {
    if (!isSameViewport(frame.viewport, this.#told)) {
      this.#told = frame.viewport;
      this.#socket.send(JSON.stringify({ viewport: frame.viewport }), 'text', this.#onSent);
    }
    this.#frame = undefined;
    this.#isFrameOnItsWay = true;
    if (this.#interval > 0) this.#dueAt = performance.now() + this.#interval;
    const { isBinary, window, metrics } = this.#options;
    metrics.framesSent += 1;
    const data = isBinary ? frame.binary() : frame.text();
    this.#socket.send(data, isBinary ? 'binary' : 'text', this.#onFrameSent);
    window.add(data.length);
  }

  readonly #onSent = (): void => {
    if (this.#waiting.size > 0) this.#pump();
  };

  readonly #onFrameSent = (): void => {
    this.#isFrameOnItsWay = false;
    this.#pump();
  };

  #dropOldActions(): void {
    const actions = [...this.#waiting.keys()].filter(key => key.startsWith('action '));
    for (const key of actions.slice(0, -MOST_WAITING_ACTIONS)) this.#waiting.delete(key);
  }
}

/** The key of the messages that replace each other while they wait: the kind, but no action is replaced. */
function keyOf(message: ServerMessage): string {
  if ('action' in message) return `action ${message.action.id} ${message.action.phase}`;
  return Object.keys(message)[0] ?? '';
}
