import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toShorten, type Weighed } from '../../src/prompt/past-results.js';

const results = (...kinds: (Weighed['kind'] | 'picture')[]): Weighed[] =>
  kinds.map((kind, step) => ({
    kind: kind === 'picture' ? 'reading' : kind,
    hasPicture: kind === 'picture',
    step,
    saves: 100,
  }));
const chosen = (all: Weighed[], batch = 0) => [...toShorten(all, batch)].sort((a, b) => a - b);

const anyResults = fc.array(
  fc.record({
    kind: fc.constantFrom<Weighed['kind']>('view', 'more', 'reading', 'change'),
    hasPicture: fc.boolean(),
    saves: fc.integer({ min: 0, max: 3000 }),
    alone: fc.boolean(),
  }),
  { maxLength: 60 },
);
const inSteps = (all: { kind: Weighed['kind']; hasPicture: boolean; saves: number; alone: boolean }[]): Weighed[] => {
  let step = 0;
  return all.map(({ alone, ...rest }) => ({ ...rest, step: alone ? ++step : step }));
};

describe('what is shortened', () => {
  it('is all before the newest view of the page but what was read last', () => {
    expect(chosen(results('view', 'change', 'reading', 'view', 'change'))).toEqual([0, 1]);
  });

  it('is no part of the newest view, however many parts it has', () => {
    expect(chosen(results('view', 'more', 'more', 'view', 'more', 'more', 'more'))).toEqual([0, 1, 2]);
  });

  it('is what changed longer ago than the five newest changes, but never the view they changed', () => {
    expect(chosen(results('view', ...Array<'change'>(8).fill('change')))).toEqual([1, 2, 3]);
  });

  it('is every picture but the newest, at once', () => {
    expect(chosen(results('view', 'picture', 'picture'), 10_000)).toEqual([1]);
  });

  it('waits until it is worth it, then goes together', () => {
    const views = results('view', 'view', 'view', 'view');
    expect(chosen(views.slice(0, 3), 300)).toEqual([]);
    expect(chosen(views, 300)).toEqual([0, 1, 2]);
  });

  it('is nothing that is short already', () => {
    const short = results('change', 'view', 'view').map((one, index) => (index === 0 ? { ...one, saves: 10 } : one));
    expect(chosen(short)).toEqual([1]);
  });

  it('is never the newest result, the newest view or the newest picture, and never comes back', () => {
    const property = fc.property(anyResults, fc.nat(5000), (some, batch) => {
      const all = inSteps(some);
      const whole = toShorten(all, batch);
      expect(whole.has(all.length - 1)).toBe(false);
      expect(whole.has(all.findLastIndex(({ kind }) => kind === 'view'))).toBe(false);
      expect(whole.has(all.findLastIndex(({ hasPicture }) => hasPicture))).toBe(false);
      const ends = all.flatMap(({ step }, index) => (all[index + 1]?.step === step ? [] : [index + 1]));
      for (const end of ends)
        for (const index of toShorten(all.slice(0, end), batch)) expect(whole.has(index)).toBe(true);
    });
    fc.assert(property);
  });

  it('leaves less than a batch that is out of date', () => {
    const property = fc.property(anyResults, fc.integer({ min: 1, max: 5000 }), (some, batch) => {
      const all = inSteps(some);
      const late = [...toShorten(all, 0)].filter(index => !toShorten(all, batch).has(index));
      expect(late.reduce((sum, index) => sum + (all[index]?.saves ?? 0), 0)).toBeLessThan(batch);
    });
    fc.assert(property);
  });
});
