import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as Playwright from 'playwright-core';

const entry = (): string => createRequire(import.meta.url).resolve('agent-browser/package.json');

/**
 * The playwright-core that agent-browser uses. A selector engine is registered with one instance of playwright-core, so
 * that in a consumer with a version of its own, ours must be agent-browser's.
 */
export function loadPlaywright(): typeof Playwright {
  return createRequire(entry())('playwright-core') as typeof Playwright;
}

/**
 * agent-browser's entry loads drivers of phones as well: 700 modules, which take the first launch half a second and every
 * collection of garbage 20 MB to walk, and one of which hooks source maps into all errors of the process. Its version is
 * pinned, so what drives browsers is where it was.
 */
export async function loadBrowserManager(): Promise<typeof import('agent-browser').BrowserManager> {
  const { BrowserManager }: typeof import('agent-browser') = await import(
    new URL('dist/browser.js', pathToFileURL(entry())).href
  );
  return BrowserManager;
}
