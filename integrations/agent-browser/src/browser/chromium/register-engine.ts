import { createHash } from 'node:crypto';
import type { BrowserContext } from 'playwright-core';
import { PAGE_ENGINE_SOURCE } from '../../generated/page-engine.js';
import { loadPlaywright } from './agent-browser.js';

let registered: Promise<string> | undefined;

/**
 * Registers the page engine with Playwright and answers with its name. Playwright keeps selector engines for the whole
 * process and refuses a name twice; so the name is made of the source's hash and of this copy of the module.
 */
export function registerEngine(): Promise<string> {
  registered ??= register(engineName()).catch(error => {
    registered = undefined;
    throw error;
  });
  return registered;
}

/**
 * Gives the page engine to the context that a remote browser came with, and answers with its name there. Playwright
 * hands engines to contexts that it makes and to those that are there when an engine is registered, but forgets them
 * for the default context of a browser that it attaches to later (seen in 1.65).
 */
export async function registerEngineIn(context: BrowserContext): Promise<string> {
  const name = await registerEngine();
  const internals = context as unknown as Partial<ContextInternals>;
  try {
    if (internals._channel === undefined) return await registerAgain();
    const selectorEngine = { name, source: PAGE_ENGINE_SOURCE, contentScript: true };
    await internals._channel.registerSelectorEngine({ selectorEngine }, { signal: undefined, timeout: 0 });
    return name;
  } catch {
    // Another version of Playwright has other internals.
    return registerAgain();
  }
}

/** The engines of one context; the public method adds an engine to all contexts. */
interface ContextInternals {
  _channel: {
    registerSelectorEngine(
      params: { selectorEngine: { name: string; source: string; contentScript: boolean } },
      options: { signal: undefined; timeout: number },
    ): Promise<void>;
  };
}

let registrations = 1;

/** Under another name the engine reaches all contexts that there are now. */
function registerAgain(): Promise<string> {
  registrations++;
  return register(`${engineName()}-${registrations}`);
}

function engineName(): string {
  const hash = createHash('sha256')
    .update(PAGE_ENGINE_SOURCE)
    .update(import.meta.url)
    .digest('hex');
  return `browser-toolset-${hash.slice(0, 12)}`;
}

async function register(name: string): Promise<string> {
  await loadPlaywright().selectors.register(name, { content: PAGE_ENGINE_SOURCE }, { contentScript: true });
  return name;
}
