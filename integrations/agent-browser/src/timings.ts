/**
 * How long an action waits for what no event announces, in milliseconds. No option: what is right here does not depend on
 * who uses the toolset. Tests that look at the answer to something that never comes make them short.
 */
export interface Timings {
  /** A page that shows no change of an action is looked at again for so long. */
  readonly firstChange: number;
  /** What comes or goes by animations is waited for. */
  readonly fading: number;
  /** Content that an action asked for, by requests that began with it. */
  readonly content: number;
  /** A page whose press or text did not get through is then asked what is in the way. */
  readonly firstTry: number;
  /** A disabled control whose page is checking its fields, or waits for an answer. */
  readonly enabled: number;
  /** An autocomplete that waits for a pause in the typing has answered. */
  readonly suggestions: number;
  /** A component shows the option that was chosen. */
  readonly choice: number;
  /** A component shows that it was turned on or off. */
  readonly toggle: number;
}

export const TIMINGS: Timings = {
  firstChange: 500,
  fading: 700,
  content: 1_500,
  firstTry: 1_500,
  enabled: 1_000,
  suggestions: 800,
  choice: 400,
  toggle: 150,
};
