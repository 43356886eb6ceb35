import type { ScreencastStream, VideoListener, VideoOptions, VideoStream } from '@browser-toolset/core';
import { decodeVideoMessage, type VideoMessage } from '@browser-toolset/core/protocol';
import { FAKE_FRAME, FakeBrowserToolset } from '@browser-toolset/core/testing';
import type { TestViewer } from './viewing.js';

export const CONFIG = { codec: 'vp09.00.51.08', width: 16, height: 9, codedWidth: 16, codedHeight: 10 };

interface ChunkToEncode {
  isKey?: boolean;
  config?: typeof CONFIG;
  data?: Uint8Array;
}

/** One video of a fake browser: encodes what a test tells it to. */
class FakeVideo implements VideoStream {
  keyframes = 0;
  isStopped = false;
  readonly wishes: VideoOptions[];
  #timestamp = 1_800_000_000_000_000;

  constructor(
    readonly screencast: ScreencastStream,
    readonly listener: VideoListener,
    wish: VideoOptions = {},
  ) {
    this.wishes = [wish];
  }

  /** Settles when the next picture is wanted. */
  async encode({ isKey = false, config = CONFIG, data = Buffer.from('data') }: ChunkToEncode = {}): Promise<void> {
    this.#timestamp += 40_000;
    const { viewport } = FAKE_FRAME;
    await this.listener.onChunk({ isKey, config, data, viewport, timestamp: this.#timestamp });
  }

  keyframe(): void {
    this.keyframes += 1;
  }

  change(wish: VideoOptions): void {
    this.wishes.push(wish);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
  }
}

/** A browser without a browser that can encode. */
export class FilmedBrowser extends FakeBrowserToolset {
  readonly videos: FakeVideo[] = [];
  /** The next video cannot be started. */
  refusesVideo = false;

  async startVideo(screencast: ScreencastStream, listener: VideoListener, wish?: VideoOptions): Promise<VideoStream> {
    if (this.refusesVideo) throw new Error('no encoder');
    const video = new FakeVideo(screencast, listener, wish);
    this.videos.push(video);
    return video;
  }

  /** The video that is encoded now. */
  get video(): FakeVideo {
    const video = this.videos.findLast(({ isStopped }) => !isStopped);
    if (video === undefined) throw new Error('Nothing is encoded.');
    return video;
  }
}

/** The chunks that a viewer got. */
export function chunksOf({ frames }: TestViewer): VideoMessage[] {
  return frames.flatMap(frame => (typeof frame === 'string' ? [] : (decodeVideoMessage(frame) ?? [])));
}
