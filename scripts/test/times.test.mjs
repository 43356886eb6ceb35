import { expect, test } from 'vitest';
import { byFolder, printedTimes, slowestFiles, timesOf } from '../testing/times.mjs';

/** @param {string} file @param {number} seconds */
const time = (file, seconds, loading = 1) => ({ file, seconds, loading, passed: true, tests: [] });

test("a report's milliseconds become seconds, its files paths from the root", () => {
  const assertionResults = [
    { fullName: 'clicks', status: 'passed', duration: 250 },
    { fullName: 'waits', status: 'failed', duration: null },
  ];
  const testResults = [
    { name: '/root/a/b.test.ts', status: 'failed', duration: 1_500, loading: 500, assertionResults },
  ];
  expect(timesOf({ testResults }, '/root/')).toEqual([
    {
      file: 'a/b.test.ts',
      passed: false,
      seconds: 1.5,
      loading: 0.5,
      tests: [
        { name: 'clicks', passed: true, seconds: 0.25 },
        { name: 'waits', passed: false, seconds: 0 },
      ],
    },
  ]);
});

test('the twenty slowest files are told, the slowest first', () => {
  const files = Array.from({ length: 30 }, (_, at) => time(`a/${at}.test.ts`, at));
  const slowest = slowestFiles(files);
  expect(slowest).toHaveLength(20);
  expect(slowest[0]?.file).toBe('a/29.test.ts');
});

test('folders are summed by themselves, without those inside', () => {
  const files = [time('a/one.test.ts', 1), time('a/b/two.test.ts', 4), time('a/b/three.test.ts', 5)];
  expect(byFolder(files)).toEqual([
    { folder: 'a/b', files: 2, seconds: 9, loading: 2 },
    { folder: 'a', files: 1, seconds: 1, loading: 1 },
  ]);
});

test('both tables are printed below the sums', () => {
  expect(printedTimes([time('a/one.test.ts', 90, 6), time('a/two.test.ts', 30, 6)], 75_000)).toBe(`\
2 test files took 1.25 minutes. Their workers spent 2.00 minutes on tests and hooks, 0.20 on loading files.

| Slowest files | tests, s | loading, s |
| ------------- | -------: | ---------: |
| a/one.test.ts |     90.0 |        6.0 |
| a/two.test.ts |     30.0 |        6.0 |

| Folder | files | tests, min | loading, min |
| ------ | ----: | ---------: | -----------: |
| a      |     2 |       2.00 |         0.20 |
`);
});
