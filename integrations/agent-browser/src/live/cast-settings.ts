import type { ScreencastOptions } from '@browser-toolset/core';
import type { Thinning } from './frame-thinner.js';

/** The settings of a cast; `minInterval` is the least time between two frames in milliseconds. */
export type CastOptions = Omit<ScreencastOptions, 'threadId'> & Partial<Thinning>;

/** How frames are taken: the options with their defaults. */
export type CastSettings = Required<CastOptions>;

/** Larger than any picture that Chromium can make, in pixels. */
const MAX_SIDE = 16_384;

/** Invariant: Chromium accepts the result, so that a cast which cannot start is the page's doing and worth a retry. */
export function castSettings(options: CastOptions): CastSettings {
  return {
    format: options.format === 'png' ? 'png' : 'jpeg',
    quality: integerIn(0, 100, options.quality ?? 80),
    maxWidth: integerIn(1, MAX_SIDE, options.maxWidth ?? 1280),
    maxHeight: integerIn(1, MAX_SIDE, options.maxHeight ?? 720),
    everyNthFrame: integerIn(1, 1000, options.everyNthFrame ?? 1),
    minInterval: options.minInterval ?? 0,
  };
}

function integerIn(least: number, most: number, value: number): number {
  return Number.isNaN(value) ? most : Math.min(Math.max(Math.round(value), least), most);
}
