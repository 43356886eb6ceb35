/** The low bits of a fingerprint are about all of an element, the high ones about what tells its row beside numbers. */
const ALL_BITS = 2 ** 32;

/** @param words Hash of role, name and what else tells the row; 0 when nothing does. */
export function fingerprintFrom(all: number, words: number): number {
  // Never 0, which stands for "any".
  return (words >>> 12) * ALL_BITS + (all || 1);
}

function wordsIn(fingerprint: number): number {
  return Math.floor(fingerprint / ALL_BITS);
}

export function isSameText(fingerprint: number, other: number): boolean {
  return fingerprint % ALL_BITS === other % ALL_BITS;
}

/** Whether two elements are called the same in rows that are told by the same words. */
export function hasSameWords(fingerprint: number, other: number): boolean {
  return wordsIn(fingerprint) !== 0 && wordsIn(fingerprint) === wordsIn(other);
}
