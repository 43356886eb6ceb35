/** In units of the font: 1000 in an em. */
export interface Ink {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

const EM = 1000;
const ADVANCE = 600;
const [ASCENT, DESCENT] = [800, 200];
const [FIRST, LAST] = [0x20, 0x7e];

/**
 * A font (TrueType) all of whose letters are one block of ink, wherever that is: what a page loads is the same on every
 * machine. As the url of it.
 */
export function overhangingFont(ink: Ink): string {
  const glyph = block(ink);
  const tables: Record<string, Buffer> = {
    'OS/2': os2(),
    cmap: cmap(),
    glyf: glyph,
    head: head(ink),
    hhea: Buffer.concat([u32(0x10000), i16(ASCENT, -DESCENT, 0, ADVANCE, 0, 0, EM, 1), Buffer.alloc(14), i16(2)]),
    hmtx: i16(ADVANCE, 0, ADVANCE, ink.left),
    loca: Buffer.concat([u32(0), u32(0), u32(glyph.length)]),
    maxp: Buffer.concat([u32(0x10000), i16(2, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)]),
    name: i16(0, 0, 6),
    post: Buffer.concat([u32(0x30000), Buffer.alloc(28)]),
  };
  return `data:font/ttf;base64,${packed(tables).toString('base64')}`;
}

function packed(tables: Record<string, Buffer>): Buffer {
  const entries = Object.entries(tables);
  let offset = 12 + 16 * entries.length;
  const directory = [u32(0x10000), i16(entries.length, 128, 3, entries.length * 16 - 128)];
  const bodies: Buffer[] = [];
  for (const [tag, body] of entries) {
    directory.push(Buffer.from(tag), u32(checksum(body)), u32(offset), u32(body.length));
    bodies.push(body, Buffer.alloc((4 - (body.length % 4)) % 4));
    offset += Math.ceil(body.length / 4) * 4;
  }
  return Buffer.concat([...directory, ...bodies]);
}

function checksum(body: Buffer): number {
  const whole = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)]);
  let sum = 0;
  for (let at = 0; at < whole.length; at += 4) sum = (sum + whole.readUInt32BE(at)) >>> 0;
  return sum;
}

/** One contour of four points. */
function block({ left, right, bottom, top }: Ink): Buffer {
  const points = Buffer.from([1, 1, 1, 1]);
  const xs = i16(left, 0, right - left, 0);
  const ys = i16(bottom, top - bottom, 0, bottom - top);
  const all = Buffer.concat([i16(1, left, bottom, right, top, 3, 0), points, xs, ys]);
  return Buffer.concat([all, Buffer.alloc((4 - (all.length % 4)) % 4)]);
}

/** Format 4: every letter is the second glyph. */
function cmap(): Buffer {
  const letters = new Array<number>(LAST - FIRST + 1).fill(1);
  const length = 14 + 2 * 8 + 2 + 2 * letters.length;
  const segments = [LAST, 0xffff, 0, FIRST, 0xffff, 0, 1, 4, 0];
  const subtable = i16(4, length, 0, 4, 4, 1, 0, ...segments, ...letters);
  return Buffer.concat([i16(0, 1, 3, 1), u32(12), subtable]);
}

function head({ left, right, bottom, top }: Ink): Buffer {
  return Buffer.concat([
    u32(0x10000),
    u32(0x10000),
    u32(0),
    u32(0x5f0f3cf5),
    i16(0, EM),
    Buffer.alloc(16),
    i16(left, bottom, right, top, 0, 8, 2, 1, 0),
  ]);
}

function os2(): Buffer {
  const metrics = i16(4, ADVANCE, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0);
  const range = i16(0x40, FIRST, LAST, ASCENT, -DESCENT, 0, ASCENT, DESCENT);
  return Buffer.concat([
    metrics,
    Buffer.alloc(26),
    Buffer.from('NONE'),
    range,
    Buffer.alloc(8),
    i16(500, 700, 0, 0x20, 1),
  ]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

function i16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, 2 * at);
  return bytes;
}
