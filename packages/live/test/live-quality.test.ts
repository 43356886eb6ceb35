import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LiveQuality } from '../src/video/live-encoder.js';

const SHARP = 40;
const taken = { jpegBytes: 200_000, isKey: false };

describe('the quality of a live video', () => {
  test('rises on a quick line while pictures are small, and falls while they are large', () => {
    const quality = new LiveQuality();
    const first = quality.moving;
    quality.learn({ ...taken, bytes: 30_000, waitMs: 5 });
    expect(quality.moving).toBeGreaterThan(first);
    for (let count = 0; count < 50; count += 1) quality.learn({ ...taken, bytes: 500, waitMs: 5 });
    expect(quality.moving).toBeLessThan(first);
    expect(quality.isLineSlow).toBe(false);
  });

  test('falls on a line that takes long, whatever the bytes, until it is quick again', () => {
    const quality = new LiveQuality();
    const first = quality.moving;
    quality.learn({ ...taken, bytes: 500, waitMs: 200 });
    expect(quality.isLineSlow).toBe(true);
    expect(quality.moving).toBeGreaterThan(first);
    const slow = quality.moving;
    quality.learn({ ...taken, bytes: 500, waitMs: 50 });
    expect(quality).toMatchObject({ isLineSlow: true, moving: slow });
    quality.learn({ ...taken, bytes: 500, waitMs: 5 });
    expect(quality.isLineSlow).toBe(false);
    expect(quality.moving).toBeLessThan(slow);
  });

  test('of a page at rest is sharp at once on a quick line, and step by step on a slow one', () => {
    const quality = new LiveQuality();
    expect(quality.sharper(140)).toBe(SHARP);
    quality.learn({ ...taken, bytes: 500, waitMs: 200 });
    const steps: number[] = [];
    for (let shown: number | undefined = 140; shown !== undefined; shown = quality.sharper(shown)) steps.push(shown);
    expect(steps).toEqual([140, 100, 60, SHARP]);
    expect(quality.sharper(SHARP)).toBeUndefined();
  });

  test('learns nothing of the bytes of key pictures and of those shown again', () => {
    const quality = new LiveQuality();
    const first = quality.moving;
    quality.learn({ ...taken, bytes: 150_000, isKey: true, waitMs: 5 });
    quality.learn({ bytes: 150_000, jpegBytes: undefined, isKey: false, waitMs: 5 });
    expect(quality.moving).toBe(first);
  });

  test('stays within what the codec has, and ends sharp, whatever the line does', () => {
    const pictures = fc.array(
      fc.record({
        bytes: fc.integer({ min: 1, max: 1_000_000 }),
        jpegBytes: fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined }),
        isKey: fc.boolean(),
        waitMs: fc.double({ min: 0, max: 5_000, noNaN: true }),
      }),
    );
    fc.assert(
      fc.property(pictures, all => {
        const quality = new LiveQuality();
        for (const picture of all) quality.learn(picture);
        expect(quality.moving).toBeGreaterThanOrEqual(SHARP);
        expect(quality.moving).toBeLessThanOrEqual(255);
        let shown: number | undefined = quality.moving;
        for (let step = 0; step < 10 && shown !== undefined; step += 1) shown = quality.sharper(shown);
        expect(shown).toBeUndefined();
      }),
    );
  });
});
