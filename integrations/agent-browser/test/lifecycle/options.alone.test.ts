import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { expectFailure, expectSuccess, launchingToolset, type Route, servePages, testToolset } from '../fixtures.js';
import { browsersOf, ownTemporaryFolder } from './machine.js';

const temporary = ownTemporaryFolder();

/** A page whose title is what an expression gives. */
function titled(expression: string): string {
  return `<!doctype html><title></title><script>document.title = String(${expression})</script>`;
}

/** Answers with the page and gives a cookie, unless there is one. */
const counting: Route = (request, response) => {
  const visits = Number(/visits=(\d+)/.exec(request.headers.cookie ?? '')?.[1] ?? 0) + 1;
  response.setHeader('set-cookie', [`visits=${visits}; Max-Age=3600`, `session=${visits}`]);
  response.setHeader('content-type', 'text/html');
  response.end(`<title>${request.headers.cookie ?? 'no cookie'}</title>`);
};

test('pages see the user agent, locale, time zone, viewport and colour scheme of the options', async () => {
  const site = await servePages({
    '/': titled(
      `[navigator.userAgent, navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone,
        innerWidth + 'x' + innerHeight, matchMedia('(prefers-color-scheme: dark)').matches].join(' | ')`,
    ),
  });
  const toolset = testToolset({
    userAgent: 'Test/1.0',
    locale: 'de-DE',
    timezoneId: 'Asia/Tokyo',
    viewport: { width: 900, height: 500 },
    colorScheme: 'dark',
  });
  const { title } = expectSuccess(await toolset.session('a').navigate({ url: site.url() }));
  expect(title).toBe('Test/1.0 | de-DE | Asia/Tokyo | 900x500 | true');
});

test('the first thread and later ones get the same options', async () => {
  const site = await servePages({
    '/': (request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        titled(`[${JSON.stringify(request.headers['x-tenant'])}, navigator.userAgent,
        innerWidth + 'x' + innerHeight, matchMedia('(prefers-color-scheme: dark)').matches].join(' | ')`),
      );
    },
  });
  const viewport = { width: 640, height: 480 };
  const toolset = testToolset({
    userAgent: 'Test/3.0',
    viewport,
    headers: { 'x-tenant': 'acme' },
    colorScheme: 'dark',
  });
  for (const thread of ['a', 'b']) {
    const session = toolset.session(thread);
    expect(expectSuccess(await session.navigate({ url: site.url() })).title).toBe('acme | Test/3.0 | 640x480 | true');
    expect(expectSuccess(await session.tabs({ action: 'new', url: site.url() })).title).toContain('640x480 | true');
  }
});

test('every request of a page carries the headers of the options', async () => {
  const seen: IncomingMessage[] = [];
  const note: Route = (request, response) => {
    seen.push(request);
    response.setHeader('content-type', 'text/html');
    response.end('<title>Headers</title><script src="/script"></script>');
  };
  const site = await servePages({ '/': note, '/script': note });
  const toolset = testToolset({ headers: { 'x-tenant': 'acme' } });
  expectSuccess(await toolset.session('a').navigate({ url: site.url(), waitUntil: 'load' }));
  expect(seen.slice(0, 2).map(request => `${request.url} ${request.headers['x-tenant']}`)).toEqual([
    '/ acme',
    '/script acme',
  ]);
});

test('the traffic of the pages goes through the proxy of the options, which is told who asks', async () => {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    if (request.headers['proxy-authorization'] === undefined) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' }).end();
      return;
    }
    asked.push(`${request.url} ${request.headers['proxy-authorization']}`);
    response.setHeader('content-type', 'text/html');
    response.end('<title>Through the proxy</title>');
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const toolset = testToolset({
    proxy: { server: `http://127.0.0.1:${port}`, username: 'ann', password: 'secret' },
  });
  const { title } = expectSuccess(await toolset.session('a').navigate({ url: 'http://shop.test/' }));
  expect(title).toBe('Through the proxy');
  expect(asked).toContain(`http://shop.test/ Basic ${Buffer.from('ann:secret').toString('base64')}`);
});

test('a tunnel through the proxy of the options to a private host is cut once a page has been on the public network', async () => {
  const proxy = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' });
    response.end(`<title>Printer</title><script>
      const socket = new WebSocket('ws://10.0.0.6/');
      socket.onopen = () => { document.title = 'open'; fetch('http://public.test/'); };
      socket.onclose = () => document.title += ' cut';
    </script>`);
  });
  const sockets = new WebSocketServer({ noServer: true });
  proxy.on('connect', (_, socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.on('error', () => undefined);
    const inner = createServer();
    inner.on('upgrade', (upgrade, stream, head) => sockets.handleUpgrade(upgrade, stream, head, () => undefined));
    inner.emit('connection', socket);
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const session = testToolset({ proxy: { server: `http://127.0.0.1:${port}` } }).session('a');
  expectSuccess(await session.navigate({ url: 'http://10.0.0.5/' }));
  await expect.poll(async () => (await session.tabs({ action: 'list' })).tabs?.[0]?.title).toBe('open cut');
});

