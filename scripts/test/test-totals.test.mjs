import { expect, test } from 'vitest';
import { totalsOf } from '../test-totals.mjs';

/** @param {string} status @param {string[]} tests */
const file = (status, ...tests) => ({ status, assertionResults: tests.map(outcome => ({ status: outcome })) });

test('tests are counted over all files, skipped ones as neither', () => {
  const testResults = [file('failed', 'passed', 'failed', 'skipped'), file('passed', 'passed', 'todo')];
  expect(totalsOf({ testResults })).toEqual({ passed: 2, failed: 1 });
});

test('a file that did not load is a failure', () => {
  expect(totalsOf({ testResults: [file('failed'), file('failed', 'passed')] })).toEqual({ passed: 1, failed: 2 });
});
