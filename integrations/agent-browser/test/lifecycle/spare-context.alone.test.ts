import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { BrowserToolset, type BrowserToolsetConfig } from '../../src/index.js';
import { expectFailure, expectSuccess, servePages } from '../fixtures.js';
import { browsersOf, openSockets, ownTemporaryFolder } from './machine.js';

ownTemporaryFolder();

const PAGE = '<title>Page</title><p id="seen"></p><script>seen.textContent = document.cookie || "no cookie"</script>';

/** A toolset that hands out what it drives. */
class OpenToolset extends BrowserToolset {
  async page(thread: string): Promise<Page> {
    const page = (await this.getActivePage(thread)) as Page | null;
    return page ?? expect.fail(`${thread} has no page`);
  }
}

function testToolset(config?: BrowserToolsetConfig): OpenToolset {
  const toolset = new OpenToolset(config);
  onTestFinished(() => toolset.close());
  return toolset;
}

async function contextOf(toolset: OpenToolset, thread: string): Promise<BrowserContext> {
  return (await toolset.page(thread)).context();
}

async function contextsOf(toolset: OpenToolset): Promise<BrowserContext[]> {
  return (await contextOf(toolset, 'one')).browser()?.contexts() ?? [];
}

/** Opens a page in threads, one after the other. */
async function open(toolset: OpenToolset, url: string, ...threads: string[]): Promise<void> {
  for (const thread of threads) expectSuccess(await toolset.session(thread).navigate({ url }));
}

/** Resolves to the context that is kept ready for the thread that comes after one and two. */
async function spareOf(toolset: OpenToolset): Promise<BrowserContext> {
  await expect.poll(async () => (await contextsOf(toolset)).map(context => context.pages().length)).toEqual([1, 1, 1]);
  const used = [await contextOf(toolset, 'one'), await contextOf(toolset, 'two')];
  const [spare] = (await contextsOf(toolset)).filter(context => !used.includes(context));
  if (spare === undefined) expect.fail('no context is kept ready');
  return spare;
}

test('a program with one thread has one context, however often it calls', async () => {
  const site = await servePages({ '/': PAGE });
  const toolset = testToolset();
  await open(toolset, site.url(), 'one', 'one');
  expectSuccess(await toolset.session('one').snapshot());
  expect(await contextsOf(toolset)).toHaveLength(1);
  expectSuccess(await toolset.session('one').close());
  await open(toolset, site.url(), 'one');
  expect(await contextsOf(toolset)).toHaveLength(1);
});

test('the third thread gets the context that was made ready behind the second, and nothing of anybody', async () => {
  const site = await servePages({ '/': PAGE });
  const toolset = testToolset({ userAgent: 'Special', viewport: { width: 700, height: 500 }, locale: 'fr-FR' });
  await open(toolset, site.url(), 'one', 'two');
  await (await contextOf(toolset, 'two')).addCookies([{ name: 'whose', value: 'two', url: site.url() }]);
  const spare = await spareOf(toolset);
  await open(toolset, site.url(), 'three');
  expect(await contextOf(toolset, 'three')).toBe(spare);
  const session = toolset.session('three');
  expect(expectSuccess(await session.snapshot({ interactiveOnly: false })).tree).toContain('no cookie');
  expect(expectSuccess(await session.tabs({ action: 'list' })).tabs).toMatchObject([{ tab: 't1', title: 'Page' }]);
  const page = await toolset.page('three');
  expect(await page.evaluate('[navigator.userAgent, innerWidth, innerHeight, navigator.language]')).toEqual([
    'Special',
    700,
    500,
    'fr-FR',
  ]);
});

test('many threads that come together get a context each', async () => {
  const site = await servePages({ '/': PAGE });
  const toolset = testToolset();
  await open(toolset, site.url(), 'one', 'two');
  await spareOf(toolset);
  const threads = Array.from({ length: 6 }, (_, index) => `more-${index}`);
  await Promise.all(threads.map(thread => open(toolset, site.url(), thread)));
  const contexts = await Promise.all(['one', 'two', ...threads].map(thread => contextOf(toolset, thread)));
  expect(new Set(contexts).size).toBe(8);
  await expect.poll(() => contextsOf(toolset)).toHaveLength(9);
});

