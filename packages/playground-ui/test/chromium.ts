import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core';
import { afterEachFile, atWorkerEnd } from '../../../scripts/testing/endings.js';

/**
 * Milliseconds that Playwright waits for what a test looks for. Less than a test may take: then it says what is missing.
 */
const PATIENCE = 100_000;

let started: Promise<Browser> | undefined;

/** A context in the Chromium of this worker, for people who look at a page. Whoever makes it closes it. */
export async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  started ??= launch();
  const browser = await started;
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript(holdStill);
  return context;
}

/** What moves without an end is painted sixty times a second, by a processor that has other tests to run. */
function holdStill(): void {
  const still = new CSSStyleSheet();
  still.replaceSync('*, *::before, *::after { animation: none !important }');
  document.adoptedStyleSheets = [still];
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    // Chromium's own sandbox needs privileges that root in a container does not have.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--process-per-site'],
  });
  atWorkerEnd(() => browser.close());
  return browser;
}

/**
 * A context that the tests of this worker share, one after another. A page costs a third there of what it costs in a
 * context of its own: it needs no new process, and has no script to compile that a page before had.
 */
export class SharedContext {
  static #open = new Map<string, Promise<SharedContext>>();

  readonly context: BrowserContext;
  /** Keeps the process of pages of this machine from one test to the next. */
  readonly home: Page;
  readonly devtools: CDPSession;

  private constructor(context: BrowserContext, home: Page, devtools: CDPSession) {
    this.context = context;
    this.home = home;
    this.devtools = devtools;
  }

  /** The one with such options. */
  static of(options: BrowserContextOptions = {}): Promise<SharedContext> {
    const key = JSON.stringify(options);
    const shared = SharedContext.#open.get(key) ?? SharedContext.#make(options);
    SharedContext.#open.set(key, shared);
    return shared;
  }

  /** Those that there are. */
  static all(): Promise<SharedContext[]> {
    return Promise.all(SharedContext.#open.values());
  }

  static async #make(options: BrowserContextOptions): Promise<SharedContext> {
    const context = await newContext(options);
    const home = await context.newPage();
    await home.route('**', route => route.fulfill({ contentType: 'text/html', body: '<title>Home</title>' }));
    await home.goto('http://127.0.0.1/');
    return new SharedContext(context, home, await context.newCDPSession(home));
  }

  /** Closes what a test has opened, and forgets what its pages have stored. */
  async clear(): Promise<void> {
    const pages = this.context.pages().filter(page => page !== this.home);
    const origins = new Set(pages.map(page => new URL(page.url()).origin));
    await Promise.all(pages.map(page => page.close()));
    await this.context.clearCookies();
    for (const origin of origins)
      if (origin !== 'null') await this.devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  }
}

afterEachFile(async () => {
  const shared = await SharedContext.all();
  const pages = shared.flatMap(({ context, home }) => context.pages().filter(page => page !== home));
  const contexts = (await started)?.contexts().filter(each => !shared.some(({ context }) => context === each)) ?? [];
  const left = [...pages, ...contexts.flatMap(context => context.pages())].map(page => page.url());
  // The next file is not to be blamed.
  await Promise.all([...pages, ...contexts].map(each => each.close()));
  if (contexts.length + pages.length > 0)
    throw new Error(`left open in the Chromium of this worker: ${contexts.length} contexts, ${left.join(' ')}`);
});
