import { randomUUID } from 'node:crypto';
import { type ClientMessage, parseClientMessage } from '@browser-toolset/core/protocol';
import type { Picture } from './cast.js';
import { InputGate } from './input-gate.js';
import type { Log } from './limited-log.js';
import type { LiveThread } from './live-browser.js';
import type { Metrics } from './metrics.js';
import { Outbox } from './outbox.js';
import { type Rate, TokenBucket } from './rate.js';
import { SendWindow } from './send-window.js';
import type { LiveSocket } from './socket.js';
import type { Right } from './tokens.js';
import type { VideoFeed } from './video-feed.js';
import { VideoLine } from './video-line.js';

/** The wishes of a viewer for its frames; the browser decides the rest. */
export interface ViewerSettings extends Partial<Picture> {
  maxFps?: number;
}

/** How a viewer gets what it sees: JPEG in base64 or as it is, or video. */
export type FrameForm = 'text' | 'binary' | 'video';

export interface ViewerOptions {
  agentId: string;
  right: Right;
  frames: FrameForm;
  settings: ViewerSettings;
  socket: LiveSocket;
}

/** The parts that all viewers of a live view share. */
export interface ViewerSurroundings {
  metrics: Metrics;
  log: Log;
  messageRate: Rate;
}

export interface ViewerListener {
  onMessage(viewer: Viewer, message: ClientMessage): void;
  /** It has got what was sent, and may be ready for more. */
  onArrived(viewer: Viewer): void;
  onClosed(viewer: Viewer): void;
}

/** The same refusal is told at most once in this time, in milliseconds: input comes in streams. */
const REFUSAL_PAUSE_MS = 1000;

/** To read a message takes as long as its length; so many characters count as one more. */
const MESSAGE_LENGTH = 2048;

/** One viewer: a connection with a right. */
export class Viewer {
  /** Nobody else is told it: it proves to the REST routes who asks. */
  readonly id = randomUUID();
  readonly agentId: string;
  readonly mayControl: boolean;
  readonly outbox: Outbox;
  readonly gate: InputGate;
  settings: ViewerSettings;
  readonly #socket: LiveSocket;
  readonly #window: SendWindow;
  readonly #surroundings: ViewerSurroundings;
  readonly #bucket: TokenBucket;
  readonly #refusedAt = new Map<string, number>();
  /** Reasons for which nothing is read at the moment. */
  readonly #pauses = new Set<'full' | 'rate'>();
  #rateTimer: NodeJS.Timeout | undefined;
  #isAlive = true;
  /** The way of video to it; undefined for a viewer of JPEG. */
  #line: VideoLine | undefined;

  constructor(options: ViewerOptions, thread: LiveThread, surroundings: ViewerSurroundings) {
    const { metrics, log, messageRate } = surroundings;
    this.agentId = options.agentId;
    this.mayControl = options.right === 'control';
    this.settings = options.settings;
    this.#socket = options.socket;
    this.#surroundings = surroundings;
    this.#bucket = new TokenBucket(messageRate, performance.now());
    this.#window = new SendWindow(options.socket);
    this.outbox = new Outbox(options.socket, { window: this.#window, isBinary: options.frames !== 'text', metrics });
    this.outbox.limit(options.settings.maxFps);
    this.gate = new InputGate({ thread, metrics, log, onFull: isFull => this.#pause('full', isFull) });
  }

  listen({ onMessage, onArrived, onClosed }: ViewerListener): void {
    this.#socket.listen({
      onMessage: text => {
        const message = this.#read(text);
        if (message !== undefined) onMessage(this, message);
      },
      onPong: payload => {
        this.#isAlive = true;
        if (!this.#window.onPong(payload)) return;
        this.outbox.flush();
        onArrived(this);
      },
      onClosed: () => {
        clearTimeout(this.#rateTimer);
        this.outbox.close();
        onClosed(this);
      },
    });
  }

  /** The way of video to it; undefined for a viewer of JPEG. */
  get line(): VideoLine | undefined {
    return this.#line;
  }

  /** Shows it a video instead of JPEG. */
  watch(feed: VideoFeed): void {
    this.#line = new VideoLine({
      ...{ socket: this.#socket, window: this.#window, metrics: this.#surroundings.metrics },
      onSent: () => this.outbox.flush(),
    });
    feed.join(this.#line, this.settings);
  }

  /** Shows it JPEG from here on. */
  unwatch(feed: VideoFeed): void {
    if (this.#line !== undefined) feed.leave(this.#line);
    this.#line = undefined;
  }

  /** Tells why something was not done. */
  refuse(error: string, message: string): void {
    const now = performance.now();
    if (now - (this.#refusedAt.get(error) ?? Number.NEGATIVE_INFINITY) < REFUSAL_PAUSE_MS) return;
    this.#refusedAt.set(error, now);
    this.outbox.tell({ error, message });
  }

  /** Asks for a sign of life; ends the connection when the last question got no answer. */
  ping(): void {
    const isDead = !this.#isAlive && this.#pauses.size === 0;
    this.#isAlive = false;
    if (isDead) this.#socket.terminate();
    else this.#socket.ping();
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  #read(text: string | undefined): ClientMessage | undefined {
    const { metrics, log } = this.#surroundings;
    metrics.messages += 1;
    this.#throttle(text?.length ?? 0);
    const message = text === undefined ? undefined : parseClientMessage(text);
    if (message !== undefined) return message;
    metrics.garbage += 1;
    log('garbage', `A viewer of agent ${this.agentId} sent a message that is none`);
    return undefined;
  }

  /** Who sends too much is read more slowly: nothing is lost, and nobody else waits. */
  #throttle(length: number): void {
    const wait = this.#bucket.take(performance.now(), 1 + length / MESSAGE_LENGTH);
    if (wait === 0 || this.#pauses.has('rate')) return;
    this.#surroundings.metrics.throttled += 1;
    this.#pause('rate', true);
    this.#rateTimer = setTimeout(() => this.#pause('rate', false), wait);
  }

  #pause(reason: 'full' | 'rate', isPaused: boolean): void {
    if (isPaused) this.#pauses.add(reason);
    else this.#pauses.delete(reason);
    if (this.#pauses.size > 0) this.#socket.pause();
    else this.#socket.resume();
  }
}
