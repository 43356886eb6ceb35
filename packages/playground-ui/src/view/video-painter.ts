import { VIDEO_SEQUENCES } from '@browser-toolset/core/protocol';
import type { StreamChunk } from '../stream/model.js';
import { drawPicture, type PaintSurface } from './frame-painter.js';

export interface VideoPainterOptions {
  /** Called with each picture that is on the canvas now. */
  onDrawn?: (picture: StreamChunk) => void;
  /** Called when only a key picture helps. */
  onLost: () => void;
  /** Called once, when decoding has failed twice without a picture in between; nothing is drawn from then on. */
  onFailed: (error: unknown) => void;
}

/** Failures of one decoder after another, none of which has shown anything, until it is given up. */
const MOST_FAILURES = 2;
/** Pictures that may wait for the decoder: a window that is slower skips to the next key picture. */
const MOST_WAITING = 30;

/**
 * Decodes the chunks of a stream and draws them on a canvas, which takes their size. The decoder (WebCodecs) works beside
 * the thread of the page, as that of JPEG does.
 *
 * Invariant: a chunk is decoded only after all those since a key picture of its config. Each picture is closed when it was drawn.
 */
export class VideoPainter {
  readonly #canvas: PaintSurface;
  readonly #options: VideoPainterOptions;
  #decoder: VideoDecoder | undefined;
  #config: StreamChunk['config'] | undefined;
  /** The sequence that follows; undefined until a key picture. */
  #next: number | undefined;
  /** What the decoder has and did not give back, oldest first. */
  #decoding: StreamChunk[] = [];
  #failures = 0;
  #isOver = false;

  constructor(canvas: PaintSurface, options: VideoPainterOptions) {
    this.#canvas = canvas;
    this.#options = options;
  }

  paint(picture: StreamChunk): void {
    const { chunk, config } = picture;
    if (this.#isOver || (!chunk.isKey && this.#next === undefined)) return;
    const isMissed = !chunk.isKey && (chunk.sequence !== this.#next || config !== this.#config);
    if (isMissed || (!chunk.isKey && this.#decoding.length > MOST_WAITING)) {
      this.#lose();
      return;
    }
    const { timestamp, data } = chunk;
    try {
      if (this.#decoder === undefined || config !== this.#config) this.#open(config);
      this.#next = (chunk.sequence + 1) % VIDEO_SEQUENCES;
      this.#decoding.push(picture);
      this.#decoder?.decode(new EncodedVideoChunk({ type: chunk.isKey ? 'key' : 'delta', timestamp, data }));
    } catch (error) {
      // A key picture that is none, or a config that is none.
      this.#fail(error);
    }
  }

  /** Draws nothing from now on. */
  dispose(): void {
    this.#isOver = true;
    this.#close();
  }

  #open(config: StreamChunk['config']): void {
    this.#close();
    this.#config = config;
    const { codec, width, height, codedWidth, codedHeight, colorSpace } = config;
    const decoder = new VideoDecoder({
      output: image => this.#draw(image),
      error: error => {
        if (this.#decoder === decoder) this.#fail(error);
      },
    });
    this.#decoder = decoder;
    const size = { codedWidth, codedHeight, displayAspectWidth: width, displayAspectHeight: height };
    // The names of colour spaces are the encoder's; a decoder refuses those that it does not know.
    const colours = colorSpace as VideoColorSpaceInit | undefined;
    decoder.configure({ codec, ...size, optimizeForLatency: true, ...(colours && { colorSpace: colours }) });
  }

  #draw(image: VideoFrame): void {
    const { timestamp } = image;
    const at = this.#decoding.findIndex(({ chunk }) => chunk.timestamp === timestamp);
    const [picture] = this.#decoding.splice(0, at + 1).slice(-1);
    try {
      if (this.#isOver || picture === undefined) return;
      const { width, height } = picture.config;
      drawPicture(this.#canvas, image, { width, height });
      this.#failures = 0;
    } finally {
      image.close();
    }
    this.#options.onDrawn?.(picture);
  }

  #fail(error: unknown): void {
    this.#close();
    this.#failures += 1;
    this.#isOver = this.#failures === MOST_FAILURES;
    if (this.#isOver) this.#options.onFailed(error);
    else this.#options.onLost();
  }

  #lose(): void {
    this.#next = undefined;
    this.#options.onLost();
  }

  #close(): void {
    if (this.#decoder !== undefined && this.#decoder.state !== 'closed') this.#decoder.close();
    this.#decoder = undefined;
    this.#next = undefined;
    this.#decoding = [];
  }
}
