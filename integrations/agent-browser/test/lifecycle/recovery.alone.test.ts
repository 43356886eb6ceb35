import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import {
  expectFailure,
  expectSuccess,
  launchingToolset,
  pageOf,
  type Route,
  refOf,
  type Site,
  servePages,
} from '../fixtures.js';
import { browsersOf, isRunning, ownTemporaryFolder, renderersOf } from './machine.js';

const temporary = ownTemporaryFolder();

/** Logs a visitor in with a cookie and says who is logged in. */
const login: Route = (request, response) => {
  if (request.url === '/login?ok') response.setHeader('set-cookie', 'user=ann');
  response.setHeader('content-type', 'text/html');
  response.end(`<title>${request.headers.cookie ?? 'nobody'}</title><button>Stay</button>
    <script>localStorage.setItem('theme', localStorage.getItem('theme') ?? 'dark'); document.title += ' ' + localStorage.length</script>`);
};

/** A page that asks its server for something again and again. */
async function livingPage(): Promise<{ site: Site; nextSignOfLife(): Promise<void> }> {
  const signs = new EventEmitter();
  const site = await servePages({
    '/': `<title>Page</title><script>setInterval(() => fetch('/alive'), 100)</script>`,
    '/alive': (_, response) => {
      response.end();
      signs.emit('sign');
    },
  });
  // The first may have been under way before.
  const nextSignOfLife = async (): Promise<void> => {
    for (let count = 0; count < 3; count++) await once(signs, 'sign');
  };
  return { site, nextSignOfLife };
}

function killBrowser(): number {
  const [pid] = browsersOf();
  if (pid === undefined) throw new Error('no browser runs');
  process.kill(pid, 'SIGKILL');
  return pid;
}

async function killedBrowser(): Promise<void> {
  const pid = killBrowser();
  await expect.poll(() => isRunning(pid)).toBe(false);
}

test('a browser killed between calls is started again: tabs, their ids, cookies and storage are back, refs are stale', async () => {
  const site = await servePages({ '/login': login, '/other': '<title>Other</title>' });
  const session = launchingToolset().session('a');
  expectSuccess(await session.navigate({ url: site.url('/login?ok') }));
  expectSuccess(await session.tabs({ action: 'new', url: site.url('/other') }));
  expectSuccess(await session.tabs({ action: 'switch', tab: 't1' }));
  const ref = refOf(expectSuccess(await session.snapshot()), 'button', 'Stay');
  await killedBrowser();

  const stale = expectFailure(await session.click({ ref }), 'stale_ref');
  expect(stale.recovered).toEqual({ was: 'browser gone', now: '2 of 2 tabs reopened' });
  const { tabs, title } = expectSuccess(await session.tabs({ action: 'list' }));
  expect(tabs?.map(tab => [tab.tab, tab.url, tab.active])).toEqual([
    ['t1', site.url('/login?ok'), true],
    ['t2', site.url('/other'), false],
  ]);
  expect(title).toBe('user=ann 1');
  expect(browsersOf()).toHaveLength(1);
});

test('a page that lies about its storage does not keep the session from coming back', async () => {
  const site = await servePages({
    '/': '<title>Page</title><script>localStorage.x = 1; Object.entries = () => [[{}, 1]]</script>',
  });
  const session = launchingToolset().session('a');
  expectSuccess(await session.navigate({ url: site.url() }));
  for (let reads = 0; reads < 3; reads++) expectSuccess(await session.tabs({ action: 'list' }));
  await killedBrowser();
  expect(expectSuccess(await session.snapshot()).recovered).toEqual({
    was: 'browser gone',
    now: '1 of 1 tab reopened',
  });
});

test('a call right after the browser was killed works', async () => {
  const site = await servePages({ '/': '<title>Page</title>' });
  const toolset = launchingToolset();
  expectSuccess(await toolset.session('a').navigate({ url: site.url() }));
  expectSuccess(await toolset.session('b').navigate({ url: site.url() }));
  killBrowser();
  const [first, second] = await Promise.all([
    toolset.session('a').snapshot(),
    toolset.session('b').navigate({ url: site.url() }),
  ]);
  expect(expectSuccess(first).title).toBe('Page');
  expect(expectSuccess(second).title).toBe('Page');
  expect(browsersOf()).toHaveLength(1);
});

