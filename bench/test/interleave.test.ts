import { expect, onTestFinished, test, vi } from 'vitest';
import { interleave } from '../src/interleave.ts';

test('every subject runs once a round, in orders that differ, warm-ups uncounted', async () => {
  const calls: string[] = [];
  const subject = (name: string) => ({ name, run: async () => calls.push(name) });
  const samples = await interleave(['a', 'b', 'c'].map(subject), { warmUps: 1, rounds: 11 });
  const rounds = calls.join('').match(/.{3}/g) ?? [];
  expect(rounds.map(round => [...round].sort().join(''))).toEqual(Array.from({ length: 12 }, () => 'abc'));
  expect(new Set(rounds).size).toBeGreaterThan(3);
  expect(samples.get('a')).toHaveLength(11);
});

test('what prepares a subject is not timed', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const takes = (milliseconds: number) => async () => vi.advanceTimersByTime(milliseconds);
  const subject = { name: 'a', run: takes(7), prepare: takes(50) };
  expect((await interleave([subject], { warmUps: 0, rounds: 1 })).get('a')).toEqual([7]);
});
