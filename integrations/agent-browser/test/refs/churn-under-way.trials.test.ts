import { expect, test } from 'vitest';
import { trials } from '../../../../scripts/testing/trials.js';
import type { Churn } from './churn-site.js';
import { ALL_CHANGES, churnTrials, expectHonest, NAMES, RENDERS, SHAPES } from './churn-trials.js';

const { actThrough } = churnTrials();

test('clicks no other item when the list changes while the action is under way', {
  timeout: trials.limit,
}, async () => {
  const whens = ['move:0', 'move:8', 'enter', 'down:0', 'interval:7', 'interval:40', 'frame'];
  const table = whens.flatMap((when, i) =>
    RENDERS.map((render, j): Churn => {
      const shape = SHAPES[(i * 3 + j) % SHAPES.length] ?? 'li';
      return { shape, render, names: j === 1 ? 'plain' : 'same', ops: ALL_CHANGES, when, seed: 100 + i * 10 + j };
    }),
  );
  // Each moment once, each render in two of them at least.
  const churns = trials.of(table, (_, n) => n % 3 === Math.floor(n / 3) % 3);
  const tally = await actThrough('under way', churns, { actions: { slice: 2, full: 6 } });
  expectHonest(tally);
  if (!trials.isOne) expect([...tally.changedWhen]).toEqual(whens);
});

test('clicks no other item inside a frame', { timeout: trials.limit }, async () => {
  const whens = ['push', 'move:0', 'interval:30'];
  const table = whens.flatMap((when, i) =>
    RENDERS.map((render, j): Churn => {
      return { shape: i === 1 ? 'tr' : 'li', render, names: 'same', ops: ALL_CHANGES, when, seed: 300 + i * 10 + j };
    }),
  );
  // Each moment and each render once.
  const churns = trials.of(table, ({ seed }) => [302, 310, 321].includes(seed));
  const tally = await actThrough('frame', churns, { path: '/framed', actions: { slice: 1, full: 3 } });
  expectHonest(tally);
  if (trials.isOne) return;
  expect(Object.keys(tally.changes)).not.toEqual([]);
  expect([...tally.changedWhen]).toEqual(['move:0', 'interval:30']);
});

test('clicks no other item on pages that churn at random', { timeout: trials.limit }, async () => {
  const churns = trials.seeds({ slice: 4, full: 18, first: 1000 }).map(randomChurn);
  expectHonest(await actThrough('random', churns, { actions: { slice: 2, full: 4 } }));
});

function randomChurn(seed: number): Churn {
  const dice = (sides: number, salt: number): number => Math.abs(Math.imul(seed * 31 + salt, 0x9e3779b1) >>> 8) % sides;
  const pick = <T>(from: readonly T[], salt: number): T => from[dice(from.length, salt)] as T;
  const whens = ['push', 'push', `move:${dice(30, 5)}`, `down:${dice(4, 6)}`, `interval:${5 + dice(60, 7)}`, 'enter'];
  return {
    shape: pick(SHAPES, 1),
    render: pick(RENDERS, 2),
    names: pick(NAMES, 3),
    ops: pick([ALL_CHANGES, 'shuffle', 'scroll', 'rerender', 'route,rotate', 'insert,remove'], 4),
    when: pick(whens, 8),
    seed,
  };
}
