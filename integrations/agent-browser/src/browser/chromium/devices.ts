import type { devices } from 'playwright-core';
import { z } from 'zod/v4';
import { loadPlaywright } from './agent-browser.js';

/** Playwright's description of a device: viewport, user agent, pixels, touch. */
type Device = (typeof devices)[string];

/** The device with a name, however its letters are cased. */
export function deviceNamed(name: string): { name: string; device: Device } | undefined {
  const { devices: known } = loadPlaywright();
  const found = Object.keys(known).find(each => each.toLowerCase() === name.trim().toLowerCase());
  const device = found === undefined ? undefined : known[found];
  return found === undefined || device === undefined ? undefined : { name: found, device };
}

/** Says that there is no such device, and which there are like it. */
export function noSuchDevice(name: string): string {
  const words = name.toLowerCase().match(/[a-z]+|\d+/g) ?? [];
  const score = (candidate: string): number =>
    words.filter(word =>
      candidate
        .toLowerCase()
        .split(/[\s\-()]+/)
        .includes(word),
    ).length;
  const like = Object.keys(loadPlaywright().devices)
    .map(candidate => ({ candidate, score: score(candidate) }))
    .filter(each => each.score > 0 && !each.candidate.endsWith('landscape'))
    .sort((a, b) => b.score - a.score)
    .slice(0, 6)
    .map(({ candidate }) => JSON.stringify(candidate));
  const hint = like.length === 0 ? 'use a Playwright device name such as "iPhone 15"' : `similar: ${like.join(', ')}`;
  return `there is no device ${JSON.stringify(name.slice(0, 100))}; ${hint}`;
}

export const size = z.strictObject({
  width: z.number().int().min(1).max(10_000),
  height: z.number().int().min(1).max(10_000),
});

export const geolocationField = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  accuracy: z.number().min(0).max(1_000_000).optional(),
});

export const colorScheme = z.enum(['light', 'dark', 'no-preference']);

/** Options that only a new context can be given. */
const OWN_CONTEXT = ['userAgent', 'locale', 'timezoneId', 'proxy', 'colorScheme', 'device'] as const;

type OwnContextOption = (typeof OWN_CONTEXT)[number] | 'ignoreHTTPSErrors';

/** Options as far as they say whose a context is. */
type ContextOptions = { readonly [Name in OwnContextOption]?: unknown };

interface Browser {
  profile?: string | undefined;
  cdpUrl?: unknown;
  scope?: 'thread' | 'shared' | undefined;
}

/** Those of the options that only a new context can be given. */
export function ownContextOptions(config: ContextOptions): OwnContextOption[] {
  const set = OWN_CONTEXT.filter(option => config[option] !== undefined);
  return config.ignoreHTTPSErrors ? [...set, 'ignoreHTTPSErrors'] : set;
}

/** Whether the session has the pages of a person's own browser. */
export function isPersonsContext({ cdpUrl, scope }: Omit<Browser, 'profile'>): boolean {
  return typeof cdpUrl === 'string' && scope === 'shared';
}

/** Whether sessions use the context that a browser came with, whose device is its own. */
export function joinsContext({ profile, cdpUrl, scope }: Browser): boolean {
  return profile !== undefined || typeof cdpUrl === 'function' || isPersonsContext({ cdpUrl, scope });
}
