import { expect, test } from 'vitest';
import { costOf } from '../src/prompt/prompt-tokens.ts';
import type { Prompt } from '../src/prompt/scripted-model.ts';
import { judgePrompt } from '../src/report/prompt-report.ts';

const said = (...texts: string[]): Prompt => texts.map(text => ({ role: 'user', content: [{ type: 'text', text }] }));
const cost = (last: number, sum: number) => ({ last, sum, cached: 0, charged: sum });

test('what a prompt shares with the one before it, from its beginning on, can come from a cache', () => {
  const grows = costOf([said('one'), said('one', 'two'), said('one', 'two', 'three')]);
  expect(grows).toEqual({ last: 3, sum: 6, cached: 0.5, charged: 3 });
  const changes = costOf([said('one', 'two'), said('four', 'two')]);
  expect(changes).toMatchObject({ sum: 4, cached: 0 });
});

test('the bar holds for the last prompt and for all of them', () => {
  const verdict = (last: number, sum: number) =>
    judgePrompt({ shop: { whole: cost(300, 900), batches: cost(last, sum) } }).map(({ pass }) => pass);
  expect(verdict(100, 300)).toEqual([true]);
  expect(verdict(101, 300)).toEqual([false]);
  expect(verdict(100, 301)).toEqual([false]);
});
