import type { VideoConfig } from '@browser-toolset/core';
import type { LiveViewport } from '@browser-toolset/core/protocol';

/** A chunk as all viewers share it. */
export interface SharedChunk {
  isKey: boolean;
  /** In microseconds since the epoch. */
  timestamp: number;
  message: Buffer;
  config: VideoConfig;
  viewport: LiveViewport;
}

/** What is kept at most. More costs a viewer more than a key picture costs all others, and shows it too much of what was. */
const MOST_CHUNKS = 24;
const MOST_RECENT_BYTES = 256 * 1024;
const LONGEST_MICROSECONDS = 10_000_000;

/**
 * The last key picture of a video and all chunks since, for as long as they are few: with them a viewer that comes later
 * sees what all see, and nobody else pays for a key picture.
 */
export class RecentChunks {
  #chunks: SharedChunk[] = [];
  #bytes = 0;

  /** What came after a chunk; all from the key picture on when that is not among them. Empty when it would be too much. */
  after(chunk: SharedChunk | undefined): readonly SharedChunk[] {
    return chunk === undefined ? this.#chunks : this.#chunks.slice(this.#chunks.indexOf(chunk) + 1);
  }

  keep(chunk: SharedChunk): void {
    if (chunk.isKey || chunk.config !== this.#chunks[0]?.config) this.forget();
    if (!chunk.isKey && this.#chunks.length === 0) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.message.length;
    if (this.#isTooMuch(chunk)) this.forget();
  }

  forget(): void {
    this.#chunks = [];
    this.#bytes = 0;
  }

  #isTooMuch({ timestamp }: SharedChunk): boolean {
    const [key] = this.#chunks;
    if (key === undefined) return false;
    return (
      this.#chunks.length > MOST_CHUNKS ||
      this.#bytes > Math.max(MOST_RECENT_BYTES, 2 * key.message.length) ||
      timestamp - key.timestamp > LONGEST_MICROSECONDS
    );
  }
}