test('switches of the options reach Chromium', async () => {
  const site = await servePages({ '/': '<title>Mapped</title>' });
  const { host } = new URL(site.url());
  const toolset = testToolset({ args: [`--host-resolver-rules=MAP shop.test ${host}`] });
  const { title } = expectSuccess(await toolset.session('a').navigate({ url: 'http://shop.test/' }));
  expect(title).toBe('Mapped');
});

test('new sessions start with the cookies and the storage of a storage state file', async () => {
  const site = await servePages({ '/': titled('document.cookie + " " + localStorage.getItem("theme")') });
  const path = temporary.path('state.json');
  const cookie = { name: 'user', value: 'ann', domain: '127.0.0.1', path: '/', expires: -1 };
  const state = {
    cookies: [{ ...cookie, httpOnly: false, secure: false, sameSite: 'Lax' }],
    origins: [{ origin: site.url('').replace(/\/$/, ''), localStorage: [{ name: 'theme', value: 'dark' }] }],
  };
  writeFileSync(path, JSON.stringify(state));
  const toolset = testToolset({ storageState: path });
  for (const thread of ['a', 'b']) {
    const { title } = expectSuccess(await toolset.session(thread).navigate({ url: site.url() }));
    expect(title).toBe('user=ann dark');
  }
});

test('a storage state file that cannot be read is named in the error', async () => {
  const session = testToolset({ storageState: '/no/such/state.json' }).session('a');
  const { message } = expectFailure(await session.navigate({ url: 'about:blank' }), 'browser_error');
  expect(message).toContain('storageState');
  expect(message).toContain('/no/such/state.json');
});

test('a time zone that there is none of is named in the error', async () => {
  const session = testToolset({ timezoneId: 'Mars/Olympus' }).session('a');
  const { message } = expectFailure(await session.navigate({ url: 'about:blank' }), 'browser_error');
  expect(message).toContain('Mars/Olympus');
});

test('a profile keeps cookies over restarts, and all threads share it', async () => {
  const site = await servePages({ '/': counting });
  const profile = temporary.path('profile');
  const others = browsersOf();
  const first = testToolset({ profile });
  expect(expectSuccess(await first.session('a').navigate({ url: site.url() })).title).toBe('no cookie');
  expect(expectSuccess(await first.session('b').navigate({ url: site.url() })).title).toContain('visits=1');
  expect(browsersOf()).toHaveLength(others.length + 1);
  await first.close();
  expect(browsersOf()).toEqual(others);

  const second = testToolset({ profile });
  const { title } = expectSuccess(await second.session('a').navigate({ url: site.url() }));
  expect(title).toBe('visits=2');
});

test('pages of a profile get the options too', async () => {
  const site = await servePages({
    '/': titled(`[navigator.userAgent, innerWidth, matchMedia('(prefers-color-scheme: dark)').matches].join(' ')`),
  });
  const toolset = testToolset({
    profile: temporary.path('profile-with-options'),
    userAgent: 'Test/2.0',
    viewport: { width: 700, height: 400 },
    colorScheme: 'dark',
  });
  const { title } = expectSuccess(await toolset.session('a').navigate({ url: site.url() }));
  expect(title).toBe('Test/2.0 700 true');
});

test('a profile that another browser has open is said to be in use', async () => {
  const profile = temporary.path('profile-in-use');
  expectSuccess(await testToolset({ profile }).session('a').navigate({ url: 'about:blank' }));
  const second = testToolset({ profile }).session('a');
  const { message } = expectFailure(await second.navigate({ url: 'about:blank' }), 'browser_error');
  expect(message).toContain('already in use');
});

test('a profile that cannot be a folder is named in the error, and nothing is left behind', async () => {
  const file = temporary.path('file');
  writeFileSync(file, '');
  const before = temporary.entries();
  const session = testToolset({ profile: `${file}/profile` }).session('a');
  const { message } = expectFailure(await session.navigate({ url: 'about:blank' }), 'browser_error');
  expect(message).toContain(`${file}/profile`);
  expect(temporary.entries()).toEqual(before);
});

test('downloads and screenshots go to the folder of the options, which stays', async () => {
  const downloadsPath = temporary.path('kept');
  mkdirSync(downloadsPath);
  const toolset = launchingToolset({ downloadsPath });
  const before = temporary.entries();
  const session = toolset.session('a');
  expectSuccess(await session.navigate({ url: 'about:blank' }));
  const { path } = expectSuccess(await session.screenshot());
  expect(path?.startsWith(`${downloadsPath}/a/`)).toBe(true);
  await toolset.close();
  expect(temporary.entries()).toEqual(before);
});
