import type { Browser } from 'playwright-core';
import { EngineClient, registerEngine } from '../src/browser/tab/engine.js';
import { plainChromium } from './shared-chromium.js';

/** A Chromium of this worker with these switches, and what speaks to the engine in its pages, with no toolset around them. */
export async function launchForFile(...args: string[]): Promise<{ browser: Browser; engine: EngineClient }> {
  const name = await registerEngine();
  return { browser: await plainChromium(...args), engine: new EngineClient(name) };
}
