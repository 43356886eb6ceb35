import { expect, test } from 'vitest';
import type { BrowserSession } from '../../src/index.js';
import { expectFailure, expectSuccess, launchingToolset, refOf, servePages } from '../fixtures.js';
import { browsersOf, ownTemporaryFolder } from './machine.js';

ownTemporaryFolder();

/** A page that tells what it kept, and keeps it when its button is pressed. */
const KEEPER = `<!doctype html><title>Keeper</title>
  <body style="height: 9000px"><p id="kept"></p><button onclick="keep()">Keep</button>
  <script>
    const kept = () => [document.cookie, localStorage.getItem('local'), sessionStorage.getItem('tab')].join(' ');
    document.getElementById('kept').textContent = kept();
    document.title = 'kept: ' + kept();
    function keep() {
      document.cookie = 'cookie=c1';
      localStorage.setItem('local', 'l1');
      sessionStorage.setItem('tab', 's1');
      indexedDB.open('db', 1).onupgradeneeded = event => event.target.result.createObjectStore('store').put('i1', 'key');
    }
  </script>`;

/** Tells what the database holds in its title. */
const DATABASE = `<!doctype html><title>none</title><script>
  indexedDB.open('db', 1).onsuccess = event => {
    const read = event.target.result.transaction('store').objectStore('store').get('key');
    read.onsuccess = () => document.title = 'database: ' + read.result;
  };</script>`;

/** Waits until a session has hibernated, as far as one can see from outside. */
async function asleep(isRunning: () => boolean): Promise<void> {
  await expect.poll(isRunning).toBe(false);
}

async function scrollTop(session: BrowserSession): Promise<number | undefined> {
  return expectSuccess(await session.scroll({ direction: 'down', amount: 1 })).pixelsAbove;
}

test('a session that is not used hibernates, and its next call finds tabs, cookies, storage and scroll again', async () => {
  const site = await servePages({ '/': KEEPER, '/database': DATABASE, '/other': '<title>Other</title>' });
  const toolset = launchingToolset({ sessions: { idleMs: 1_500 } });
  const session = toolset.session('a');
  expectSuccess(await session.navigate({ url: site.url() }));
  const before = expectSuccess(await session.snapshot());
  const ref = refOf(before, 'button', 'Keep');
  expectSuccess(await session.click({ ref }));
  expectSuccess(await session.tabs({ action: 'new', url: site.url('/other') }));
  expectSuccess(await session.tabs({ action: 'switch', tab: 't1' }));
  expectSuccess(await session.scroll({ direction: 'down', amount: 4000 }));

  await asleep(() => toolset.isBrowserRunning('a'));
  await expect.poll(() => browsersOf()).toEqual([]);
  expect(toolset.getLastBrowserState('a')?.tabs.map(tab => tab.url)).toEqual([site.url(), site.url('/other')]);

  const after = expectSuccess(await session.snapshot({ interactiveOnly: false }));
  expect(after.recovered).toEqual({ was: 'hibernated', now: '2 of 2 tabs reopened' });
  expect(after.title).toBe('kept: cookie=c1 l1 s1');
  expect(await scrollTop(session)).toBeCloseTo(4001, -1);
  expectFailure(await session.click({ ref }), 'stale_ref');
  const { tabs } = expectSuccess(await session.tabs({ action: 'list' }));
  expect(tabs?.map(tab => [tab.tab, tab.url, tab.active])).toEqual([
    ['t1', site.url(), true],
    ['t2', site.url('/other'), false],
  ]);
  expectSuccess(await session.navigate({ url: site.url('/database') }));
  await expect.poll(async () => (await session.snapshot()).title).toBe('database: i1');
  const added = expectSuccess(await session.tabs({ action: 'new' }));
  expect(added.tabs?.at(-1)?.tab).toBe('t3');
});

test('a session in use does not hibernate', async () => {
  const toolset = launchingToolset({ sessions: { idleMs: 300 } });
  const session = toolset.session('a');
  expectSuccess(await session.navigate({ url: 'about:blank' }));
  expect(expectSuccess(await session.wait({ for: { seconds: 1 } })).recovered).toBeUndefined();
  expect(expectSuccess(await session.tabs({ action: 'list' })).recovered).toBeUndefined();
});

