import { describe, expect, it } from 'vitest';
import { FramePainter } from '../../src/view/frame-painter.js';

/** A canvas and a decoder that count what is alive; a test decides when a picture is decoded. */
function easel() {
  const counts = { open: 0, mostOpen: 0, decodes: 0, drawn: [] as number[] };
  const decoding: { finish(): void; fail(): void }[] = [];
  const canvas = {
    width: 0,
    height: 0,
    getContext: () => ({ drawImage: (image: unknown) => counts.drawn.push((image as { id: number }).id) }),
  };
  const decode = (picture: Blob) => {
    counts.decodes += 1;
    return new Promise<ImageBitmap>((resolve, reject) => {
      decoding.push({
        fail: () => reject(new Error('broken')),
        finish: async () => {
          counts.open += 1;
          counts.mostOpen = Math.max(counts.mostOpen, counts.open);
          const id = new DataView(await picture.arrayBuffer()).getUint16(0);
          resolve({
            id,
            width: 1280,
            height: 720,
            close: () => {
              counts.open -= 1;
            },
          } as unknown as ImageBitmap);
        },
      });
    });
  };
  return { canvas, decode, decoding, counts };
}

const picture = (id: number) => ({ id, data: new Uint8Array([id >> 8, id & 255]) });
const settled = () => new Promise<void>(resolve => setImmediate(resolve));

describe('the painter', () => {
  it('draws a picture and says its size', async () => {
    const { canvas, decode, decoding } = easel();
    const drawn: [number, number][] = [];
    const painter = new FramePainter<ReturnType<typeof picture>>(canvas, {
      decode,
      onDrawn: ({ id }, count) => drawn.push([id, count]),
    });
    painter.paint(picture(7));
    decoding[0]?.finish();
    await settled();
    expect(drawn).toEqual([[7, 1]]);
    expect(painter.naturalSize).toEqual({ width: 1280, height: 720 });
    expect(painter.drawnFrames).toBe(1);
  });

  it('reads base64 too', async () => {
    const { canvas, decode, decoding, counts } = easel();
    new FramePainter(canvas, { decode }).paint({ data: btoa('\x01\x02') });
    decoding[0]?.finish();
    await settled();
    expect(counts.drawn).toEqual([0x0102]);
  });

  it('decodes one at a time and leaves out all but the last that came meanwhile', async () => {
    const { canvas, decode, decoding, counts } = easel();
    const painter = new FramePainter(canvas, { decode });
    for (let id = 1; id <= 50; id += 1) painter.paint(picture(id));
    expect(counts.decodes).toBe(1);
    decoding[0]?.finish();
    await settled();
    decoding[1]?.finish();
    await settled();
    expect(counts.drawn).toEqual([1, 50]);
    expect(decoding).toHaveLength(2);
  });

  it('goes on after a picture that is broken', async () => {
    const { canvas, decode, decoding, counts } = easel();
    const broken: unknown[] = [];
    const painter = new FramePainter(canvas, { decode, onBroken: error => broken.push(error) });
    painter.paint(picture(1));
    painter.paint(picture(2));
    decoding[0]?.fail();
    await settled();
    decoding[1]?.finish();
    await settled();
    expect(broken).toHaveLength(1);
    expect(counts.drawn).toEqual([2]);
  });

  it('closes a picture that is decoded after the end, and draws it not', async () => {
    const { canvas, decode, decoding, counts } = easel();
    const painter = new FramePainter(canvas, { decode });
    painter.paint(picture(1));
    painter.dispose();
    decoding[0]?.finish();
    await settled();
    expect(counts).toMatchObject({ open: 0, drawn: [] });
  });

  it('keeps no picture of 2,000', async () => {
    const { canvas, decode, decoding, counts } = easel();
    const painter = new FramePainter(canvas, { decode });
    for (let id = 0; id < 2000; id += 1) {
      painter.paint(picture(id));
      decoding.shift()?.finish();
      await settled();
    }
    expect(counts).toMatchObject({ open: 0, mostOpen: 1, decodes: 2000 });
    expect(counts.drawn).toHaveLength(2000);
  });
});
