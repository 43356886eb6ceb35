import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../bootstrap/layout.mjs';
import { goneIn, slowIn, slownessOf, slowTwice } from '../testing/ratchet.mjs';
import { slowTests } from '../testing/slow-tests.mjs';

const NOTHING = { record: { workerSeconds: 100, files: 10 }, files: {}, tests: {} };

/** @param {string} file @param {number} seconds @param {Record<string, number>} [tests] */
const time = (file, seconds, tests = {}, passed = true) => ({
  ...{ file, seconds, passed, loading: 0 },
  tests: Object.entries(tests).map(([name, each]) => ({ name, passed, seconds: each })),
});

test('a file over 30 s and a test over 5 s are slow', () => {
  const files = [time('a', 29, { waits: 4.9 }), time('b', 31, { 'b waits': 5.1 })];
  expect(slowIn(files, NOTHING, 1)).toEqual([
    { file: 'b', seconds: 31, limit: 30 },
    { file: 'b', test: 'b waits', seconds: 5.1, limit: 5 },
  ]);
});

test('what stands in the list may be slow, and nothing else in its file', () => {
  const list = { ...NOTHING, files: { a: 'all at once' }, tests: { a: { waits: 'ten seconds are the behaviour' } } };
  expect(slowIn([time('a', 60, { waits: 10, other: 6 })], list, 1)).toEqual([
    { file: 'a', test: 'other', seconds: 6, limit: 5 },
  ]);
});

test('what failed is not slow: it may have waited for what never came', () => {
  expect(slowIn([time('a', 200, { waits: 120 }, false)], NOTHING, 1)).toEqual([]);
});

test('limits grow with the machine', () => {
  const slowness = slownessOf({ workerSeconds: 60, files: 3 }, NOTHING.record);
  expect(slowness).toBe(2);
  expect(slowIn([time('a', 59, { waits: 9 })], NOTHING, slowness)).toEqual([]);
});

test('a faster machine lowers no limit, and more files raise none', () => {
  expect(slownessOf({ workerSeconds: 50, files: 10 }, NOTHING.record)).toBe(1);
  expect(slownessOf({ workerSeconds: 200, files: 20 }, NOTHING.record)).toBe(1);
});

test('a pause that hit one of two runs is forgiven', () => {
  const slow = slowIn([time('a', 40, { waits: 12 }), time('b', 31)], NOTHING, 1);
  expect(slowTwice(slow, [time('a', 29, { waits: 4 }), time('b', 32)])).toEqual([
    { file: 'b', seconds: 31, limit: 30 },
  ]);
});

test('what the second run does not tell of stays slow', () => {
  const slow = slowIn([time('a', 40), time('b', 40)], NOTHING, 1);
  expect(slowTwice(slow, [time('a', 1, {}, false)])).toEqual(slow);
});

test('entries for files and tests that are gone are named', () => {
  const list = { ...NOTHING, files: { gone: 'why' }, tests: { a: { waits: 'why', went: 'why' }, lost: { x: 'why' } } };
  expect(goneIn(list, file => file === 'a', [time('a', 1, { waits: 6 })])).toEqual(['gone', 'lost', 'a: went']);
});

test('the files of the real list are there, and its record is of a run', () => {
  expect(goneIn(slowTests, file => existsSync(join(root, file)), [])).toEqual([]);
  expect(slowTests.record.workerSeconds / slowTests.record.files).toBeGreaterThan(0);
});
