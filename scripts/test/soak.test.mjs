import { expect, test } from 'vitest';
import { planOf } from '../testing/soak.mjs';

const FILES = ['a/test/churn.trials.test.ts', 'a/test/click.test.ts', 'b/test/http.trials.alone.test.ts'];
const [churn = '', , http = ''] = FILES;

test('a soak is all trials, then sessions', () => {
  expect(planOf([], FILES)).toEqual({ trials: [churn, http], sessions: [], seed: undefined });
});

test('one kind of trials is chosen by a part of its name', () => {
  expect(planOf(['--only', 'chu', '--seed', '7'], FILES)).toEqual({ trials: [churn], sessions: undefined, seed: '7' });
});

test('sessions are chosen by their folder, and get their options and the seed', () => {
  const { trials, sessions } = planOf(['--only', 'bench', '--sessions', '50', '--seed', '7'], FILES);
  expect(trials).toEqual([]);
  expect(sessions).toEqual(['--seed', '7', '--sessions', '50']);
});

test('a name that nothing has is answered with those there are', () => {
  expect(() => planOf(['--only', 'chrun'], FILES)).toThrow('churn, http, bench');
});
