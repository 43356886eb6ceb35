import { expect, test } from 'vitest';
import { ratioToFloor } from '../src/live/floor-ratio.ts';
import type { LiveResults } from '../src/live/live.ts';
import { judgeLive } from '../src/report/live-bars.ts';
import { liveTables } from '../src/report/live-tables.ts';

const arrivals = (median: number, came = 9) => ({
  ms: came === 0 ? undefined : { median, min: median, max: median, samples: came },
  came,
  of: 9,
});
const input = (rounds: number[], lost = 0) => ({
  ours: {
    p50: 20,
    p95: 30,
    clicks: 40,
    lost,
    againstFloor: ratioToFloor(
      rounds,
      rounds.map(() => 1),
    ),
  },
});
const slow = (seconds: number, rssGrowth: number) => ({
  ours: {
    seconds,
    rateBefore: 50,
    rateBeside: 49,
    rssGrowth,
    bufferGrowth: 0,
    resumed: { stale: 30, caughtUpAfter: 25 },
  },
});
const verdicts = (results: Omit<LiveResults, 'rounds'>) => judgeLive({ rounds: 9, ...results }).map(({ pass }) => pass);

test('what was not measured is neither judged nor shown', () => {
  expect(judgeLive(undefined)).toEqual([]);
  expect(judgeLive({ rounds: 9 })).toEqual([]);
  expect(liveTables({ rounds: 9 })).toEqual([]);
});

test('the middle one of the rounds decides against the floor', () => {
  const [ratio] = judgeLive({ rounds: 9, input: input([0.9, 0.9, 1, 1.05, 1.2, 3, 4]) });
  expect(ratio?.measured).toContain('1.05x, median of 7 rounds');
  expect(verdicts({ input: input([0.9, 0.9, 1, 1.05, 1.2, 3, 4]) })).toEqual([true]);
  expect(verdicts({ input: input([0.9, 0.9, 1, 1.11, 1.2, 3, 4]) })).toEqual([false]);
});

test('fewer than seven rounds draw no conclusion from the floor', () => {
  expect(verdicts({ input: input([0.5, 0.5, 0.5]) })).toEqual([undefined]);
});

test('a click whose frame never came fails the bar, however quick the others were', () => {
  expect(verdicts({ input: input([1, 1, 1, 1, 1, 1, 1], 1) })).toEqual([false]);
});

test('a viewer who sometimes gets no first frame fails the bar', () => {
  expect(verdicts({ firstFrame: { ours: { first: arrivals(20), late: arrivals(5, 8) } } })).toEqual([true, false]);
});

test('a shorter time than promised can fail the growth of the server, but not show that it is small', () => {
  expect(verdicts({ slow: slow(20, 5) })[1]).toBe(true);
  expect(verdicts({ slow: slow(4, 5) })[1]).toBeUndefined();
  expect(verdicts({ slow: slow(4, 30) })[1]).toBe(false);
});

test('ten megabytes are not ten mebibytes', () => {
  expect(verdicts({ slow: slow(20, 9.6) })[1]).toBe(false);
});

test('a click that never shows is said to have no effect', () => {
  const garbage = {
    ours: { messages: 10_000, isHostile: true, clickMs: undefined, logLines: 3, isDisconnected: false },
  };
  expect(judgeLive({ rounds: 9, garbage })[0]).toMatchObject({ measured: 'no effect', pass: false });
});

test('a stack that never shows a late viewer anything reads so in the table', () => {
  const firstFrame = { mastra: { first: arrivals(20), late: arrivals(0, 0) } };
  const [table] = liveTables({ rounds: 9, firstFrame });
  expect(table?.rows[1]).toEqual(['the same for a late viewer, ms', '-', '-', 'never']);
});
