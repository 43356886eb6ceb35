import { expect, test } from 'vitest';
import { trials } from '../../../../scripts/testing/trials.js';
import type { Churn } from './churn-site.js';
import { churnTrials, RENDERS } from './churn-trials.js';

const { actThrough } = churnTrials();

test('types into no other field and selects in no other list', { timeout: trials.limit }, async () => {
  const table = (['field', 'area', 'list'] as const).flatMap((control, i) =>
    ['push', 'interval:13', 'interval:40'].flatMap((when, j) =>
      RENDERS.map((render, k): Churn => {
        const seed = 400 + i * 100 + j * 10 + k;
        return { shape: 'li', render, names: k + (j % 2) === 2 ? 'plain' : 'same', ops: 'rotate', when, seed, control };
      }),
    ),
  );
  // Each control at each moment, each render in three of these.
  const churns = trials.of(table, (_, n) => (Math.floor(n / 9) + Math.floor(n / 3) + n) % 3 === 0);
  const tally = await actThrough('fields', churns, { actions: { slice: 1, full: 4 } });
  expect(tally.wrong).toEqual([]);
  if (!trials.isOne) expect(tally.right).toBeGreaterThan(0);
});
