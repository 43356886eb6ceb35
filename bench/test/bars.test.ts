import { expect, test } from 'vitest';
import { judge } from '../src/report/bars.ts';
import type { BenchResults } from '../src/report/results.ts';

const empty: BenchResults = {
  date: '2026-11-22',
  machine: { cores: 2, memoryGiB: 24, platform: 'linux-x64' },
  versions: {},
  rounds: 1,
};
/** A page on which every look took so long, after whatever change. */
function changedPage(page: string, times: { ours: number; aria: number; walk: number }, elements = 1_000) {
  const spreadOf = (ms: number) => ({ median: ms, min: ms, max: ms, samples: 1 });
  const looks = {
    'ours/interactive': spreadOf(times.ours),
    'playwright/aria': spreadOf(times.aria),
    'playwright/walk': spreadOf(times.walk),
  };
  return { page, elements, moments: { node: looks, text: looks, class: looks, list: looks, load: looks } };
}

test('what was not measured is not judged', () => {
  expect(judge(empty)).toEqual([]);
});

test('one page over the limit fails the bar of a page that has changed, and is named', () => {
  const changed = [
    changedPage('quick', { ours: 10, aria: 50, walk: 9 }),
    changedPage('middling', { ours: 10, aria: 50, walk: 9 }),
    changedPage('slow', { ours: 30, aria: 50, walk: 25 }),
  ];
  const [aria, walk] = judge({ ...empty, changed });
  expect(aria).toMatchObject({ pass: false, measured: 'median 0.20x, worst 0.60x (slow)' });
  expect(walk).toMatchObject({ pass: true });
});

test('a page beyond 3,000 elements does not count for these', () => {
  const changed = [changedPage('grid', { ours: 90, aria: 100, walk: 5 }, 5_000)];
  expect(judge({ ...empty, changed })).toEqual([]);
});

test('one action on the page of a framework over the limit fails its bar, and is named; a late change that nobody told fails another', () => {
  const spreadOf = (ms: number) => ({ median: ms, min: ms, max: ms, samples: 1 });
  const timesOf = (ours: number) => ({ ours: spreadOf(ours), playwright: spreadOf(10) });
  const told = (own: number, nextFirst: number) => ({
    ours: { tries: 10, own, next: 10 - own, nextFirst, ms: spreadOf(1) },
  });
  const framework = {
    actions: { type: timesOf(20), check: timesOf(25), hover: timesOf(70), evaluate: timesOf(25) },
    late: {
      'after 150 ms': told(10, 0),
      'after 350 ms': told(10, 0),
      'by a request of 250 ms': told(10, 0),
      'suggestions after 300 ms': told(10, 0),
      'a search debounced by 200 ms': told(10, 0),
      'a validation 300 ms after blur': told(0, 10),
      'after 1,200 ms': told(0, 9),
    },
  };
  expect(judge({ ...empty, framework })).toMatchObject([
    { pass: false, measured: 'median 2.50x, worst 7.00x (hover)' },
    { pass: true, measured: '25.0 / 10.0 ms' },
    { pass: true, measured: '40 of 40' },
    { pass: false, measured: '19 of 20 (20 told)' },
  ]);
});

test('12 KB of schemas are 12,288 bytes', () => {
  const size = (bytes: number) => judge({ ...empty, schemas: { ours: { tools: 19, bytes, tokens: 1 } } })[0]?.pass;
  expect([size(12_288), size(12_289)]).toEqual([true, false]);
});