test('a browser killed during a call fails that call, and the next one finds all open again', async () => {
  const { site, nextSignOfLife } = await livingPage();
  const session = launchingToolset().session('a');
  expectSuccess(await session.navigate({ url: site.url() }));
  const waiting = session.wait({ for: { text: 'never there' }, timeout: 20 });
  await nextSignOfLife();
  killBrowser();
  const failure = expectFailure(await waiting, 'browser_closed');
  expect(failure.canRetry).toBe(true);
  const seen = expectSuccess(await session.snapshot());
  expect(seen.title).toBe('Page');
  expect(seen.recovered?.now).toBe('1 of 1 tab reopened');
});

test('each thread gets its own back after the browser was killed', async () => {
  const site = await servePages({ '/login': login });
  const toolset = launchingToolset();
  const threads = ['a', 'b', 'c'];
  for (const thread of threads)
    expectSuccess(await toolset.session(thread).navigate({ url: site.url(thread === 'b' ? '/login?ok' : '/login') }));
  await killedBrowser();
  const seen = await Promise.all(threads.map(thread => toolset.session(thread).snapshot()));
  for (const result of seen) expect(expectSuccess(result).recovered).toBeDefined();
  for (const thread of threads) expectSuccess(await toolset.session(thread).navigate({ url: site.url('/login') }));
  const titles = await Promise.all(threads.map(async thread => (await toolset.session(thread).snapshot()).title));
  expect(titles).toEqual(['nobody 1', 'user=ann 1', 'nobody 1']);
  expect(browsersOf()).toHaveLength(1);
});

test('a profile that lost its browser is opened again with its cookies', async () => {
  const site = await servePages({ '/login': login });
  const session = launchingToolset({ profile: temporary.path('profile') }).session('a');
  expectSuccess(await session.navigate({ url: site.url('/login?ok') }));
  expectSuccess(await session.tabs({ action: 'list' }));
  await killedBrowser();
  expect(expectSuccess(await session.snapshot()).recovered).toBeDefined();
  expect(expectSuccess(await session.navigate({ url: site.url('/login') })).title).toBe('user=ann 1');
});

test('a page whose process is killed is opened again by the next call, which says so', async () => {
  const site = await servePages({ '/': '<title>Page</title><button>Stay</button>' });
  const session = launchingToolset().session('a');
  expectSuccess(await session.navigate({ url: site.url() }));
  const ref = refOf(expectSuccess(await session.snapshot()), 'button', 'Stay');
  const [browser = 0] = browsersOf();
  for (const pid of renderersOf(browser)) process.kill(pid, 'SIGKILL');
  const failure = expectFailure(await session.click({ ref }), 'stale_ref');
  expect(failure.recovered).toEqual({ was: 'the page crashed', now: `${site.url()} reopened` });
  expect(expectSuccess(await session.snapshot()).title).toBe('Page');
  expect(browsersOf()).toEqual([browser]);
});

test('a page whose process is killed during a call fails that call at once', async () => {
  const { site, nextSignOfLife } = await livingPage();
  const session = launchingToolset().session('a');
  expectSuccess(await session.navigate({ url: site.url() }));
  const killedInWait = async () => {
    const waiting = session.wait({ for: { text: 'never there' }, timeout: 10 });
    await nextSignOfLife();
    for (const pid of browsersOf().flatMap(renderersOf)) process.kill(pid, 'SIGKILL');
    return waiting;
  };
  let result = await killedInWait();
  // On a busy machine the page may have been gone before the call had begun, which then opened it again.
  if ('recovered' in result) result = await killedInWait();
  expectFailure(result, 'page_crashed');
  expect(expectSuccess(await session.snapshot()).title).toBe('Page');
});

test('tabs in the background that crashed are opened again when they are switched to', async () => {
  const site = await servePages({ '/1': '<title>One</title>', '/2': '<title>Two</title>' });
  const session = launchingToolset().session('a');
  expectSuccess(await session.navigate({ url: site.url('/1') }));
  expectSuccess(await session.tabs({ action: 'new', url: site.url('/2') }));
  for (const pid of browsersOf().flatMap(renderersOf)) process.kill(pid, 'SIGKILL');
  expect(expectSuccess(await session.snapshot()).title).toBe('Two');
  expectSuccess(await session.tabs({ action: 'switch', tab: 't1' }));
  expect(expectSuccess(await session.snapshot()).title).toBe('One');
});

