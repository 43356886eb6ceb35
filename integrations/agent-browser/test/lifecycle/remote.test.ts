import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrowserSession } from '../../src/index.js';
import { expectSuccess, type Route, refOf, type Site, servePages, testToolset } from '../fixtures.js';
import { isRunning, ownFiles } from './machine.js';
import { elsewhere, pagesOf, spy, startRemoteBrowser } from './remote-browser.js';

const temporary = ownFiles();
const remoteBrowser = () => startRemoteBrowser(temporary.path('remote'), 'about:blank');

/** Says which cookie and which local storage it was asked with, and takes new ones. */
const keeper: Route = (request, response) => {
  const user = new URL(request.url ?? '/', 'http://localhost').searchParams.get('user');
  if (user !== null) response.setHeader('set-cookie', `user=${user}`);
  response.setHeader('content-type', 'text/html');
  response.end(`<title>${request.headers.cookie ?? 'nobody'}</title><script>
    if (${JSON.stringify(user)}) localStorage.user = ${JSON.stringify(user)};
    document.title += ' ' + localStorage.user;</script>`);
};

const attachment: Route = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="report.csv"' });
  response.end(CONTENT);
};

const CONTENT = 'a,b\n1,ë\n'.repeat(300_000);
const FILES = `<title>Files</title><a href="/report">Report</a> <button>Made</button>
  <script>document.querySelector('button').onclick = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob(['{}'], { type: 'application/json' }));
    link.download = 'made.json';
    link.click();
  }</script>`;

const OPENER = `<button onclick="window.open('/')">Open</button>`;
const ASK = `<button onclick="document.title = confirm('Sure?')">Ask</button>`;

let site: Site;
beforeAll(async () => {
  site = await servePages({ '/': keeper, '/ask': ASK, '/opener': OPENER, '/files': FILES, '/report': attachment });
});
afterAll(() => site.close());

async function title(session: BrowserSession, path = '/'): Promise<string | undefined> {
  return expectSuccess(await session.navigate({ url: site.url(path) })).title;
}

test('threads whose browsers turn out to be one have pages and cookies of their own', async () => {
  const remote = await remoteBrowser();
  const toolset = testToolset({ cdpUrl: () => remote.url });
  const [a, b] = [toolset.session('a'), toolset.session('b')];
  await title(a, '/?user=ann');
  expect(await title(b)).toBe('nobody undefined');
  expect(expectSuccess(await b.tabs({ action: 'list' })).tabs).toHaveLength(1);
  expect(await title(a)).toBe('user=ann ann');
  // Of two connections each is told of all pages of the browser.
  expectSuccess(await b.tabs({ action: 'new', url: site.url('/files') }));
  expect(expectSuccess(await a.tabs({ action: 'list' })).tabs).toHaveLength(1);
});

test('a window that a page of a remote browser opens is told with the click that opened it', async () => {
  const remote = await remoteBrowser();
  const session = testToolset({ cdpUrl: () => remote.url, snapshot: { afterAction: 'none' } }).session('a');
  await title(session, '/opener');
  const ref = refOf(expectSuccess(await session.snapshot()), 'button', 'Open');
  expect(expectSuccess(await session.click({ ref })).newTab).toMatchObject({ tab: 't2', url: site.url('/') });
});

test('a thread that sleeps or was closed leaves its pages and cookies in the browser to no other', async () => {
  const remote = await remoteBrowser();
  const toolset = testToolset({ cdpUrl: () => remote.url, sessions: { max: 1 } });
  const [a, b, c] = [toolset.session('a'), toolset.session('b'), toolset.session('c')];
  await title(a, '/?user=ann');
  // There is room for one session: the other sleeps.
  const seen = expectSuccess(await b.tabs({ action: 'list' })).tabs ?? [];
  expect(seen.map(({ url }) => url)).toEqual(['about:blank']);
  expect(await title(b)).toBe('nobody undefined');
  expect(await title(a)).toBe('user=ann ann');
  expectSuccess(await a.close());
  expect(await title(c)).toBe('nobody undefined');
  expect(expectSuccess(await c.tabs({ action: 'list' })).tabs).toHaveLength(1);
});

test('a dialog of one thread is not dismissed by the connection of another', async () => {
  const remote = await remoteBrowser();
  const toolset = testToolset({ cdpUrl: () => remote.url });
  const [a, b] = [toolset.session('a'), toolset.session('b')];
  for (const session of [a, b]) expectSuccess(await session.navigate({ url: site.url('/ask') }));
  for (const session of [a, b]) {
    const ref = refOf(expectSuccess(await session.snapshot()), 'button', 'Ask');
    expect(expectSuccess(await session.click({ ref })).dialog).toEqual({ type: 'confirm', message: 'Sure?' });
    expectSuccess(await session.dialog({ action: 'accept' }));
    expect(expectSuccess(await session.snapshot()).title).toBe('true');
  }
});

