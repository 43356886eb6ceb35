import type { devices } from 'playwright-core';
import { loadPlaywright } from './agent-browser.js';

/** Playwright's description of a device: viewport, user agent, pixels, touch. */
export type Device = (typeof devices)[string];

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
  const hint = like.length === 0 ? 'names are those of Playwright, such as "iPhone 15"' : `like it: ${like.join(', ')}`;
  return `there is no device ${JSON.stringify(name.slice(0, 100))}; ${hint}`;
}
