import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, test as base, beforeAll } from 'vitest';
import { bundlePage, type PageFiles } from './bundle.js';
import type { MountOptions } from './entry.js';
import { AGENT_DRIVES, LiveServer, VIEWPORT } from './live-server.js';
import { SHOP_PAGE } from './shop-page.js';

let browser: Browser;
/** What the browser that is watched shows. */
let shot: Buffer;
const bundles = new Map<18 | 19, Promise<PageFiles>>();

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    // Chromium's own sandbox needs privileges that root in a container does not have.
    chromiumSandbox: process.getuid?.() !== 0,
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.setContent(SHOP_PAGE);
  shot = await page.screenshot({ type: 'jpeg', quality: 90 });
  await page.close();
});

afterAll(() => browser.close());

interface Fixtures {
  react: 18 | 19;
  contextOptions: BrowserContextOptions;
  server: LiveServer;
  page: Page;
  frame: Buffer;
  /** Mounts a component and waits for its first frame. */
  mount(options?: Partial<MountOptions>): Promise<void>;
}

export const TABS = {
  tabs: [
    { tab: 't1', url: 'https://tidewater.example/cart', title: 'Your cart - Tidewater', active: true },
    { tab: 't3', url: 'https://pay.example/', title: 'Card payment', active: false },
  ],
};

/** Each test gets a server of its own and a page in a fresh context, which fails the test on any script error. */
export const test = base.extend<Fixtures>({
  react: 19,
  contextOptions: {},
  server: async ({ react }, use) => {
    const bundle = bundles.get(react) ?? bundlePage(react);
    bundles.set(react, bundle);
    await using server = await LiveServer.start(await bundle);
    server.greeting = [
      { status: 'connected' },
      { status: 'streaming' },
      { url: 'https://tidewater.example/cart' },
      { viewport: VIEWPORT },
      AGENT_DRIVES,
      TABS,
      { viewers: 1 },
      shot,
    ];
    await use(server);
  },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's needs from this pattern
  frame: async ({}, use) => use(shot),
  page: async ({ server, contextOptions }, use) => {
    const context = await browser.newContext({ baseURL: server.url, ...contextOptions });
    const page = await context.newPage();
    page.setDefaultTimeout(5000);
    const mistakes: Error[] = [];
    page.on('pageerror', error => mistakes.push(error));
    page.on('console', message => message.type() === 'error' && mistakes.push(new Error(message.text())));
    await page.goto('/');
    await use(page);
    await context.close();
    if (mistakes.length > 0) throw new AggregateError(mistakes, `a script of the page failed: ${mistakes[0]?.message}`);
  },
  mount: async ({ page }, use) => {
    await use(async options => {
      await page.waitForFunction(() => 'mount' in window);
      const all: MountOptions = { component: 'panel', width: 1000, height: 700, ...options };
      await page.evaluate(given => window.mount(given), all);
      await page.locator('canvas[data-frames]').waitFor({ state: 'attached' });
    });
  },
});
