import { expect, test } from 'vitest';
import { percentile } from '../src/statistics.ts';

test('a percentile is a value that was measured, of samples in any order', () => {
  const values = Array.from({ length: 40 }, (_, index) => ((index * 7) % 40) + 1);
  expect([percentile(values, 0.5), percentile(values, 0.95), percentile(values, 1)]).toEqual([20, 38, 40]);
  expect(percentile([3], 0.95)).toBe(3);
});
