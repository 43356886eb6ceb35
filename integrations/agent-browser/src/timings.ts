import { SHOWN_AFTER_MS } from './limits.js';

/**
 * How long an action waits for something that no event announces, in milliseconds. These are not options, because the
 * right values do not depend on who uses the toolset. Tests shorten them where the awaited change never comes.
 */
export interface Timings {
  /** How long a page that shows no change after an action is polled for one. */
  readonly firstChange: number;
  /** Animations that show or hide elements. */
  readonly fading: number;
  /** Content whose requests began during the action, or that the page marks as loading. */
  readonly content: number;
  /** A page that is still loading, until it is shown as it is. */
  readonly shown: number;
  /** A page that has the response to such a request and has yet to show it. */
  readonly response: number;
  /** The first attempt at a press or text entry. When it fails, the page is asked which element is in the way. */
  readonly firstTry: number;
  /** A disabled control whose page may be validating its fields or waiting for a response. */
  readonly enabled: number;
  /** An autocomplete that answers after a pause in typing. */
  readonly suggestions: number;
  /** A component that has yet to show the chosen option. */
  readonly choice: number;
  /** A component that has yet to show that it was switched on or off. */
  readonly toggle: number;
}

export const TIMINGS: Timings = {
  firstChange: 500,
  fading: 700,
  content: 2_000,
  shown: SHOWN_AFTER_MS,
  response: 150,
  firstTry: 1_500,
  enabled: 1_000,
  suggestions: 800,
  choice: 400,
  toggle: 150,
};
