import { encode } from 'jpeg-js';
import { expect, test } from 'vitest';
import { colours } from '../src/live/pages.ts';
import { colourShown } from '../src/live/picture-colour.ts';

type Colour = readonly [number, number, number];

/** A frame as a server sends it as text, in one colour above and another below. */
function frame(above: Colour, below: Colour = above): Buffer {
  const [width, height] = [160, 90];
  const pixels = Array.from({ length: width * height }, (_, index) => [
    ...(index < (width * height) / 2 ? above : below),
    255,
  ]);
  const jpeg = encode({ width, height, data: Buffer.from(pixels.flat()) }, 80).data;
  return Buffer.from(jpeg.toString('base64'));
}

test.each(colours.map((colour, index) => [index, colour] as const))(
  'colour %i is read from a frame',
  (index, colour) => {
    expect(colourShown(frame(colour))).toBe(index);
  },
);

test('a frame of another colour, or of two, shows none of them', () => {
  expect(colourShown(frame([255, 255, 255]))).toBeUndefined();
  expect(colourShown(frame(colours[0], colours[1]))).toBeUndefined();
});
