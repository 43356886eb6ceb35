import type { VideoConfig } from '@browser-toolset/core';
import { type LiveViewport, type ServerMessage, VIDEO_VERSION } from '@browser-toolset/core/protocol';
import { isSameViewport } from './frame.js';
import type { Metrics } from './metrics.js';
import { TokenBucket } from './rate.js';
import type { RecentChunks, SharedChunk } from './recent-chunks.js';
import type { SendWindow } from './send-window.js';
import type { LiveSocket } from './socket.js';

export interface VideoLineOptions {
  socket: LiveSocket;
  window: SendWindow;
  metrics: Metrics;
  /** The kernel has taken a chunk. */
  onSent(): void;
}

/** Key pictures are large for all: those that one viewer needs. */
const KEY_RATE = { perSecond: 0.5, burst: 4 };

/**
 * The way of chunks to one viewer.
 *
 * Invariant: a viewer gets a delta only if it got all chunks since a key picture of the same config. One that is behind gets
 * nothing until it is ready again, and then what it missed, or a key picture where that is less: a viewer that reads nothing costs the same memory after an hour.
 */
export class VideoLine {
  readonly #options: VideoLineOptions;
  readonly #keys = new TokenBucket(KEY_RATE, performance.now());
  #needsKey = true;
  #isNew = true;
  #isLost = false;
  /** What it got last, which the next delta builds on. */
  #last: SharedChunk | undefined;
  #toldConfig: VideoConfig | undefined;
  #toldViewport: LiveViewport | undefined;

  constructor(options: VideoLineOptions) {
    this.#options = options;
  }

  /** What is sent now is not late when it arrives. */
  get isReady(): boolean {
    return this.#options.window.isOpen;
  }

  /** It has answered nothing for a while. */
  get isStalled(): boolean {
    return this.stallsIn <= 0 && !this.isReady;
  }

  /** Milliseconds until it counts as stalled, if it answers nothing. */
  get stallsIn(): number {
    return this.#options.window.stallsIn;
  }

  /** The next delta is of no use to it. */
  get needsKey(): boolean {
    return this.#needsKey;
  }

  /** It says that it cannot decode what it got. */
  get isLost(): boolean {
    return this.#isLost;
  }

  lose(): void {
    this.#isLost = true;
    this.#needsKey = true;
    this.#last = undefined;
  }

  /** Counts a key picture that this viewer needs. Answers how long it waits for it, in milliseconds. */
  takeKey(): number {
    return this.#keys.take(performance.now());
  }

  /** Sends a chunk, or leaves it out. */
  show(chunk: SharedChunk): void {
    const isReadable = chunk.isKey || (!this.#needsKey && chunk.config === this.#toldConfig);
    if (this.isReady && isReadable) {
      this.#send(chunk);
      return;
    }
    this.#needsKey = true;
    this.#options.metrics.chunksSkipped += 1;
  }

  /** Sends what it missed and others have had. Answers false, and sends nothing, when it would be late, or is not there. */
  catchUp(recent: RecentChunks): boolean {
    const { window } = this.#options;
    const missed = recent.after(this.#last);
    const bytes = missed.reduce((sum, { message }) => sum + message.length, 0);
    // Who has just come sees nothing yet: that is worth a wait.
    const isTooMuch = bytes > window.bytes && !this.#isNew;
    if (missed.length === 0 || isTooMuch || !this.isReady) return false;
    if (this.#isNew) window.widen(bytes);
    for (const chunk of missed) this.#send(chunk);
    return true;
  }

  #send(chunk: SharedChunk): void {
    const { socket, window, metrics, onSent } = this.#options;
    this.#needsKey = false;
    this.#isNew = false;
    this.#isLost = false;
    this.#last = chunk;
    this.#tellAbout(chunk);
    metrics.chunksSent += 1;
    socket.send(chunk.message, 'binary', onSent);
    window.add(chunk.message.length);
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
    const { socket, onSent } = this.#options;
    socket.send(JSON.stringify(message), 'text', onSent);
  }
}
