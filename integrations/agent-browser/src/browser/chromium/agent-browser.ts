import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as Playwright from 'playwright-core';

const entry = (): string => createRequire(import.meta.url).resolve('agent-browser/package.json');

/** agent-browser's copy of playwright-core: a selector engine is registered with one instance of the library only. */
export function loadPlaywright(): typeof Playwright {
  return createRequire(entry())('playwright-core') as typeof Playwright;
}

/**
 * Imports agent-browser's browser module by its path. The package entry also loads phone drivers: 700 modules, which
 * cost the first launch half a second and each garbage collection 20 MB, and one of which installs source maps for all
 * errors of the process. The version is pinned, so the path is stable.
 */
export async function loadBrowserManager(): Promise<typeof import('agent-browser').BrowserManager> {
  const { BrowserManager }: typeof import('agent-browser') = await import(
    new URL('dist/browser.js', pathToFileURL(entry())).href
  );
  return BrowserManager;
}
