import type { Size } from '#page-engine/dom/geometry.js';

export interface VideoSettings {
  /** WebCodecs codec string. */
  codec: string;
  /** VP9 quantizer: 0 is the best quality, 63 the worst. */
  quantizer: number;
  /** The largest width and height of a new video, in pixels. */
  maxSide: number;
  /** Size of a video that has begun; taken from the first picture when left out. */
  size?: Size;
}

/** A screencast frame to encode. */
export interface EncoderPicture {
  /** JPEG in base64. */
  picture: string;
  /** Shape of what it shows, in any unit: Chromium may still paint the page as it was before its viewport changed. */
  shape?: Size;
  /** Milliseconds since the start of the video. */
  at: number;
  /** It is a key frame, to which players can seek. */
  isKey: boolean;
  /** Position of an action, from the left and the top, in widths of the picture. */
  mark?: { x: number; y: number } | undefined;
}

export interface Packet {
  /** Base64. */
  data: string;
  isKey: boolean;
  /** Milliseconds since the start of the video. */
  at: number;
}

export interface Encoded {
  packets: Packet[];
  size: Size;
}

const MARK_RADIUS_PX = 14;

export function createVideoEncoder(settings: VideoSettings): PageVideoEncoder {
  return new PageVideoEncoder(settings);
}

/** Encodes frames with WebCodecs, in a page that does nothing else. */
export class PageVideoEncoder {
  readonly #canvas = new OffscreenCanvas(2, 2);
  readonly #context: OffscreenCanvasRenderingContext2D;
  readonly #coder: VideoEncoder;
  #chunks: EncodedVideoChunk[] = [];
  #error: unknown;

  constructor(readonly settings: VideoSettings) {
    const context = this.#canvas.getContext('2d', { alpha: false });
    if (context === null) throw new Error('no canvas');
    this.#context = context;
    this.#coder = new VideoEncoder({
      output: chunk => void this.#chunks.push(chunk),
      error: reason => {
        this.#error = reason;
      },
    });
    if (settings.size !== undefined) this.#configure(settings.size);
  }

  async encode(drawing: EncoderPicture): Promise<Encoded> {
    const picture = await createImageBitmap(new Blob([bytesOf(drawing.picture)], { type: 'image/jpeg' }));
    if (this.#coder.state === 'unconfigured') this.#configure(this.#sizeOf(picture, drawing.shape));
    this.#draw(picture, drawing);
    picture.close();
    const image = new VideoFrame(this.#canvas, { timestamp: drawing.at * 1000 });
    const options = { keyFrame: drawing.isKey, vp9: { quantizer: this.settings.quantizer } };
    this.#coder.encode(image, options);
    image.close();
    await this.#coder.flush();
    if (this.#error !== undefined) throw this.#error;
    const { width, height } = this.#canvas;
    return { packets: await Promise.all(this.#chunks.splice(0).map(packetOf)), size: { width, height } };
  }

  close(): void {
    this.#coder.close();
  }

  /** A size that holds the first picture and all later ones of its page. */
  #sizeOf(picture: Size, shape: Size = picture): Size {
    const width = Math.max(picture.width, (picture.height * shape.width) / shape.height);
    const height = (width * shape.height) / shape.width;
    const scale = Math.min(1, this.settings.maxSide / Math.max(width, height));
    // Chroma has one sample for two by two pixels, so sizes must be even.
    const even = (length: number): number => Math.max(2, 2 * Math.floor(Math.round(length * scale) / 2));
    return { width: even(width), height: even(height) };
  }

  #configure({ width, height }: Size): void {
    Object.assign(this.#canvas, { width, height });
    this.#coder.configure({
      ...{ codec: this.settings.codec, width, height, latencyMode: 'realtime', contentHint: 'text' },
      bitrateMode: 'quantizer' as VideoEncoderBitrateMode,
    });
  }

  /** Draws the whole picture centred and as large as it fits: a tab of another shape gets bars at its sides. */
  #draw(picture: ImageBitmap, { mark }: EncoderPicture): void {
    const { width, height } = this.#canvas;
    const scale = Math.min(width / picture.width, height / picture.height);
    const shown = { width: picture.width * scale, height: picture.height * scale };
    const left = (width - shown.width) / 2;
    const top = (height - shown.height) / 2;
    this.#context.fillStyle = 'black';
    this.#context.fillRect(0, 0, width, height);
    this.#context.drawImage(picture, left, top, shown.width, shown.height);
    if (mark !== undefined) this.#drawMark(left + mark.x * shown.width, top + mark.y * shown.width);
  }

  #drawMark(x: number, y: number): void {
    const context = this.#context;
    context.beginPath();
    context.arc(x, y, MARK_RADIUS_PX, 0, 2 * Math.PI);
    context.fillStyle = 'rgb(0 120 255 / 30%)';
    context.fill();
    context.lineWidth = 3;
    context.strokeStyle = 'rgb(0 120 255)';
    context.stroke();
  }
}

async function packetOf(chunk: EncodedVideoChunk): Promise<Packet> {
  return { data: await base64Of(chunk), isKey: chunk.type === 'key', at: chunk.timestamp / 1000 };
}

export async function base64Of(chunk: EncodedVideoChunk): Promise<string> {
  const bytes = new Uint8Array(chunk.byteLength);
  chunk.copyTo(bytes);
  const reader = new FileReader();
  const read = new Promise(resolve => reader.addEventListener('loadend', resolve));
  reader.readAsDataURL(new Blob([bytes]));
  await read;
  return String(reader.result).split(',')[1] ?? '';
}

/** Not by `fetch`: the DevTools protocol would report the whole data URL, which costs more than to encode it. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
