import { createRequire } from 'node:module';
import type * as Playwright from 'playwright-core';

/** The copy of playwright-core that agent-browser drives: a selector engine is registered with one instance of it only. */
export function loadPlaywright(): typeof Playwright {
  return createRequire(import.meta.url)('playwright-core') as typeof Playwright;
}

/** agent-browser's browser module, which is a part of this package (`scripts/bundle-vendored.mjs`). */
export async function loadBrowserManager(): Promise<typeof import('#vendored/agent-browser').BrowserManager> {
  const { BrowserManager } = await import('#vendored/agent-browser');
  return BrowserManager;
}
