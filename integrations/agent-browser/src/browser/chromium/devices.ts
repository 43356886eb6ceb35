import type { devices } from 'playwright-core';
import { z } from 'zod/v4';
import { loadPlaywright } from './agent-browser.js';

/** A Playwright device descriptor: viewport, user agent, pixel ratio, touch. */
type Device = (typeof devices)[string];

/** The device descriptor of this name, ignoring case. */
export function deviceNamed(name: string): { name: string; device: Device } | undefined {
  const { devices: known } = loadPlaywright();
  const found = Object.keys(known).find(each => each.toLowerCase() === name.trim().toLowerCase());
  const device = found === undefined ? undefined : known[found];
  return found === undefined || device === undefined ? undefined : { name: found, device };
}

export function noSuchDevice(name: string): string {
  const wordsIn = (text: string): string[] => text.toLowerCase().match(/[a-z]+|\d+/g) ?? [];
  const wanted = wordsIn(name);
  const score = (candidate: string): number => wanted.filter(word => wordsIn(candidate).includes(word)).length;
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

const OWN_CONTEXT = ['userAgent', 'locale', 'timezoneId', 'proxy', 'colorScheme', 'device'] as const;

type OwnContextOption = (typeof OWN_CONTEXT)[number] | 'ignoreHTTPSErrors';

type ContextOptions = { readonly [Name in OwnContextOption]?: unknown };

interface Browser {
  profile?: string | undefined;
  cdpUrl?: unknown;
  scope?: 'thread' | 'shared' | undefined;
}

export function ownContextOptions(config: ContextOptions): OwnContextOption[] {
  const set = OWN_CONTEXT.filter(option => config[option] !== undefined);
  return config.ignoreHTTPSErrors ? [...set, 'ignoreHTTPSErrors'] : set;
}

export function isPersonsContext({ cdpUrl, scope }: Omit<Browser, 'profile'>): boolean {
  return typeof cdpUrl === 'string' && scope === 'shared';
}

/** Whether sessions use the browser's default context, whose device cannot be set. */
export function joinsContext({ profile, cdpUrl, scope }: Browser): boolean {
  return profile !== undefined || typeof cdpUrl === 'function' || isPersonsContext({ cdpUrl, scope });
}
