import { expect, test } from 'vitest';
import { judge } from '../src/report/bars.ts';
import type { BenchResults } from '../src/report/results.ts';

const empty: BenchResults = {
  date: '2026-11-22',
  machine: { cores: 2, memoryGiB: 24, platform: 'linux-x64' },
  versions: {},
  rounds: 1,
};
const variant = (ms: number, tokens: number) => {
  const times = { median: ms, min: ms, max: ms, samples: 1 };
  return { ms: times, rested: times, tokens, chars: 0 };
};

function pageOf(page: string, times: { ours: number; aria: number; walk: number }) {
  const variants = {
    'ours/interactive': variant(times.ours, 10),
    'playwright/aria': variant(times.aria, 90),
    'playwright/walk': variant(times.walk, 0),
  };
  return { page, kind: 'saved' as const, elements: 1_000, variants };
}

test('what was not measured is not judged', () => {
  expect(judge(empty)).toEqual([]);
});

test('one page over the limit fails the latency bar, and is named', () => {
  const snapshots = [pageOf('quick', { ours: 4, aria: 50, walk: 5 }), pageOf('slow', { ours: 9, aria: 50, walk: 5 })];
  const [aria, walk] = judge({ ...empty, snapshots });
  expect(aria).toMatchObject({ pass: false });
  expect(aria?.measured).toContain('worst 0.180x (slow), 1 of 2 pages within');
  expect(walk).toMatchObject({ pass: true });
});

test('a page beyond 3,000 elements does not count for latency', () => {
  const snapshots = [{ ...pageOf('grid', { ours: 90, aria: 100, walk: 5 }), kind: 'grid' as const, elements: 5_000 }];
  expect(judge({ ...empty, snapshots }).filter(({ what }) => what.includes('latency'))).toEqual([]);
});

test('12 KB of schemas are 12,288 bytes', () => {
  const size = (bytes: number) => judge({ ...empty, schemas: { ours: { tools: 19, bytes, tokens: 1 } } })[0]?.pass;
  expect([size(12_288), size(12_289)]).toEqual([true, false]);
});
