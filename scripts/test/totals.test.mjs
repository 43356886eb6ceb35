import { expect, test } from 'vitest';
import { printedTotals, totalsOf } from '../testing/totals.mjs';

/** @param {string} status @param {string[]} tests */
const file = (status, ...tests) => ({ status, assertionResults: tests.map(outcome => ({ status: outcome })) });

/** @param {string} name @param {string} status @param {Record<string, string>} tests */
const named = (name, status, tests) => ({
  name,
  status,
  assertionResults: Object.entries(tests).map(([fullName, outcome]) => ({
    fullName,
    status: outcome,
    failureMessages: outcome === 'failed' ? ['Error: late\n  at somewhere'] : [],
  })),
});

test('tests are counted over all files, skipped ones as neither', () => {
  const testResults = [file('failed', 'passed', 'failed', 'skipped'), file('passed', 'passed', 'todo')];
  expect(totalsOf({ testResults })).toMatchObject({ passed: 2, failed: 1 });
});

test('a file that did not load is a failure', () => {
  expect(totalsOf({ testResults: [file('failed'), file('failed', 'passed')] })).toMatchObject({ passed: 1, failed: 2 });
});

test('failures are told with their file, their name and the first line of the reason', () => {
  const testResults = [named('/a.test.ts', 'failed', { clicks: 'failed', types: 'passed' })];
  expect(totalsOf({ testResults }).failures).toEqual([expect.stringMatching(/a\.test\.ts: clicks: Error: late$/)]);
});

test('the seed that a property or a trial failed with is told beside the reason', () => {
  const failureMessages = ['Error: Property failed after 3 tests\n{ seed: 42, path: "2" }\nCounterexample: []'];
  const testResults = [
    {
      name: '/a.test.ts',
      status: 'failed',
      assertionResults: [{ fullName: 'reads', status: 'failed', failureMessages }],
    },
  ];
  expect(totalsOf({ testResults }).failures[0]).toMatch(/reads: Error: Property failed after 3 tests … \{ seed: 42, /);
});

test('the totals are the last line', () => {
  expect(printedTotals({ testResults: [file('failed', 'failed', 'passed')] })).toMatch(/^✗ .*\n1 passed, 1 failed$/);
});
