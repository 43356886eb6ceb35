import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { test as base } from 'vitest';
import { afterEachFile } from '../../../scripts/testing/endings.ts';
import type { LiveSource } from '../src/source.js';

/** The least that can be shown: one page at a time, chosen by the test. */
export class ChosenPage implements LiveSource {
  #page: Page | null = null;
  readonly #pageListeners = new Set<() => void>();
  readonly #urlListeners = new Set<(url: string) => void>();
  readonly #closeListeners = new Set<(reason: string) => void>();

  activePage(): Page | null {
    return this.#page;
  }

  onActivePageChanged(listener: () => void): () => void {
    this.#pageListeners.add(listener);
    return () => this.#pageListeners.delete(listener);
  }

  onResized(): () => void {
    return () => undefined;
  }

  onUrlChanged(listener: (url: string) => void): () => void {
    this.#urlListeners.add(listener);
    return () => this.#urlListeners.delete(listener);
  }

  onClosed(listener: (reason: string) => void): () => void {
    this.#closeListeners.add(listener);
    return () => this.#closeListeners.delete(listener);
  }

  /** How many listeners are left. */
  get listenerCount(): number {
    return this.#pageListeners.size + this.#urlListeners.size + this.#closeListeners.size;
  }

  show(page: Page | null): void {
    this.#page = page;
    page?.on('framenavigated', frame => {
      if (this.#page !== page || frame !== page.mainFrame()) return;
      for (const listener of [...this.#urlListeners]) listener(page.url());
    });
    for (const listener of [...this.#pageListeners]) listener();
  }

  close(reason: string): void {
    for (const listener of [...this.#closeListeners]) listener(reason);
  }
}

/** Serves a page with its path as heading on a port of its own. Two of them are two origins. */
async function serveHeadings(host: string): Promise<{ url(path: string): string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>${request.url}</title><h1>${host} ${request.url}</h1>`);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: path => `http://${host}:${port}${path}`,
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** What the fixtures of a file have opened. Vitest ends those itself only after a file was looked at for what it leaves. */
const open: (() => Promise<void>)[] = [];
afterEachFile(() => Promise.all(open.splice(0).map(close => close())));

interface FileFixtures {
  browser: Browser;
  /** The url of a path on 127.0.0.1. */
  here: (path: string) => string;
  /** The url of a path on localhost, another site with another port. */
  there: (path: string) => string;
}

interface TestFixtures {
  context: BrowserContext;
  page: Page;
  source: ChosenPage;
}

export const VIEWPORT = { width: 800, height: 600 };

const withFiles = base.extend<FileFixtures>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's needs from its pattern
    async ({}, use) => {
      const { CHROMIUM_PATH: executablePath } = process.env;
      const browser = await chromium.launch({ ...(executablePath && { executablePath }), chromiumSandbox: false });
      open.push(() => browser.close());
      await use(browser);
    },
    { scope: 'file' },
  ],
  here: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's needs from its pattern
    async ({}, use) => {
      const site = await serveHeadings('127.0.0.1');
      open.push(() => site.close());
      await use(site.url);
    },
    { scope: 'file' },
  ],
  there: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's needs from its pattern
    async ({}, use) => {
      const site = await serveHeadings('localhost');
      open.push(() => site.close());
      await use(site.url);
    },
    { scope: 'file' },
  ],
});

/** Tests with a page of a real Chromium that a source shows. */
export const test = withFiles.extend<TestFixtures>({
  context: async ({ browser }, use) => {
    const context = await browser.newContext({ viewport: VIEWPORT });
    await use(context);
    await context.close();
  },
  page: async ({ context }, use) => use(await context.newPage()),
  source: async ({ page }, use) => {
    const source = new ChosenPage();
    source.show(page);
    await use(source);
  },
});
