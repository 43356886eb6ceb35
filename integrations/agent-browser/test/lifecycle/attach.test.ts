import { expect, test } from 'vitest';
import { expectFailure, expectSuccess, refOf, servePages, testToolset } from '../fixtures.js';
import { browsersOf, isRunning, ownFiles } from './machine.js';
import { pagesOf, spy, startRemoteBrowser } from './remote-browser.js';

const temporary = ownFiles();
const remoteBrowser = (...args: [string, ...string[]]) => startRemoteBrowser(temporary.path('remote'), ...args);

test('a browser that is attached to is used by all threads, each with cookies of its own, and lives on', async () => {
  const site = await servePages({ '/': '<title>Remote</title><button>Go</button>' });
  const launched = browsersOf();
  const remote = await remoteBrowser('about:blank');
  const before = await pagesOf(remote);
  const toolset = testToolset({ cdpUrl: remote.url });
  for (const thread of ['a', 'b']) {
    const session = toolset.session(thread);
    expectSuccess(await session.navigate({ url: site.url() }));
    const page = expectSuccess(await session.snapshot());
    expectSuccess(await session.click({ ref: refOf(page, 'button', 'Go') }));
  }
  expect(browsersOf().filter(pid => !launched.includes(pid))).toEqual([remote.pid]);
  expect(await pagesOf(remote)).toHaveLength(before.length + 2);

  await toolset.close();
  expect(isRunning(remote.pid)).toBe(true);
  expect(await pagesOf(remote)).toEqual(before);
});

test('a WebSocket endpoint is attached to as well', async () => {
  const remote = await remoteBrowser('about:blank');
  const toolset = testToolset({ cdpUrl: remote.socket });
  expectSuccess(await toolset.session('a').navigate({ url: 'about:blank' }));
});

test('a browser without an open page is attached to', async () => {
  const site = await servePages({ '/': '<title>Remote</title>' });
  const remote = await remoteBrowser('--no-startup-window');
  expect(await pagesOf(remote)).toEqual([]);
  const toolset = testToolset({ cdpUrl: remote.url, scope: 'shared' });
  expect(expectSuccess(await toolset.session('a').navigate({ url: site.url() })).title).toBe('Remote');
});

test('with scope "shared" the pages that a person has open are the tabs, and they stay', async () => {
  const site = await servePages({ '/': '<title>My own page</title>', '/more': '<title>More</title>' });
  const remote = await remoteBrowser(site.url());
  await expect.poll(() => pagesOf(remote)).toEqual([site.url()]);
  const toolset = testToolset({ cdpUrl: remote.url, scope: 'shared' });
  const session = toolset.session('a');
  expect(expectSuccess(await session.snapshot()).title).toBe('My own page');
  expectSuccess(await session.tabs({ action: 'new', url: site.url('/more') }));
  await toolset.close();
  expect(await pagesOf(remote)).toContain(site.url());
});

test('a function gives each thread a browser of its own', async () => {
  const site = await servePages({ '/': '<title>Remote</title>' });
  const [first, second] = [await remoteBrowser('about:blank'), await remoteBrowser('about:blank')];
  const asked: string[] = [];
  const toolset = testToolset({
    cdpUrl: async ({ threadId }) => {
      asked.push(threadId);
      return threadId === 'a' ? first.url : second.url;
    },
  });
  await Promise.all(['a', 'b'].map(async thread => toolset.session(thread).navigate({ url: site.url() })));
  expect(asked.sort()).toEqual(['a', 'b']);
  expect(await pagesOf(first)).toContain(site.url());
  expect(await pagesOf(second)).toContain(site.url());
  await toolset.close();
  expect([first, second].map(({ pid }) => isRunning(pid))).toEqual([true, true]);
});

test('the headers of the options are sent with every request of the connection', async () => {
  const remote = await remoteBrowser('about:blank');
  const between = await spy(remote);
  const toolset = testToolset({ cdpUrl: between.url, cdpHeaders: { authorization: 'Bearer pool-key' } });
  expectSuccess(await toolset.session('a').navigate({ url: 'about:blank' }));
  const [first] = between.asked;
  expect(first?.url).toContain('/json/version');
  expect(between.asked.map(({ headers }) => headers.upgrade)).toContain('websocket');
  for (const { headers } of between.asked) expect(headers.authorization).toBe('Bearer pool-key');
});

test('a browser that is not there is named without the secrets of its address, and the next call tries again', async () => {
  const remote = await remoteBrowser('about:blank');
  let endpoint = 'ws://127.0.0.1:1/devtools?token=secret';
  const session = testToolset({ cdpUrl: () => endpoint }).session('a');
  const { message } = expectFailure(await session.navigate({ url: 'about:blank' }), 'browser_error');
  expect(message).toContain('ws://127.0.0.1:1');
  expect(message).not.toContain('secret');
  endpoint = remote.url;
  expectSuccess(await session.navigate({ url: 'about:blank' }));
});

test('a function that has no browser for a thread fails the call with its own words', async () => {
  const toolset = testToolset({
    cdpUrl({ threadId }) {
      throw new Error(`no browser is left for ${threadId}`);
    },
  });
  const { message } = expectFailure(await toolset.session('a').snapshot(), 'browser_error');
  expect(message).toContain('no browser is left for a');
});

test('a remote browser that ends is asked for again, and what was open is open again', async () => {
  const site = await servePages({ '/': '<title>Remote</title>' });
  const browsers = [await remoteBrowser('about:blank'), await remoteBrowser('about:blank')];
  const [first, second] = browsers;
  const session = testToolset({ cdpUrl: () => browsers[0]?.url ?? '' }).session('a');
  expectSuccess(await session.navigate({ url: site.url() }));
  browsers.shift();
  await first?.kill();
  const seen = expectSuccess(await session.snapshot());
  expect(seen.title).toBe('Remote');
  expect(seen.recovered).toBeDefined();
  expect(second && (await pagesOf(second))).toContain(site.url());
});

test('a session that hibernated takes the pages of its remote browser over again instead of opening them twice', async () => {
  const site = await servePages({ '/': '<title>Remote</title>' });
  const remote = await remoteBrowser('about:blank');
  const session = testToolset({ cdpUrl: () => remote.url, sessions: { idleMs: 100 } }).session('a');
  expectSuccess(await session.navigate({ url: site.url() }));
  const open = await pagesOf(remote);
  await expect.poll(async () => (await session.tabs({ action: 'list' })).recovered, { interval: 400 }).toBeDefined();
  expect(await pagesOf(remote)).toEqual(open);
});