test('a browser that dies is replaced by the next of the pool, with tabs, cookies and storage', async () => {
  const browsers = [await remoteBrowser(), await remoteBrowser()];
  const [first, second] = browsers;
  const asked: unknown[] = [];
  const toolset = testToolset({
    cdpUrl(thread) {
      asked.push(thread);
      return browsers[0]?.url ?? '';
    },
  });
  const [a, b] = [toolset.session('a'), toolset.session('b')];
  expect(await Promise.all([title(a, '/?user=ann'), title(b, '/?user=bob')])).toEqual(['nobody ann', 'nobody bob']);
  expectSuccess(await a.tabs({ action: 'new', url: site.url('/files') }));
  browsers.shift();
  await first?.kill();

  const seen = expectSuccess(await a.snapshot());
  expect(seen.recovered).toEqual({ was: 'browser gone', now: '2 of 2 tabs reopened' });
  expect(seen.title).toBe('Files');
  expect([await title(a), await title(b)]).toEqual(['user=ann ann', 'user=bob bob']);
  expect(asked.slice(0, 2)).toEqual([{ threadId: 'a' }, { threadId: 'b' }]);
  expect(asked.slice(2)).toContainEqual({ threadId: 'a', endpoint: first?.url });
  expect(second && (await pagesOf(second))).toContain(site.url('/?user=ann'));
});

test('a connection that drops is made again, and the pages are taken over as they are', async () => {
  const remote = await remoteBrowser();
  const between = await spy(remote);
  const session = testToolset({ cdpUrl: () => between.url, cdpHeaders: { 'x-pool': 'key' } }).session('a');
  await title(session, '/?user=ann');
  const open = await pagesOf(remote);
  between.cut();
  await expect.poll(async () => (await session.tabs({ action: 'list' })).recovered).toBeDefined();
  expect(await pagesOf(remote)).toEqual(open);
  expect(await title(session)).toBe('user=ann ann');
  for (const { headers } of between.asked) expect(headers['x-pool']).toBe('key');
});

test('an endpoint can bring headers of its own, and is told when its browser is free again', async () => {
  const remote = await remoteBrowser();
  const between = await spy(remote);
  const released: string[] = [];
  const toolset = testToolset({
    cdpHeaders: { 'x-pool': 'key', 'x-thread': 'none' },
    cdpUrl: ({ threadId }) => ({
      url: between.url,
      headers: { 'x-thread': threadId },
      release: () => void released.push(threadId),
    }),
  });
  await title(toolset.session('a'));
  for (const { headers } of between.asked) expect(headers).toMatchObject({ 'x-pool': 'key', 'x-thread': 'a' });
  expect(between.asked.map(({ headers }) => headers.upgrade)).toContain('websocket');
  expect(released).toEqual([]);
  expectSuccess(await toolset.session('a').close());
  expect(released).toEqual(['a']);
  expect(isRunning(remote.pid)).toBe(true);
});

test('closeRemote ends the browser of a thread with its session', async () => {
  const remote = await remoteBrowser();
  const toolset = testToolset({ cdpUrl: () => remote.url, closeRemote: true });
  await title(toolset.session('a'));
  await toolset.close();
  await expect.poll(() => isRunning(remote.pid)).toBe(false);
});

test('a browser that makes no contexts lends its own to one thread; another is told what to do', async () => {
  const remote = await remoteBrowser();
  const there = temporary.path('other-machine');
  const url = await elsewhere(remote, { here: '/nowhere', there, refuses: 'Target.createBrowserContext' });
  const toolset = testToolset({ cdpUrl: url });
  expect(await title(toolset.session('a'))).toContain('nobody');
  const refused = await toolset.session('b').navigate({ url: site.url() });
  expect(refused).toMatchObject({ success: false, code: 'browser_error' });
  expect(refused.recoveryHint).toContain('cdpUrl can be a function');
  expectSuccess(await toolset.session('a').close());
  expectSuccess(await toolset.session('b').navigate({ url: site.url() }));
});

test.each([
  ['downloads of a browser that writes to a disk of its own', () => temporary.path('other-disk')],
  ['downloads of a browser that may write nowhere', () => '/dev/null/nowhere'],
])('%s come over the connection', async (_, there) => {
  const remote = await remoteBrowser();
  const downloadsPath = temporary.path('downloads-here');
  const url = await elsewhere(remote, { here: tmpdir(), there: there() });
  const session = testToolset({ cdpUrl: () => url, downloadsPath }).session('a');
  await title(session, '/files');
  const page = expectSuccess(await session.snapshot());
  const { download } = expectSuccess(await session.click({ ref: refOf(page, 'link', 'Report') }));
  expect(download).toMatchObject({ state: 'completed', fileName: 'report.csv', mimeType: 'text/csv' });
  expect(download?.path).toContain(downloadsPath);
  expect(readFileSync(download?.path ?? '', 'utf8') === CONTENT).toBe(true);
  const made = expectSuccess(await session.click({ ref: refOf(page, 'button', 'Made') })).download;
  expect(readFileSync(made?.path ?? '', 'utf8')).toBe('{}');
  expect(expectSuccess(await session.tabs({ action: 'list' })).tabs).toHaveLength(1);
});
