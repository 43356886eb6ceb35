import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as Playwright from 'playwright-core';
import { PAGE_ENGINE_SOURCE } from '../generated/page-engine.js';

const require = createRequire(import.meta.url);

/**
 * The playwright-core that agent-browser uses. A selector engine is registered with one instance of playwright-core, so
 * that in a consumer with a version of its own, ours must be agent-browser's.
 */
export function loadPlaywright(): typeof Playwright {
  const agentBrowser = createRequire(require.resolve('agent-browser/package.json'));
  return agentBrowser('playwright-core') as typeof Playwright;
}

let registered: Promise<string> | undefined;

/**
 * Registers the page engine with Playwright and answers with its name. Playwright keeps selector engines for the whole
 * process and refuses a name twice; so the name is made of the source's hash and of this copy of the module.
 */
export function registerEngine(playwright: typeof Playwright): Promise<string> {
  registered ??= register(playwright).catch(error => {
    registered = undefined;
    throw error;
  });
  return registered;
}

async function register(playwright: typeof Playwright): Promise<string> {
  const hash = createHash('sha256')
    .update(PAGE_ENGINE_SOURCE)
    .update(import.meta.url)
    .digest('hex')
    .slice(0, 12);
  const name = `browser-toolset-${hash}`;
  await playwright.selectors.register(name, { content: PAGE_ENGINE_SOURCE }, { contentScript: true });
  return name;
}
