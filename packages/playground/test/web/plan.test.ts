import { describe, expect, test } from 'vitest';
import type { StepView } from '../../src/server/browser-agent/api.js';
import { evaluationOf } from '../../web/browser-agent/evaluation.js';
import { planOf } from '../../web/browser-agent/plan.js';

function stepWith(words: Partial<StepView>): StepView {
  const nothing = { url: '', title: '', actions: [], said: [], hasPicture: false, startedAt: 0 };
  return { step: 1, phase: 'acting', ...nothing, ...words };
}

const running = { status: 'running' } as const;

describe('a plan', () => {
  test('is what is done, then what is still to be done, the first of it now', () => {
    const step = stepWith({ progress: '- Opened the shop\n- Found the mug', plan: '1. Put it into the cart\n2) Pay' });
    expect(planOf([step], running)).toEqual([
      { text: 'Opened the shop', state: 'done' },
      { text: 'Found the mug', state: 'done' },
      { text: 'Put it into the cart', state: 'current' },
      { text: 'Pay', state: 'open' },
    ]);
  });

  test('believes marks more than the place where an item stands', () => {
    const step = stepWith({ plan: '- [x] Open\n[ ] Search\n✅ Log in\n* [>] Pay' });
    expect(planOf([step], running).map(({ state }) => state)).toEqual(['done', 'current', 'done', 'open']);
  });

  test('is the newest of each, and all done where the task is', () => {
    const steps = [stepWith({ progress: 'a', plan: 'b\nc' }), stepWith({ step: 2, plan: 'c' })];
    expect(planOf(steps, running).map(({ text }) => text)).toEqual(['a', 'c']);
    expect(planOf(steps, { status: 'ended', success: true }).map(({ state }) => state)).toEqual(['done', 'done']);
    expect(planOf(steps, { status: 'ended', success: false }).map(({ state }) => state)).toEqual(['done', 'open']);
  });

  test('is empty where the agent wrote none', () => {
    expect(planOf([stepWith({ nextGoal: 'Look' })], running)).toEqual([]);
  });
});

describe('an evaluation', () => {
  test.each([
    ['Success: the page is open', 'success', 'the page is open'],
    ['successfully logged in', 'success', 'logged in'],
    ['**Failed** - no such button', 'failed', 'no such button'],
    ['Failure', 'failed', ''],
    ['Unknown. Nothing was done yet', 'unknown', 'Nothing was done yet'],
    ['It may have worked', 'unknown', 'It may have worked'],
    ['Successor found', 'unknown', 'Successor found'],
  ])('%s', (text, verdict, words) => {
    expect(evaluationOf(text)).toEqual({ verdict, words });
  });
});
