import type { Browser, BrowserContext } from 'playwright-core';
import { EgressProxyPool } from '#egress/proxy-pool.js';
import { afterEachFile, atWorkerEnd } from '../../../scripts/testing/endings.ts';
import { loadPlaywright } from '../src/browser/chromium/agent-browser.js';
import { findExecutable, launch } from '../src/browser/chromium/launch.js';
import { endWithProcess } from '../src/browser/chromium/process-end.js';
import type { Launch, LaunchAttempt, Started } from '../src/browser/running-browser.js';
import { parseConfig, type ResolvedConfig } from '../src/options.js';

/** The browsers of this worker, by what they were started with. */
const browsers = new Map<string, Promise<Browser>>();

/**
 * Gives a toolset the Chromium of this worker, with contexts of its own: they go when the toolset closes, and Chromium
 * stays for the next test. Toolsets that need other switches have another one; one with a profile is launched alone.
 */
export const launchShared: Launch = async (config, attempt) => {
  if (config.profile !== undefined) return launch(config, attempt);
  const browser = await chromiumFor(config);
  attempt.noteProcess();
  const own = withOwnContexts(browser);
  const egressProxies = new EgressProxyPool(config.proxy);
  return { browser: own.browser, ownContext: null, isLaunched: true, egressProxies, stop: own.closeContexts };
};

afterEachFile(async () => {
  const started = await Promise.all(browsers.values());
  const contexts = started.flatMap(browser => browser.contexts());
  const left = contexts.map(context => `a context with ${context.pages().map(page => page.url())}`);
  // The next file is not to be blamed.
  await Promise.all(contexts.map(context => context.close()));
  if (left.length > 0) throw new Error(`left open in the browser of this worker: ${left.join('; ')}`);
});

/** The Chromium of this worker that was started with the switches of these options. */
function chromiumFor({ headless, executablePath, args, webMcp }: ResolvedConfig): Promise<Browser> {
  const options = { headless, args, webMcp, ...(executablePath !== undefined && { executablePath }) };
  return once(JSON.stringify(options), () => start(parseConfig(options)));
}

/** One that could not be started, or has ended, is started again by the next test. */
function once(key: string, begin: () => Promise<Browser>): Promise<Browser> {
  const known = browsers.get(key);
  if (known !== undefined) return known;
  const forget = (): void => void browsers.delete(key);
  const begun = begin();
  begun.then(browser => browser.once('disconnected', forget), forget);
  browsers.set(key, begun);
  return begun;
}

/** A Chromium of this worker as Playwright launches it, with these switches and nothing of ours. */
export function plainChromium(...args: string[]): Promise<Browser> {
  return once(`plain ${args.join(' ')}`, () => launchPlain(args));
}

async function launchPlain(args: string[]): Promise<Browser> {
  const { chromium } = loadPlaywright();
  const executablePath = findExecutable({ playwrightOwn: chromium.executablePath() });
  const browser = await chromium.launch({ executablePath, args, chromiumSandbox: false });
  atWorkerEnd(() => browser.close());
  return browser;
}

async function start(config: ResolvedConfig): Promise<Browser> {
  const attempt: LaunchAttempt = { isCancelled: false, kill: () => undefined, noteProcess: () => undefined };
  const started = await launch(config, attempt);
  const { browser, spare } = started;
  await spare?.context.close();
  // Each toolset of the worker listens for its end.
  (browser as unknown as { setMaxListeners(most: number): void }).setMaxListeners(0);
  const abandon = (): void => {
    started.chromium?.kill();
    started.chromium?.removeLeftoversNow();
  };
  const leave = endWithProcess({ close: () => end(started), abandon });
  atWorkerEnd(async () => {
    leave();
    await end(started);
  });
  return browser;
}

async function end({ stop, egressProxies, chromium: launched }: Started): Promise<void> {
  await egressProxies?.close();
  await stop();
  await launched?.ended;
  await launched?.removeLeftovers();
}

/** The browser as a toolset has it that launched it: what it makes there ends with it. */
function withOwnContexts(browser: Browser): { browser: Browser; closeContexts(): Promise<void> } {
  const made = new Set<Promise<BrowserContext>>();
  const newContext: Browser['newContext'] = async options => {
    const making = browser.newContext(options);
    made.add(making);
    const context = await making;
    context.once('close', () => made.delete(making));
    return context;
  };
  return {
    browser: Object.create(browser, { newContext: { value: newContext } }) as Browser,
    async closeContexts() {
      await Promise.all([...made].map(async making => (await making).close()));
    },
  };
}
