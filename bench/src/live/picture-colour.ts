import { decode } from 'jpeg-js';
import { colours } from './pages.ts';

/** Pictures of one colour are few and always the same bytes: each is decoded once. */
const decoded = new Map<string, number | undefined>();
const mostKept = 100;
/** Most that JPEG may move a flat colour, in each channel. */
const tolerance = 6;

/** Which of the colour page's colours a frame shows, as its index; undefined when it shows none of them all over. */
export function colourShown(frame: Buffer): number | undefined {
  const key = frame.toString('latin1');
  if (!decoded.has(key)) {
    if (decoded.size >= mostKept) decoded.clear();
    decoded.set(key, flatColourOf(Buffer.from(key, 'base64')));
  }
  return decoded.get(key);
}

function flatColourOf(jpeg: Buffer): number | undefined {
  const { width, height, data } = decode(jpeg, { useTArray: true });
  const points = [0.1, 0.5, 0.9].flatMap(x => [0.1, 0.5, 0.9].map(y => ({ x, y })));
  const seen = points.map(({ x, y }) => {
    const offset = (Math.floor(y * height) * width + Math.floor(x * width)) * 4;
    const pixel = data.subarray(offset, offset + 3);
    return colours.findIndex(colour =>
      colour.every((value, index) => Math.abs(value - (pixel[index] ?? 0)) <= tolerance),
    );
  });
  const [first] = seen;
  return first !== undefined && first >= 0 && seen.every(index => index === first) ? first : undefined;
}
