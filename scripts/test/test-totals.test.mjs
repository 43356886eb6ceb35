import { expect, test } from 'vitest';
import { filesToRepeat, totalsOf } from '../test-totals.mjs';

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

test('a second attempt decides about its files, and what needed it is told', () => {
  const first = { testResults: [named('/a', 'failed', { one: 'failed' }), named('/b', 'failed', { two: 'failed' })] };
  const second = { testResults: [named('/a', 'passed', { one: 'passed' }), named('/b', 'failed', { two: 'failed' })] };
  const totals = totalsOf(first, second);
  expect(totals).toMatchObject({ passed: 1, failed: 1 });
  expect(totals.unsteady).toEqual([expect.stringContaining('one')]);
  expect(totals.failures).toEqual([expect.stringContaining('two')]);
});

test('files about refs and about trust get no second attempt', () => {
  const names = ['/x/test/refs/churn.test.ts', '/x/test/policy/egress.test.ts', '/x/test/tools/wait.test.ts'];
  const testResults = names.map(name => named(name, 'failed', { one: 'failed' }));
  expect(filesToRepeat({ testResults })).toEqual(['/x/test/tools/wait.test.ts']);
});
