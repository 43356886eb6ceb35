import { expect, test } from 'vitest';
import { interleave } from '../src/interleave.ts';

test('every subject runs once a round, in an order that rotates, warm-ups uncounted', async () => {
  const calls: string[] = [];
  const subject = (name: string) => ({ name, run: async () => calls.push(name) });
  const samples = await interleave([subject('a'), subject('b')], { warmUps: 1, rounds: 2 });
  expect(calls.join('')).toBe('ababba');
  expect(samples.get('a')).toHaveLength(2);
});

test('what prepares a subject is not timed', async () => {
  const slowly = () => new Promise(resolve => setTimeout(resolve, 50));
  const samples = await interleave([{ name: 'a', run: async () => {}, prepare: slowly }], { warmUps: 0, rounds: 1 });
  expect(samples.get('a')?.[0]).toBeLessThan(25);
});
