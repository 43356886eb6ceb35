/** How long a rerun looks for an element, in milliseconds. No option: tests of what is not there make it short. */
export interface Waits {
  /** At least, and at most: an element has twice the time that its action took when it was recorded. */
  readonly shortest: number;
  readonly longest: number;
  /** Between two looks, while nothing tells that the page has changed. */
  readonly between: number;
}

export const WAITS: Waits = { shortest: 5_000, longest: 60_000, between: 1_000 };