test('beyond the cap the session used longest ago hibernates and comes back when it is called', async () => {
  const site = await servePages({ '/a': '<title>A</title>', '/b': '<title>B</title>', '/c': '<title>C</title>' });
  const toolset = launchingToolset({ sessions: { max: 2 } });
  const open = () => ['a', 'b', 'c'].filter(thread => toolset.isBrowserRunning(thread));
  expectSuccess(await toolset.session('a').navigate({ url: site.url('/a') }));
  expectSuccess(await toolset.session('b').navigate({ url: site.url('/b') }));
  expectSuccess(await toolset.session('a').tabs({ action: 'list' }));
  expectSuccess(await toolset.session('c').navigate({ url: site.url('/c') }));
  expect(open()).toEqual(['a', 'c']);

  const back = expectSuccess(await toolset.session('b').snapshot());
  expect(back.title).toBe('B');
  expect(back.recovered?.was).toBe('hibernated');
  expect(open()).toEqual(['b', 'c']);
  expect(browsersOf()).toHaveLength(1);
});

test('many threads at the same time stay within the cap and all get their turn', async () => {
  const site = await servePages({ '/': '<title>Hello</title>' });
  const toolset = launchingToolset({ sessions: { max: 2 } });
  const threads = Array.from({ length: 8 }, (_, number) => `thread-${number}`);
  let most = 0;
  const results = await Promise.all(
    threads.map(async thread => {
      const result = await toolset.session(thread).navigate({ url: site.url() });
      most = Math.max(most, threads.filter(other => toolset.isBrowserRunning(other)).length);
      return result.title;
    }),
  );
  expect(results).toEqual(threads.map(() => 'Hello'));
  expect(most).toBeLessThanOrEqual(2);
});

test('a call that waits for room ends when it is cancelled', async () => {
  const toolset = launchingToolset({ sessions: { max: 1 } });
  expectSuccess(await toolset.session('a').navigate({ url: 'about:blank' }));
  const busy = toolset.session('a').wait({ for: { seconds: 1 } });
  const call = toolset.session('b').navigate({ url: 'about:blank' }, { signal: AbortSignal.timeout(100) });
  expectFailure(await Promise.race([call, busy]), 'aborted');
  expectSuccess(await busy);
  expect(toolset.isBrowserRunning('b')).toBe(false);
  expectSuccess(await toolset.session('b').navigate({ url: 'about:blank' }));
});

test('a thread that is closed makes room for one that waits', async () => {
  const toolset = launchingToolset({ sessions: { max: 1 } });
  expectSuccess(await toolset.session('a').navigate({ url: 'about:blank' }));
  const busy = toolset.session('a').wait({ for: { seconds: 20 } });
  const waiting = toolset.session('b').navigate({ url: 'about:blank' });
  await toolset.closeThreadSession('a');
  expectFailure(await busy, 'browser_closed');
  expectSuccess(await waiting);

  const [, opened] = await Promise.all([
    toolset.closeThreadSession('b'),
    toolset.session('c').navigate({ url: 'about:blank' }),
  ]);
  expectSuccess(opened);
});

test('a page that hangs or holds a dialog does not keep its session from hibernating', async () => {
  const site = await servePages({
    '/hang': '<title>Hang</title><button onclick="setTimeout(() => { for (;;); })">Hang</button>',
    '/ask': `<title>Ask</title><button onclick="confirm('Sure?')">Ask</button>`,
  });
  const toolset = launchingToolset({ sessions: { max: 1 }, timeout: 2_000 });
  for (const [path, name] of [
    ['/hang', 'Hang'],
    ['/ask', 'Ask'],
  ] as const) {
    const session = toolset.session(path);
    expectSuccess(await session.navigate({ url: site.url(path) }));
    await session.click({ ref: refOf(expectSuccess(await session.snapshot()), 'button', name) });
  }
  expectSuccess(await toolset.session('c').navigate({ url: 'about:blank' }));
  expect(expectSuccess(await toolset.session('/hang').snapshot()).title).toBe('Hang');
});

test('what happened in a session before it hibernated is still told when it wakes', async () => {
  const { promise: isTold, resolve: tell } = Promise.withResolvers<void>();
  const site = await servePages({
    '/': `<title>Page</title><script>fetch('/late').then(() => console.error('late trouble'))</script>`,
    '/late': (_, response) => void isTold.then(() => response.end()),
  });
  const toolset = launchingToolset({ sessions: { idleMs: 1_000 } });
  const session = toolset.session('a');
  expectSuccess(await session.navigate({ url: site.url() }));
  tell();
  await asleep(() => toolset.isBrowserRunning('a'));
  expect(expectSuccess(await session.tabs({ action: 'list' })).consoleErrors).toContain('late trouble');
});
