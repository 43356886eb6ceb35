/** How much of something is tried. */
export interface Sizes<Size = number> {
  /** By `npm test`. */
  slice: Size;
  /** By `npm run soak`. */
  full: Size;
}

/** Minutes that pass on a quiet machine, and a busy one is many times as slow. */
const SLICE_LIMIT = 300_000;
const FULL_LIMIT = 3_600_000;

/**
 * Trials are tests that try at random, or try more than anyone waits for. `npm test` makes a slice of them, the same each
 * time; with `TRIALS=full`, as `npm run soak` sets it, all are made. `TRIALS_SEED=17` makes the one with that seed alone, and
 * both together make all of those that count from a seed, from that one on.
 */
export class Trials {
  readonly #isFull: boolean;
  readonly #seed: number | undefined;

  constructor({ TRIALS, TRIALS_SEED }: Record<string, string | undefined>) {
    if (TRIALS !== undefined && TRIALS !== 'full') throw new Error(`TRIALS is 'full' or not set, not '${TRIALS}'.`);
    if (TRIALS_SEED !== undefined && !/^\d+$/.test(TRIALS_SEED))
      throw new Error(`TRIALS_SEED is a number, not '${TRIALS_SEED}'.`);
    this.#isFull = TRIALS === 'full';
    this.#seed = TRIALS_SEED === undefined ? undefined : Number(TRIALS_SEED);
  }

  /** Whether a single trial was asked for. What only several of them are sure to see is not asked of it. */
  get isOne(): boolean {
    return this.#seed !== undefined && !this.#isFull;
  }

  /** What chance begins with. */
  get seed(): number {
    return this.#seed ?? 1;
  }

  /** The limit of time for a test that makes trials, in milliseconds. */
  get limit(): number {
    return this.#isFull ? FULL_LIMIT : SLICE_LIMIT;
  }

  /** How much is tried within a trial. One that is made alone is made whole, for it is one that failed. */
  size<Size>({ slice, full }: Sizes<Size>): Size {
    return this.#isFull || this.isOne ? full : slice;
  }

  /** The seeds of the trials to make. */
  seeds({ slice, full, first = 1 }: Sizes & { first?: number }): number[] {
    const count = this.isOne ? 1 : this.size({ slice, full });
    return Array.from({ length: count }, (_, i) => (this.#seed ?? first) + i);
  }

  /** The trials to make of a table. */
  of<Row extends { seed: number }>(table: readonly Row[], isInSlice: (row: Row, index: number) => boolean): Row[] {
    if (this.#isFull) return [...table];
    const made = table.filter((row, i) => (this.isOne ? row.seed === this.#seed : isInSlice(row, i)));
    if (made.length === 0)
      throw new Error(`There is no such trial. The seeds are ${table.map(({ seed }) => seed).join(', ')}.`);
    return made;
  }

  /** Parameters for fast-check, which names the seed when it fails. */
  runs(sizes: Sizes): { numRuns: number; seed: number } {
    return { numRuns: this.size(sizes), seed: this.seed };
  }
}

export const trials = new Trials(process.env);

/** What the message of a trial that failed begins with. */
export function seedNote(seed: number): string {
  return `seed ${seed} (alone: TRIALS_SEED=${seed})`;
}
