import { median, round } from '../statistics.ts';

/** How many times the floor's value a stack's value is: a ratio for each round, and the middle one of them. */
export interface FloorRatio {
  median: number;
  rounds: number[];
}

/** Both values of a round were taken within seconds of each other, so what slows the machine slows both. */
export function ratioToFloor(values: readonly number[], floor: readonly number[] | undefined): FloorRatio | undefined {
  if (!floor || values.length === 0) return undefined;
  const rounds = values.map((value, index) => value / (floor[index] ?? Number.NaN));
  return { median: round(median(rounds), 3), rounds: rounds.map(ratio => round(ratio, 3)) };
}