test('elements of a tab beside one that crashed have refs that can be acted on', async () => {
  const rows = Array.from({ length: 99 }, (_, index) => `<h2>Row ${index}</h2>`).join('');
  const site = await servePages({
    '/1': `<title>One</title><button onclick="this.textContent = 1">Press</button>${rows}`,
  });
  const toolset = launchingToolset();
  const session = toolset.session('a');
  expectSuccess(await session.navigate({ url: site.url('/1') }));
  for (let looks = 0; looks < 3; looks++) expectSuccess(await session.snapshot());
  const { truncated } = expectSuccess(await session.snapshot({ maxTokens: 100 }));
  expectSuccess(await session.tabs({ action: 'new', url: 'about:blank' }));
  const page = await pageOf(toolset, 'a');
  await Promise.all([page.waitForEvent('crash'), page.goto('chrome://crash').catch(() => undefined)]);
  expect(expectSuccess(await session.snapshot()).recovered?.was).toBe('the page crashed');
  expectSuccess(await session.tabs({ action: 'switch', tab: 't1' }));
  expectFailure(await session.snapshot({ next: truncated?.next }), 'invalid_input');
  const seen = expectSuccess(await session.snapshot());
  const ref = refOf(seen, 'button', 'Press');
  expect(seen.tree).toContain(`button "Press" ${ref}`);
  expectSuccess(await session.click({ ref }));
});

test('pages that fail, errors that read like a lost connection and bad urls end nothing', async () => {
  const site = await servePages({
    '/': `<title>Page</title><script>
      console.error('Protocol error (Page.navigate): Target closed');
      setTimeout(() => { throw new Error('Target page, context or browser has been closed'); });
    </script>`,
  });
  const session = launchingToolset().session('a');
  expectSuccess(await session.navigate({ url: site.url() }));
  const [browser] = browsersOf();
  expectFailure(await session.navigate({ url: 'http://127.0.0.1:1/' }), 'navigation_failed');
  expectFailure(await session.navigate({ url: 'no such place' }), 'invalid_input');
  expectFailure(await session.navigate({ url: 'chrome://crash' }), 'url_blocked');
  expectFailure(await session.wait({ for: { text: 'Target closed' }, timeout: 0.2 }), 'timeout');
  expectSuccess(await session.navigate({ url: site.url() }));
  expect(browsersOf()).toEqual([browser]);
});

test('a popup that closes itself leaves its opener in use', async () => {
  const site = await servePages({
    '/': `<title>Opener</title><button onclick="window.open('/popup')">Sign in</button>`,
    '/popup': '<title>Popup</title><button onclick="window.close()">Done</button>',
  });
  const session = launchingToolset().session('a');
  expectSuccess(await session.navigate({ url: site.url() }));
  const [browser] = browsersOf();
  const opened = expectSuccess(
    await session.click({ ref: refOf(expectSuccess(await session.snapshot()), 'button', 'Sign in') }),
  );
  expect(opened.newTab?.tab).toBe('t2');
  expectSuccess(await session.tabs({ action: 'switch', tab: 't2' }));
  const done = await session.click({ ref: refOf(expectSuccess(await session.snapshot()), 'button', 'Done') });
  expect(expectSuccess(done).closedTabs).toBe(1);
  expect(expectSuccess(await session.snapshot()).title).toBe('Opener');
  expect(browsersOf()).toEqual([browser]);
});

test('a page that closes itself at once does not disturb the call that opened it', async () => {
  const site = await servePages({
    '/': `<title>Opener</title><button onclick="window.open('about:blank').close()">Flash</button>`,
  });
  const session = launchingToolset().session('a');
  expectSuccess(await session.navigate({ url: site.url() }));
  const ref = refOf(expectSuccess(await session.snapshot()), 'button', 'Flash');
  for (let time = 0; time < 3; time++) expect(expectSuccess(await session.click({ ref })).title).toBe('Opener');
  expect(expectSuccess(await session.tabs({ action: 'list' })).tabs).toHaveLength(1);
});

test('a page that ends the browser whenever it is opened does not keep the agent from going elsewhere', async () => {
  let isDeadly = false;
  const site = await servePages({
    '/deadly': (_, response) => {
      if (isDeadly) for (const pid of browsersOf()) process.kill(pid, 'SIGKILL');
      response.setHeader('content-type', 'text/html');
      response.end('<title>Deadly</title>');
    },
    '/safe': '<title>Safe</title>',
  });
  const session = launchingToolset().session('a');
  expectSuccess(await session.navigate({ url: site.url('/deadly') }));
  isDeadly = true;
  expectFailure(await session.history({ direction: 'reload' }), 'browser_closed');
  const url = site.url('/safe');
  await expect.poll(async () => (await session.navigate({ url })).title).toBe('Safe');
});
