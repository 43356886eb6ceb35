import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { test as base } from 'vitest';
import { afterEachFile } from '../../../../scripts/testing/endings.js';
import { newContext, SharedContext } from '../../../playground-ui/test/chromium.js';
import { type Playground, startPlayground } from '../../src/server/playground.js';

const WINDOW = { viewport: { width: 1440, height: 900 } };

/** That of the file. */
let playing: Promise<Playground> | undefined;

async function begin(): Promise<Playground> {
  const dataFolder = await newFolder();
  return startPlayground({ port: 0, dataFolder });
}

const folders: string[] = [];

/** A folder for threads and runs, removed after the file. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'playground-'));
  folders.push(folder);
  return folder;
}

afterEachFile(async () => {
  const playground = await playing;
  playing = undefined;
  await playground?.close();
  await Promise.all(folders.splice(0).map(folder => rm(folder, { recursive: true, force: true })));
});

/** Any page, on which nothing is expected; without an address an empty one. */
export async function openPage(url = 'about:blank'): Promise<Page & AsyncDisposable> {
  const context = await newContext(WINDOW);
  const page = await context.newPage();
  await page.goto(url);
  return Object.assign(page, { [Symbol.asyncDispose]: () => context.close() });
}

interface Fixtures {
  $file: { playground: Playground };
  $test: {
    context: BrowserContext;
    /** The playground with an empty thread. */
    page: Page;
  };
}

/** A test fails on any error of the page, and on any request to another server. */
export const test = base.extend<Fixtures>({
  playground: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's needs from this pattern
    async ({}, use) => {
      playing ??= begin();
      await use(await playing);
    },
    { scope: 'file' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: as above
  context: async ({}, use) => {
    const shared = await SharedContext.of(WINDOW);
    await use(shared.context);
    await shared.clear();
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
