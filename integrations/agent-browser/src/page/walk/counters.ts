import type { Known } from './known.js';

/** The low bits of a fingerprint are about all of an element, the high ones about its words. */
const ALL_BITS = 2 ** 32;

/** @param words Hash of role, name and the words of the row; 0 when the row has none. */
export function fingerprintFrom(all: number, words: number): number {
  // Never 0, which stands for "any".
  return (words >>> 12) * ALL_BITS + (all || 1);
}

function wordsIn(fingerprint: number): number {
  return Math.floor(fingerprint / ALL_BITS);
}

/**
 * Judges rows of which only numbers have changed that stand by themselves. A counter, a price or a clock ticks all the
 * time, and an element that is refused at each tick could never be used; but order 17 is not order 18. So such a number is
 * let pass where the words of the row are what told it from the rows of its namesakes, each of which said something else.
 * Where there are no such rows the element is refused once; when the agent, who was told what the row says now, means it all
 * the same, the numbers of that row do not count any more. A number within words ("Order #17") always counts.
 */
export class Counters {
  readonly #refused = new WeakMap<Known, number>();

  isOnlyCount(known: Known, { was, now }: { was: number; now: number }, all: Iterable<Known>): boolean {
    const words = wordsIn(was);
    if (words === 0 || wordsIn(now) !== words) return false;
    const others = namesakesOf(known, all);
    if (wordsIn(known.fingerprint) !== words || others.some(other => wordsIn(other.fingerprint) === words))
      return false;
    const refused = this.#refused.get(known);
    if (others.length > 0 || (refused !== undefined && refused !== was && wordsIn(refused) === words)) return true;
    this.#refused.set(known, was);
    return false;
  }
}

function namesakesOf(known: Known, all: Iterable<Known>): Known[] {
  return [...all].filter(other => other !== known && other.capture === known.capture && other.said === known.said);
}
