import { describe, expect, test } from 'vitest';
import { seedNote, Trials } from '../testing/trials.js';

const SIZES = { slice: 3, full: 5 };
const TABLE = [10, 11, 20, 21].map(seed => ({ seed }));
const isFirst = (_row: object, index: number): boolean => index === 0;
const seedsOf = (rows: { seed: number }[]) => rows.map(({ seed }) => seed);

describe('trials', () => {
  test('are a slice unless something else is asked for', () => {
    const trials = new Trials({});
    expect(trials.seeds(SIZES)).toEqual([1, 2, 3]);
    expect(trials.seeds({ ...SIZES, first: 16 })).toEqual([16, 17, 18]);
    expect(trials.size(SIZES)).toBe(3);
    expect(seedsOf(trials.of(TABLE, isFirst))).toEqual([10]);
    expect(trials.runs(SIZES)).toEqual({ numRuns: 3, seed: 1 });
  });

  test('are all of them in a soak', () => {
    const trials = new Trials({ TRIALS: 'full' });
    expect(trials.seeds(SIZES)).toEqual([1, 2, 3, 4, 5]);
    expect(trials.size(SIZES)).toBe(5);
    expect(seedsOf(trials.of(TABLE, isFirst))).toEqual([10, 11, 20, 21]);
    expect(trials.runs(SIZES)).toEqual({ numRuns: 5, seed: 1 });
  });

  test('begin where a soak is told to', () => {
    const trials = new Trials({ TRIALS: 'full', TRIALS_SEED: '40' });
    expect(trials.seeds({ ...SIZES, first: 16 })).toEqual([40, 41, 42, 43, 44]);
    expect(seedsOf(trials.of(TABLE, isFirst))).toEqual([10, 11, 20, 21]);
    expect(trials.runs(SIZES)).toEqual({ numRuns: 5, seed: 40 });
    expect(trials.isOne).toBe(false);
  });

  test('are the one that a failure named, as a soak makes it', () => {
    const trials = new Trials({ TRIALS_SEED: '20' });
    expect(trials.seeds(SIZES)).toEqual([20]);
    expect(trials.size(SIZES)).toBe(5);
    expect(seedsOf(trials.of(TABLE, isFirst))).toEqual([20]);
    expect(trials.isOne).toBe(true);
    expect(seedNote(20)).toContain('TRIALS_SEED=20');
  });

  test('are never none', () => {
    expect(() => new Trials({ TRIALS_SEED: '5' }).of(TABLE, isFirst)).toThrow('10, 11, 20, 21');
    expect(() => new Trials({}).of(TABLE, () => false)).toThrow('no such trial');
  });

  test.each([{ TRIALS: 'all' }, { TRIALS_SEED: 'h' }, { TRIALS_SEED: '' }])('take no %j', env => {
    expect(() => new Trials(env)).toThrow("not '");
  });
});
