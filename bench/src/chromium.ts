import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const candidates = [
  chromium.executablePath(),
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
];

/** The browser that every stack drives; CHROMIUM_PATH says which when it is not in a usual place. */
export function chromiumPath(): string {
  const path = process.env.CHROMIUM_PATH ?? candidates.find(existsSync);
  if (!path) throw new Error('No Chromium found: set CHROMIUM_PATH to the executable of one.');
  return path;
}

export const viewport = { width: 1280, height: 720 };
