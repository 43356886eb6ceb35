import type { VideoConfig } from '@browser-toolset/core';
import { type LiveViewport, type ServerMessage, VIDEO_VERSION } from '@browser-toolset/core/protocol';
import { isSameViewport } from './frame.js';
import type { Metrics } from './metrics.js';
import { TokenBucket } from './rate.js';
import type { LiveSocket } from './socket.js';

/** A chunk as all viewers share it. */
export interface SharedChunk {
  isKey: boolean;
  message: Buffer;
  config: VideoConfig;
  viewport: LiveViewport;
}

export interface VideoLineOptions {
  metrics: Metrics;
  /** The viewer may be ready for another chunk. */
  onReady(): void;
  /** The kernel has taken a chunk. */
  onSent(): void;
}

/** What may be on its way to a viewer when the next chunk is given to it, in bytes: at first, at least, at most. */
const FIRST_WINDOW = 64 * 1024;
const LEAST_WINDOW = 16 * 1024;
const MOST_WINDOW = 1024 * 1024;
/** A queue on the way that takes longer than this, in milliseconds, is too long for who clicks and waits to see it. */
const LONG_QUEUE_MS = 100;
/** A viewer that answers nothing for so long, in milliseconds, is not waited for. */
const STALLED_MS = 500;
/** Key pictures are large for all: those that one viewer needs. */
const KEY_RATE = { perSecond: 0.5, burst: 4 };

/**
 * The way of chunks to one viewer.
 *
 * What is on its way is measured with pings behind the chunks: the kernel takes far more than a slow line carries.
 *
 * Invariant: a viewer gets a delta only if it got all chunks since a key picture. One that is behind gets nothing until
 * it has caught up, and then a key picture: a viewer that reads nothing costs the same memory after an hour.
 */
export class VideoLine {
  readonly #socket: LiveSocket;
  readonly #options: VideoLineOptions;
  readonly #keys = new TokenBucket(KEY_RATE, performance.now());
  #needsKey = true;
  #toldConfig: VideoConfig | undefined;
  #toldViewport: LiveViewport | undefined;
  /** Bytes, since the beginning. */
  #sent = 0;
  #arrived = 0;
  #window = FIRST_WINDOW;
  /** The ping that is under way. */
  #ping: { payload: string; sent: number; at: number } | undefined;
  #pings = 0;
  /** The fastest answer, in milliseconds. */
  #roundTrip = Number.POSITIVE_INFINITY;

  constructor(socket: LiveSocket, options: VideoLineOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  /** What is sent now is not late when it arrives. */
  get isReady(): boolean {
    return this.#sent - this.#arrived <= this.#window;
  }

  /** It has answered nothing for a while. */
  get isStalled(): boolean {
    return this.stallsIn <= 0 && !this.isReady;
  }

  /** Milliseconds until it counts as stalled, if it answers nothing. */
  get stallsIn(): number {
    return this.#ping === undefined ? STALLED_MS : this.#ping.at + STALLED_MS - performance.now();
  }

  /** Only a key picture is of use to it. */
  get needsKey(): boolean {
    return this.#needsKey;
  }

  /** Counts a key picture that this viewer needs. Answers how long it waits for it, in milliseconds. */
  takeKey(): number {
    return this.#keys.take(performance.now());
  }

  /** Sends a chunk, or leaves it out. */
  show(chunk: SharedChunk): void {
    const { metrics, onSent } = this.#options;
    if (!this.isReady || (this.#needsKey && !chunk.isKey)) {
      this.#needsKey = true;
      metrics.chunksSkipped += 1;
      return;
    }
    this.#needsKey = false;
    this.#tellAbout(chunk);
    metrics.chunksSent += 1;
    this.#sent += chunk.message.length;
    this.#socket.send(chunk.message, 'binary', onSent);
    this.#measure();
  }

  onPong(payload: string): void {
    if (payload !== this.#ping?.payload) return;
    const { sent, at } = this.#ping;
    this.#ping = undefined;
    this.#arrived = sent;
    this.#adjust(performance.now() - at);
    if (this.#sent > this.#arrived) this.#measure();
    this.#options.onReady();
  }

  #tellAbout({ config, viewport }: SharedChunk): void {
    if (config !== this.#toldConfig) {
      this.#toldConfig = config;
      this.#tell({ video: { version: VIDEO_VERSION, ...config } });
    }
    if (isSameViewport(viewport, this.#toldViewport)) return;
    this.#toldViewport = viewport;
    this.#tell({ viewport });
  }

  #tell(message: ServerMessage): void {
    this.#socket.send(JSON.stringify(message), 'text', this.#options.onSent);
  }

  #measure(): void {
    if (this.#ping !== undefined) return;
    this.#pings += 1;
    this.#ping = { payload: `video ${this.#pings}`, sent: this.#sent, at: performance.now() };
    this.#socket.ping(this.#ping.payload);
  }

  /** Lets less be on its way as soon as that waits somewhere, and more while it does not. */
  #adjust(roundTrip: number): void {
    this.#roundTrip = Math.min(this.#roundTrip, roundTrip);
    const isQueued = roundTrip - this.#roundTrip > LONG_QUEUE_MS;
    this.#window = isQueued ? Math.max(LEAST_WINDOW, this.#window / 2) : Math.min(MOST_WINDOW, this.#window * 1.5);
  }
}
