import { expect, test } from 'vitest';
import { slowestFiles, totalsOf } from '../test-totals.mjs';

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

test('the slowest files come first', () => {
  const testResults = [
    { ...named('/a', 'passed', {}), startTime: 0, endTime: 1_400 },
    { ...named('/b', 'passed', {}), startTime: 0, endTime: 90_000 },
  ];
  expect(slowestFiles({ testResults })).toEqual([
    { name: '/b', seconds: 90 },
    { name: '/a', seconds: 1 },
  ]);
});
