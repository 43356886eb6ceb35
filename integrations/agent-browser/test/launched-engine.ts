import type { Browser } from 'playwright-core';
import { afterAll } from 'vitest';
import { loadPlaywright } from '../src/browser/chromium/agent-browser.js';
import { findExecutable } from '../src/browser/chromium/executable.js';
import { registerEngine } from '../src/browser/chromium/register-engine.js';
import { EngineClient } from '../src/browser/tab/engine.js';

/** A Chromium for the tests of a file, and what speaks to the engine in its pages, with no toolset around them. */
export async function launchForFile(...args: string[]): Promise<{ browser: Browser; engine: EngineClient }> {
  const name = await registerEngine();
  const { chromium } = loadPlaywright();
  const executablePath = findExecutable({ playwrightOwn: chromium.executablePath() });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...args] });
  afterAll(() => browser.close());
  return { browser, engine: new EngineClient(name) };
}
