import { decodeVideoMessage, type LiveVideo, type VideoMessage } from '@browser-toolset/core/protocol';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { chunksOf } from './filmed-browser.js';
import type { TestViewer } from './viewing.js';

/** A decoded picture, seen by a page. */
export interface Seen {
  width: number;
  height: number;
  /** Of the pixel in the middle: red, green, blue. */
  middle: [number, number, number];
  /** How many pixels are of a strong red. */
  red: number;
}

/** Decodes video as a browser does, in a page of its own. */
export class Decoder {
  private constructor(readonly page: Page) {}

  static async open(browser: Browser | null): Promise<Decoder> {
    const context = await browser?.newContext();
    const page = await context?.newPage();
    if (context === undefined || page === undefined) throw new Error('There is no browser to decode with.');
    onTestFinished(() => context.close());
    await page.route('**', route => route.fulfill({ contentType: 'text/html', body: '<title>Decoder</title>' }));
    // Decoders are for secure contexts.
    await page.goto('https://decoder.invalid/');
    return new Decoder(page);
  }

  /** What is seen in each picture of a video that a viewer got. Rejects when one cannot be decoded. */
  async decode(viewer: TestViewer): Promise<Seen[]> {
    return this.page.evaluate(decodeAll, packed(viewer));
  }

  /** The size of each picture that a client sees which begins anew at each `video`, as the protocol tells it to. */
  async follow(viewer: TestViewer): Promise<{ width: number; height: number }[]> {
    const steps = viewer.received.flatMap<Packed>(message => {
      if ('video' in message) return [{ config: message.video, chunks: [] }];
      const chunk = 'frame' in message && typeof message.frame !== 'string' && decodeVideoMessage(message.frame);
      return chunk ? [{ config: undefined, chunks: [packedChunk(chunk)] }] : [];
    });
    return this.page.evaluate(followAll, steps);
  }

  /** How like the page's own picture (PNG) the last picture is, and a JPEG of it beside (SSIM of luma, 1 is equal). */
  async likeness(viewer: TestViewer, picture: { png: Buffer; jpeg: string }): Promise<{ video: number; jpeg: number }> {
    const given = { ...packed(viewer), png: picture.png.toString('base64'), jpeg: picture.jpeg };
    return this.page.evaluate(compare, given);
  }
}

interface PackedChunk {
  type: EncodedVideoChunkType;
  timestamp: number;
  data: string;
}

interface Packed {
  config: LiveVideo | undefined;
  chunks: PackedChunk[];
}

function packedChunk({ isKey, timestamp, data }: VideoMessage): PackedChunk {
  return { type: isKey ? 'key' : 'delta', timestamp, data: Buffer.from(data).toString('base64') };
}

/** The chunks since the last change of how they are decoded. */
function packed(viewer: TestViewer): Packed {
  return { config: viewer.values('video').at(-1), chunks: chunksOf(viewer).map(packedChunk) };
}

/** Runs in the page. */
async function followAll(steps: Packed[]): Promise<{ width: number; height: number }[]> {
  const seen: { width: number; height: number }[] = [];
  let failure: unknown;
  let decoder: VideoDecoder | undefined;
  const finish = async () => {
    await decoder?.flush().catch((reason: unknown) => {
      throw failure ?? reason;
    });
    decoder?.close();
  };
  for (const { config, chunks } of steps) {
    if (config !== undefined) {
      await finish();
      decoder = new VideoDecoder({
        output: frame => {
          seen.push({ width: frame.displayWidth, height: frame.displayHeight });
          frame.close();
        },
        error: reason => {
          failure = reason;
        },
      });
      decoder.configure({ codec: config.codec });
    }
    for (const { data, ...chunk } of chunks)
      decoder?.decode(new EncodedVideoChunk({ ...chunk, data: Uint8Array.from(atob(data), one => one.charCodeAt(0)) }));
  }
  await finish();
  return seen;
}

