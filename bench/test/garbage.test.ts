import { expect, test } from 'vitest';
import { garbage } from '../src/live/garbage.ts';
import { target } from '../src/live/pages.ts';

const texts = (isHostile: boolean) => garbage(10_000, isHostile).filter(message => typeof message === 'string');

test('every run is flooded with the same messages', () => {
  expect(garbage(500, true)).toEqual(garbage(500, true));
});

test('infinite and huge coordinates are among the hostile messages alone', () => {
  const huge = (isHostile: boolean) => texts(isHostile).filter(text => /[:-](1e308|1e999)/.test(text)).length;
  expect(huge(true)).toBeGreaterThan(100);
  expect(huge(false)).toBe(0);
});

test('no message presses on what the click after them is meant for', () => {
  const presses = texts(true).flatMap(text => {
    const [, x = '', y = ''] = /"mousePressed","x":([^,]+),"y":([^,}]+)/.exec(text) ?? [];
    return x === '' ? [] : [{ x: Number(x), y: Number(y) }];
  });
  const hits = presses.filter(({ x, y }) => Math.hypot(x - target.x, y - target.y) <= target.radius);
  expect(presses.length).toBeGreaterThan(50);
  expect(hits).toEqual([]);
});
