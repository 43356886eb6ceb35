export const MEBIBYTE = 2 ** 20;

export interface Spread {
  median: number;
  min: number;
  max: number;
  samples: number;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new Error('no samples to take a median of');
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The value that this share of all values does not exceed (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error('no samples to take a percentile of');
  return value;
}

export function spread(values: readonly number[]): Spread {
  return {
    median: round(median(values)),
    min: round(Math.min(...values)),
    max: round(Math.max(...values)),
    samples: values.length,
  };
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