/** Runs in the page. */
async function decodeAll({ config, chunks }: Packed): Promise<Seen[]> {
  const seen: Seen[] = [];
  let failure: unknown;
  const decoder = new VideoDecoder({
    output: frame => {
      const { displayWidth: width, displayHeight: height } = frame;
      const context = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D;
      context.drawImage(frame, 0, 0);
      frame.close();
      const { data } = context.getImageData(0, 0, width, height);
      let red = 0;
      for (let at = 0; at < data.length; at += 4)
        if ((data[at] ?? 0) > 150 && (data[at + 1] ?? 0) < 100 && (data[at + 2] ?? 0) < 100) red += 1;
      const at = 4 * (Math.floor(height / 2) * width + Math.floor(width / 2));
      seen.push({ width, height, middle: [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0], red });
    },
    error: reason => {
      failure = reason;
    },
  });
  if (config === undefined) throw new Error('no config');
  decoder.configure({ codec: config.codec, codedWidth: config.codedWidth, codedHeight: config.codedHeight });
  for (const { data, ...chunk } of chunks)
    decoder.decode(new EncodedVideoChunk({ ...chunk, data: Uint8Array.from(atob(data), one => one.charCodeAt(0)) }));
  await decoder.flush().catch((reason: unknown) => {
    throw failure ?? reason;
  });
  decoder.close();
  return seen;
}

/** Runs in the page. */
async function compare({ config, chunks, png, jpeg }: Packed & { png: string; jpeg: string }) {
  const bytesOf = (data: string) => Uint8Array.from(atob(data), one => one.charCodeAt(0));
  const lumaOf = (picture: CanvasImageSource, width: number, height: number) => {
    const context = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const at = (index: number) => data[index] ?? 0;
    return Float32Array.from(
      { length: width * height },
      (_, index) => 0.299 * at(4 * index) + 0.587 * at(4 * index + 1) + 0.114 * at(4 * index + 2),
    );
  };
  const original = await createImageBitmap(new Blob([bytesOf(png)]));
  const { width, height } = original;
  const wanted = lumaOf(original, width, height);
  /** Structural similarity of blocks of 8 by 8 pixels (Wang et al., 2004). */
  const similarity = (luma: Float32Array) => {
    let sum = 0;
    let blocks = 0;
    for (let top = 0; top + 8 <= height; top += 8)
      for (let left = 0; left + 8 <= width; left += 8) {
        let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
        for (let index = 0; index < 64; index += 1) {
          const at = (top + (index >> 3)) * width + left + (index & 7);
          const [one, other] = [wanted[at] ?? 0, luma[at] ?? 0];
          [a, b, aa, bb, ab] = [a + one, b + other, aa + one * one, bb + other * other, ab + one * other];
        }
        [a, b] = [a / 64, b / 64];
        const [varianceA, varianceB, covariance] = [aa / 64 - a * a, bb / 64 - b * b, ab / 64 - a * b];
        sum +=
          ((2 * a * b + 6.5025) * (2 * covariance + 58.5225)) /
          ((a * a + b * b + 6.5025) * (varianceA + varianceB + 58.5225));
        blocks += 1;
      }
    return sum / blocks;
  };
  let last: VideoFrame | undefined;
  const decoder = new VideoDecoder({
    output: frame => {
      last?.close();
      last = frame;
    },
    error: () => undefined,
  });
  if (config === undefined) throw new Error('no config');
  decoder.configure({ codec: config.codec });
  for (const { data, ...chunk } of chunks) decoder.decode(new EncodedVideoChunk({ ...chunk, data: bytesOf(data) }));
  await decoder.flush();
  decoder.close();
  if (last === undefined) throw new Error('no picture');
  const video = similarity(lumaOf(last, width, height));
  last.close();
  return { video, jpeg: similarity(lumaOf(await createImageBitmap(new Blob([bytesOf(jpeg)])), width, height)) };
}
