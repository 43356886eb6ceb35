import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ViewportKeeper } from '../src/frames/screencast.js';

const WIDTH = 1230;
let heights: number[] = [];
let keeper: ViewportKeeper;

beforeEach(() => {
  vi.useFakeTimers();
  heights = [617];
  keeper = new ViewportKeeper({
    viewportSize: () => ({ width: WIDTH, height: heights.at(-1) ?? 0 }),
    setViewportSize: async ({ height }) => void heights.push(height),
  });
});
afterEach(() => vi.useRealTimers());

const frame = (height: number) => keeper.check({ width: WIDTH, height, offsetTop: 0 });
const aWhile = () => vi.advanceTimersByTimeAsync(1_000);

test('a page whose frames stay lower than its viewport is given another size and its own again', async () => {
  frame(530);
  frame(530);
  await aWhile();
  expect(heights).toEqual([617, 618, 617]);
});

test('frames of the size before, and those of a picture of the whole page, change nothing', async () => {
  frame(530);
  frame(617);
  frame(57_000);
  await aWhile();
  expect(heights).toEqual([617]);
});

test('a browser that keeps showing less is let be after three times', async () => {
  for (let times = 0; times < 5; times++) {
    frame(530);
    await aWhile();
  }
  expect(heights).toHaveLength(1 + 3 * 2);
});

test('a size that a person chose meanwhile stays', async () => {
  const set = heights.push.bind(heights);
  keeper = new ViewportKeeper({
    viewportSize: () => ({ width: WIDTH, height: heights.at(-1) ?? 0 }),
    setViewportSize: async ({ height }) => void set(height, 400),
  });
  frame(530);
  await aWhile();
  expect(heights).toEqual([617, 618, 400]);
});

test('nothing is done after the cast has ended', async () => {
  frame(530);
  keeper.stop();
  await aWhile();
  expect(heights).toEqual([617]);
});
