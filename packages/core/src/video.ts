import type { ScreencastFrame } from './browser-toolset-like.js';

export interface VideoOptions {
  /** The most pictures a second, 0.1 to 60. @default 30 */
  maxFps?: number;
  /**
   * Nobody else takes frames of the screencast: they may come as slowly as they are encoded, which saves most of what they
   * cost. @default false
   */
  exclusive?: boolean;
}

/** How chunks are decoded. */
export interface VideoConfig {
  /** For `VideoDecoder.configure` (WebCodecs). */
  codec: string;
  /** Size of the picture, in pixels. */
  width: number;
  height: number;
  /** Size as it is encoded; what is beyond the picture, at the right and at the bottom, is not shown. */
  codedWidth: number;
  codedHeight: number;
  /** For `VideoDecoder.configure` (WebCodecs, `VideoColorSpaceInit`), where the data do not tell it. */
  colorSpace?: { primaries: string; transfer: string; matrix: string; fullRange: boolean };
}

/** One encoded picture. */
export interface VideoChunk {
  /** It can be decoded without those before it. The first one is, and so is the first of each config. */
  isKey: boolean;
  /** When the picture was captured, in microseconds since the epoch. Later chunks have later times. */
  timestamp: number;
  /** For `EncodedVideoChunk`. */
  data: Uint8Array;
  config: VideoConfig;
  /** What the picture shows, as the frame has it. */
  viewport: ScreencastFrame['viewport'];
}

export interface VideoListener {
  /**
   * The next picture, the newest there is then, is encoded once this settles: so the encoder keeps to the pace of those
   * who read it, and its quality to their lines.
   */
  onChunk(chunk: VideoChunk): void | Promise<void>;
  /** It encodes no more: with the reason when it failed, without one when its screencast has ended. Not told of `stop`. */
  onEnd(error?: Error): void;
}

/** The video of a screencast. A page at rest gives no chunks. */
export interface VideoStream {
  /** Asks for a key picture, of a page at rest too. What is asked for before it is made is one. */
  keyframe(): void;
  change(options: VideoOptions): void;
  /** Settles once nothing is left of the encoder. Idempotent. */
  stop(): Promise<void>;
}
