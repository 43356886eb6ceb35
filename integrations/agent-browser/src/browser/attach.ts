import type { Browser } from 'playwright-core';
import type { ResolvedConfig } from '../config.js';
import { plainMessage } from '../outcome/errors.js';
import { definedOnly } from './context-options.js';
import type { HostOwner, Started } from './host.js';
import { loadPlaywright } from './playwright.js';

/**
 * Attaches to a running browser with Playwright itself: agent-browser's way sends no headers and refuses a browser
 * without an open page.
 */
export async function attach(endpoint: unknown, { config, files }: HostOwner): Promise<Started> {
  if (typeof endpoint !== 'string' || endpoint === '')
    throw new Error('The option cdpUrl is a function and answered with no url.');
  const browser = await connect(endpoint, config, files.temporaryFolder());
  return { browser, ownContext: browser.contexts()[0] ?? null, isLaunched: false, stop: () => browser.close() };
}

/** @param artifactsDir Where Playwright keeps downloads until they are saved. */
async function connect(endpoint: string, config: ResolvedConfig, artifactsDir: string): Promise<Browser> {
  try {
    return await loadPlaywright().chromium.connectOverCDP(endpoint, {
      timeout: config.navigationTimeout,
      artifactsDir,
      ...definedOnly({ headers: config.cdpHeaders }),
    });
  } catch (cause) {
    // Endpoints carry tokens in their path and query, and the message goes to a model.
    const place = publicPart(endpoint);
    const reason = plainMessage(cause).replaceAll(endpoint, place);
    throw new Error(`The browser at ${place} (option cdpUrl) could not be attached to: ${reason}`, { cause });
  }
}

function publicPart(endpoint: string): string {
  return URL.canParse(endpoint) ? `${new URL(endpoint).protocol}//${new URL(endpoint).host}` : 'cdpUrl';
}
