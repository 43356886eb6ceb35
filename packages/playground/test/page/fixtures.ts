import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, test as base, beforeAll } from 'vitest';
import { type Playground, startPlayground } from '../../src/server/playground.js';

let browser: Browser;
let playground: Playground;
let dataFolder: string;

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'playground-'));
  playground = await startPlayground({ port: 0, dataFolder });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    // Chromium's own sandbox needs privileges that root in a container does not have.
    chromiumSandbox: process.getuid?.() !== 0,
  });
});

afterAll(async () => {
  await browser?.close();
  await playground?.close();
  await rm(dataFolder, { recursive: true, force: true });
});

/** Any page, on which nothing is expected. */
export async function openPage(url: string): Promise<Page & AsyncDisposable> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  return Object.assign(page, { [Symbol.asyncDispose]: () => context.close() });
}

interface Fixtures {
  playground: Playground;
  context: BrowserContext;
  /** The playground with an empty thread. */
  page: Page;
}

/** A test fails on any error of the page, and on any request to another server. */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's needs from this pattern
  playground: async ({}, use) => use(playground),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  context: async ({}, use) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await use(context);
    await context.close();
  },
  page: async ({ context, playground: { url } }, use) => {
    const page = await context.newPage();
    const mistakes: string[] = [];
    page.on('pageerror', error => mistakes.push(`error: ${error.message}`));
    page.on('console', message => {
      if (message.type() === 'error') mistakes.push(`console: ${message.text()} ${message.location().url}`);
    });
    page.on('request', request => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url)) mistakes.push(`to ${request.url()}`);
    });
    await page.goto(url);
    await use(page);
    if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
  },
});
