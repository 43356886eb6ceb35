import type { Size } from '#page-engine/dom/geometry.js';
import { base64Of, bytesOf } from './video-encoder.js';

export interface LiveEncoderSettings {
  /** WebCodecs codec string. */
  codec: string;
}

/** How to encode a picture: the one that was loaded since the last, or that one again. */
export interface LivePicture {
  /** Microseconds since the start of the video. */
  at: number;
  isKey: boolean;
  /** From 0, the best quality, to 255: Chromium takes it as the quantizer's index of VP9 (`base_q_idx`, seen in 156). */
  quantizer: number;
}

export interface LiveChunk extends Size {
  /** Base64. */
  data: string;
  isKey: boolean;
}

const USUAL: Size = { width: 1280, height: 720 };

/** Rejects where the browser does not encode this codec. */
export async function createLiveEncoder({ codec }: LiveEncoderSettings): Promise<PageLiveEncoder> {
  const { supported } = await VideoEncoder.isConfigSupported(configOf(codec, USUAL));
  if (supported !== true) throw new Error(`this browser does not encode ${codec}`);
  return new PageLiveEncoder(codec);
}

/** Encodes the frames of a live view with WebCodecs, each in its own size, in a page that does nothing else. */
export class PageLiveEncoder {
  readonly #coder: VideoEncoder;
  #chunks: EncodedVideoChunk[] = [];
  #error: unknown;
  #picture: VideoFrame | undefined;
  /** The picture that was loaded while another was encoded. */
  #next: VideoFrame | undefined;
  #loads = 0;
  /** Number of the latest load that has ended: decoders may end in another order than they began. */
  #latest = 0;
  #size: Size = { width: 0, height: 0 };

  constructor(readonly codec: string) {
    this.#coder = new VideoEncoder({
      output: chunk => void this.#chunks.push(chunk),
      error: reason => {
        this.#error = reason;
      },
    });
  }

  /**
   * Takes the next picture, a JPEG in base64, also while another is encoded. It keeps the colours of its JPEG: each
   * conversion would cost some of them, and time.
   */
  async load(picture: string): Promise<void> {
    this.#loads += 1;
    const number = this.#loads;
    const type = 'image/jpeg';
    const decoder = new ImageDecoder({ data: bytesOf(picture), type });
    const { image } = await decoder.decode();
    decoder.close();
    if (number < this.#latest) {
      image.close();
      return;
    }
    this.#latest = number;
    this.#next?.close();
    this.#next = image;
  }

  async encode({ at, isKey, quantizer }: LivePicture): Promise<LiveChunk> {
    if (this.#next !== undefined) {
      this.#picture?.close();
      this.#picture = this.#next;
      this.#next = undefined;
    }
    if (this.#picture === undefined) throw new Error('no picture to encode');
    const isNewSize = this.#fit(this.#picture);
    const image = new VideoFrame(this.#picture, { timestamp: at });
    const options = { keyFrame: isKey || isNewSize, vp9: { quantizer } };
    this.#coder.encode(image, options);
    image.close();
    await this.#coder.flush();
    if (this.#error !== undefined) throw this.#error;
    const [chunk] = this.#chunks.splice(0);
    if (chunk === undefined) throw new Error('the encoder dropped a picture');
    return { ...this.#size, data: await base64Of(chunk), isKey: chunk.type === 'key' };
  }

  close(): void {
    this.#picture?.close();
    this.#next?.close();
    this.#coder.close();
  }

  /** Answers whether the size is new: Chromium would go on with deltas, which no decoder that begins anew can read. */
  #fit({ displayWidth: width, displayHeight: height }: VideoFrame): boolean {
    if (this.#size.width === width && this.#size.height === height) return false;
    this.#size = { width, height };
    this.#coder.configure(configOf(this.codec, this.#size));
    return true;
  }
}

function configOf(codec: string, size: Size): VideoEncoderConfig {
  const bitrateMode = 'quantizer' as VideoEncoderBitrateMode;
  return { codec, ...size, latencyMode: 'realtime', contentHint: 'text', bitrateMode };
}