test.each([
  ['crashes', (page: { goto(url: string): Promise<unknown> }) => page.goto('chrome://crash')],
  ['is closed', (page: { close(): Promise<unknown> }) => page.close()],
] as const)('a context whose page %s before anybody came is given to nobody', async (_, end) => {
  const site = await servePages({ '/': PAGE });
  const toolset = testToolset();
  await open(toolset, site.url(), 'one', 'two');
  const spare = await spareOf(toolset);
  const [page] = spare.pages();
  if (page === undefined) expect.fail('it has no page');
  await end(page).catch(() => undefined);
  await expect.poll(() => contextsOf(toolset)).not.toContain(spare);
  await open(toolset, site.url(), 'three');
  expect(await contextOf(toolset, 'three')).not.toBe(spare);
});

test('none is made where another thread would send one to sleep', async () => {
  const site = await servePages({ '/': PAGE });
  const toolset = testToolset({ sessions: { max: 2 } });
  await open(toolset, site.url(), 'one', 'two', 'one', 'two');
  expect(await contextsOf(toolset)).toHaveLength(2);
  await open(toolset, site.url(), 'three', 'one');
  expect(await contextsOf(toolset)).toHaveLength(2);
});

test('one that is there goes when a thread that wakes takes the last place', async () => {
  const site = await servePages({ '/': PAGE });
  const toolset = testToolset({ sessions: { max: 3, idleMs: 5_000 } });
  await open(toolset, site.url(), 'three', 'two');
  await expect.poll(() => toolset.isBrowserRunning('three') || toolset.isBrowserRunning('two')).toBe(false);
  await Promise.all(['one', 'two'].map(thread => open(toolset, site.url(), thread)));
  const spare = await spareOf(toolset);
  await open(toolset, site.url(), 'three');
  await expect.poll(() => contextsOf(toolset)).not.toContain(spare);
  expect(await contextsOf(toolset)).toHaveLength(3);
});

test('the policy of urls holds in a context that was made ready', async () => {
  const site = await servePages({ '/': PAGE, '/secret': PAGE });
  const toolset = testToolset({
    urlPolicy: { block: [`${site.url().replace(/\/$/, '')}/secret`], privateNetwork: true },
  });
  await open(toolset, site.url(), 'one', 'two');
  const spare = await spareOf(toolset);
  const session = toolset.session('three');
  expectFailure(await session.navigate({ url: site.url('/secret') }), 'url_blocked');
  expectSuccess(await session.navigate({ url: site.url() }));
  expect(await contextOf(toolset, 'three')).toBe(spare);
  const fetched = await (await toolset.page('three')).evaluate("fetch('/secret').then(() => 'got', () => 'no')");
  expect(fetched).toBe('no');
});

test('threads begin with what the file of cookies and storage holds when they come', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'state-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const storageState = join(folder, 'state.json');
  const site = await servePages({ '/': PAGE });
  const signIn = (value: string): void => {
    const cookie = { name: 'user', value, domain: '127.0.0.1', path: '/', expires: -1 };
    const rest = { httpOnly: false, secure: false, sameSite: 'Lax' };
    writeFileSync(storageState, JSON.stringify({ cookies: [{ ...cookie, ...rest }], origins: [] }));
  };
  signIn('old');
  const toolset = testToolset({ storageState });
  await open(toolset, site.url(), 'one', 'two', 'one');
  expect(await contextsOf(toolset)).toHaveLength(2);
  signIn('new');
  await open(toolset, site.url(), 'three');
  const { tree } = expectSuccess(await toolset.session('three').snapshot({ interactiveOnly: false }));
  expect(tree).toContain('user=new');
});

test('a toolset that is closed while a context is made ready leaves nothing behind', async () => {
  const site = await servePages({ '/': PAGE });
  const before = openSockets();
  const toolset = testToolset();
  await open(toolset, site.url(), 'one', 'two');
  await toolset.close();
  expect(browsersOf()).toEqual([]);
  await expect.poll(openSockets).toBeLessThanOrEqual(before);
});
