import type { BrowserContextOptions, Page } from 'playwright-core';
import { test as base } from 'vitest';
import { newContext, SharedContext } from '../chromium.js';
import { testPage } from './bundle.js';
import type { MountOptions } from './entry.js';
import { AGENT_DRIVES, LiveServer, VIEWPORT } from './live-server.js';
import { SHOP_PAGE } from './shop-page.js';

interface Fixtures {
  $worker: {
    /** What the browser that is watched shows. */
    frame: Buffer;
  };
  $test: {
    react: 18 | 19;
    contextOptions: BrowserContextOptions;
    server: LiveServer;
    page: Page;
    /** Mounts a component and waits for its first frame. */
    mount(options?: Partial<MountOptions>): Promise<void>;
  };
}

export const TABS = {
  tabs: [
    { tab: 't1', url: 'https://tidewater.example/cart', title: 'Your cart - Tidewater', active: true },
    { tab: 't3', url: 'https://pay.example/', title: 'Card payment', active: false },
  ],
};

/** Each test gets a server and a page of its own, which fails the test on any script error. */
export const test = base.extend<Fixtures>({
  react: 19,
  contextOptions: {},
  server: async ({ react, frame }, use) => {
    await using server = await LiveServer.start(await testPage(react));
    server.greeting = [
      { status: 'connected' },
      { status: 'streaming' },
      { url: 'https://tidewater.example/cart' },
      { viewport: VIEWPORT },
      AGENT_DRIVES,
      TABS,
      { viewers: 1 },
      frame,
    ];
    await use(server);
  },
  frame: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's needs from this pattern
    async ({}, use) => {
      const context = await newContext({ viewport: { width: 1280, height: 720 } });
      const page = await context.newPage();
      await page.setContent(SHOP_PAGE);
      const frame = await page.screenshot({ type: 'jpeg', quality: 90 });
      await context.close();
      await use(frame);
    },
    { scope: 'worker' },
  ],
  page: async ({ server, contextOptions }, use) => {
    const shared = await SharedContext.of(contextOptions);
    const page = await shared.context.newPage();
    const mistakes: Error[] = [];
    page.on('pageerror', error => mistakes.push(error));
    page.on('console', message => message.type() === 'error' && mistakes.push(new Error(message.text())));
    await page.goto(server.url);
    await use(page);
    await shared.clear();
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
