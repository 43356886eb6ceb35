import { expect, test } from 'vitest';
import { trials } from '../../../../scripts/testing/trials.js';
import type { Churn } from './churn-site.js';
import { ALL_CHANGES, churnTrials, expectHonest, NAMES, RENDERS, SHAPES } from './churn-trials.js';

const { actThrough } = churnTrials();

test('clicks the item that a ref named or refuses, after lists of every shape have changed', {
  timeout: trials.limit,
}, async () => {
  const table = SHAPES.flatMap((shape, i) =>
    RENDERS.map((render, j): Churn => {
      const names = (i + j) % 2 === 0 ? 'same' : 'hostile';
      return { shape, render, names, ops: ALL_CHANGES, when: 'push', seed: i * 10 + j };
    }),
  );
  // Each shape once, each render in five of them.
  const churns = trials.of(table, (_, n) => (Math.floor(n / 3) + n) % 3 === 0);
  const tally = await actThrough('push', churns, { actions: { slice: 1, full: 3 } });
  expectHonest(tally);
  expect(tally.notFollowed).toEqual([]);
  if (trials.isOne) return;
  expect(Object.keys(tally.changes).sort()).toEqual(ALL_CHANGES.split(',').sort());
  expect(tally.right).toBeGreaterThan(0);
  expect(tally.recovered).toBeGreaterThan(0);
  expect(tally.followed).toBeGreaterThan(0);
});

test('clicks no other item where rows have no element of their own and each takes what the next one showed', {
  timeout: trials.limit,
}, async () => {
  const table = (['cells', 'boxes', 'terms'] as const).flatMap((shape, i) =>
    RENDERS.map((render, j): Churn => {
      return { shape, render, names: 'same', ops: 'rotate', when: 'push', seed: 500 + i * 10 + j };
    }),
  );
  // Each shape and each render once.
  const churns = trials.of(table, ({ seed }) => [500, 511, 522].includes(seed));
  const tally = await actThrough('rotated', churns, { actions: { slice: 2, full: 3 } });
  expectHonest(tally);
  if (!trials.isOne) expect(tally.refused.ref_changed).toBeGreaterThan(0);
});

test('clicks no other item after a single-page app has gone to another route', {
  timeout: trials.limit,
}, async () => {
  const table = RENDERS.flatMap((render, i) =>
    NAMES.map((names, j): Churn => {
      return { shape: 'li', render, names, ops: 'route,shuffle', when: 'push', seed: 200 + i * 10 + j };
    }),
  );
  // Each kind of names once, each render at least once, and lists of which one is only shuffled.
  const churns = trials.of(table, ({ seed }) => [202, 211, 220, 223].includes(seed));
  const tally = await actThrough('route', churns, { actions: { slice: 1, full: 3 } });
  expectHonest(tally);
  if (!trials.isOne) expect(tally.changes.route).toBeGreaterThan(0);
});
