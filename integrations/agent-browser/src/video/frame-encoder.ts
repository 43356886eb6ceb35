import type { ScreencastFrame } from '@browser-toolset/core';
import type { JSHandle, Page } from 'playwright-core';

/** VP9, which every browser plays, with 8 bits a colour; the level allows all sizes that a screencast can have. */
export const CODEC = 'vp09.00.51.08';
/** 0 is the best, 63 the worst: text stays sharp, and a change of a few letters takes some hundred bytes. */
const QUANTIZER = 28;

export interface Size {
  width: number;
  height: number;
}

/** A picture of the video. */
export interface Drawing {
  frame: ScreencastFrame;
  /** Milliseconds since the beginning. */
  at: number;
  /** It can be shown without those before it: players jump there. */
  isKey: boolean;
  /** Where an action takes place, in CSS pixels of the viewport. */
  mark: { x: number; y: number } | undefined;
}

/** A picture as it stands in the file. */
export interface Packet {
  /** Base64. */
  data: string;
  isKey: boolean;
  /** Milliseconds since the beginning. */
  at: number;
}

export interface Encoded {
  packets: Packet[];
  /** Of the video: that of its first frame. */
  size: Size;
}

interface PageEncoder {
  encode(drawing: Drawing): Promise<Encoded>;
  close(): void;
}

/** Encodes frames with WebCodecs, in a page that has nothing else to do. */
export class FrameEncoder {
  private constructor(readonly encoder: JSHandle<PageEncoder>) {}

  /**
   * @param page One in a secure context: others have no WebCodecs.
   * @param size Of a video that has begun.
   */
  static async open(page: Page, size: Size | undefined): Promise<FrameEncoder> {
    return new FrameEncoder(
      await page.evaluateHandle(makeEncoder, { codec: CODEC, quantizer: QUANTIZER, begun: size }),
    );
  }

  encode(drawing: Drawing): Promise<Encoded> {
    return this.encoder.evaluate((encoder, given) => encoder.encode(given), drawing);
  }

  async close(): Promise<void> {
    await this.encoder.evaluate(encoder => encoder.close());
    await this.encoder.dispose();
  }
}

/** Runs in the page. */
function makeEncoder({ codec, quantizer, begun }: { codec: string; quantizer: number; begun: Size | undefined }) {
  let size = begun;
  let error: unknown;
  const chunks: EncodedVideoChunk[] = [];
  const canvas = new OffscreenCanvas(2, 2);
  const context = canvas.getContext('2d', { alpha: false });
  if (context === null) throw new Error('no canvas');
  const coder = new VideoEncoder({
    output: chunk => void chunks.push(chunk),
    error: reason => {
      error = reason;
    },
  });

  /** Whole, in the middle, as large as it fits: a tab of another shape has bars at its sides. */
  const draw = (picture: ImageBitmap, { frame, mark }: Drawing): void => {
    const { width, height } = canvas;
    const scale = Math.min(width / picture.width, height / picture.height);
    const shown = { width: picture.width * scale, height: picture.height * scale };
    const left = (width - shown.width) / 2;
    const top = (height - shown.height) / 2;
    context.fillStyle = 'black';
    context.fillRect(0, 0, width, height);
    context.drawImage(picture, left, top, shown.width, shown.height);
    if (mark === undefined) return;
    const perPixel = shown.width / frame.viewport.width;
    const y = top + (mark.y + (frame.viewport.offsetTop ?? 0)) * perPixel;
    context.beginPath();
    context.arc(left + mark.x * perPixel, y, 14, 0, 2 * Math.PI);
    context.fillStyle = 'rgb(255 160 0 / 30%)';
    context.fill();
    context.lineWidth = 3;
    context.strokeStyle = 'rgb(255 160 0)';
    context.stroke();
  };

  const start = ({ width, height }: Size): Size => {
    canvas.width = width;
    canvas.height = height;
    coder.configure({
      ...{ codec, width, height, latencyMode: 'realtime', contentHint: 'text' },
      bitrateMode: 'quantizer' as VideoEncoderBitrateMode,
    });
    return { width, height };
  };

  const inBase64 = async (chunk: EncodedVideoChunk): Promise<string> => {
    const data = new Uint8Array(chunk.byteLength);
    chunk.copyTo(data);
    const reader = new FileReader();
    const read = new Promise(resolve => reader.addEventListener('loadend', resolve));
    reader.readAsDataURL(new Blob([data]));
    await read;
    return String(reader.result).split(',')[1] ?? '';
  };

  return {
    async encode(drawing: Drawing): Promise<Encoded> {
      const picture = await createImageBitmap(
        await (await fetch(`data:image/jpeg;base64,${drawing.frame.data}`)).blob(),
      );
      // Half of the colours' pixels are kept, so that odd sizes have none.
      const even = (length: number): number => Math.max(2, length - (length % 2));
      size ??= { width: even(picture.width), height: even(picture.height) };
      if (coder.state === 'unconfigured') start(size);
      draw(picture, drawing);
      picture.close();
      const image = new VideoFrame(canvas, { timestamp: drawing.at * 1000 });
      const options = { keyFrame: drawing.isKey, vp9: { quantizer } };
      coder.encode(image, options);
      image.close();
      await coder.flush();
      if (error !== undefined) throw error;
      const packets = chunks.splice(0).map(async chunk => ({
        data: await inBase64(chunk),
        isKey: chunk.type === 'key',
        at: chunk.timestamp / 1000,
      }));
      return { packets: await Promise.all(packets), size };
    },
    close: () => coder.close(),
  };
}
