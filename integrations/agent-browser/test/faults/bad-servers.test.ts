import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { BrowserSession } from '../../src/index.js';
import { expectFailure, expectSuccess, type Site, servePages, testToolset } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';
import { CERTIFICATE, KEY } from './self-signed.js';

const site: Promise<Site> = servePages({
  '/': '<title>Fine</title><h1>Fine</h1>',
  '/silent': () => undefined,
  '/drip': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write('<title>Drip</title><h1>So far</h1><button>Usable</button>');
  },
  '/waits-for-image': '<title>Image</title><h1>Here</h1><img src="/silent">',
  '/cut': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': 10_000 });
    response.write('<title>Cut</title><h1>Half of');
    setTimeout(() => response.destroy(), 100);
  },
  '/circle': (_, response) => void response.writeHead(302, { location: '/circle' }).end(),
  '/refresh-circle': (_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<title>Refresh</title><script>location.replace("/refresh-circle?" + Math.random())</script>');
  },
  '/late': (_, response) => {
    response.setHeader('content-type', 'text/html');
    setTimeout(() => response.end('<title>Late</title><h1>Late</h1>'), 300);
  },
  '/nothing': (_, response) => void response.writeHead(204).end(),
  '/empty-error': (_, response) => void response.writeHead(500).end(),
  '/error': (_, response) => void response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Busy</h1>'),
});

const { newSession, openSession } = pageOpener({ navigationTimeout: 2_000, timeout: 2_000 });

/** A page that is still loading after a moment is shown, and a busy machine has the time of a navigation to answer. */
const shownEarly = pageOpener({}, { timings: { shown: 1_500 } });

const onPage = async (): Promise<BrowserSession> => openSession((await site).url());

async function expectUsable(session: BrowserSession): Promise<void> {
  expect(expectSuccess(await session.navigate({ url: (await site).url() })).title).toBe('Fine');
  expectSuccess(await session.snapshot());
}

async function listening(server: ReturnType<typeof createSocketServer>): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('a server that never answers ends the navigation in time', async () => {
  const session = newSession();
  expectFailure(await session.navigate({ url: (await site).url('/silent') }), 'timeout');
  await expectUsable(session);
});

test('a page that never ends can be used as far as it came', async () => {
  const session = await shownEarly.openSession((await site).url());
  const result = expectSuccess(await session.navigate({ url: (await site).url('/drip') }));
  expect(result).toMatchObject({ loading: true, status: 200, navigated: true });
  expect(result.changes).toContain('button "Usable"');
  expect(expectSuccess(await session.history({ direction: 'reload' })).loading).toBe(true);
  expectSuccess(await session.click({ ref: Object.keys((await session.snapshot()).refs ?? {})[0] }));
  await expectUsable(session);
});

test('an image that never comes does not hold up a navigation unless it waits for all', async () => {
  const session = await onPage();
  const url = (await site).url('/waits-for-image');
  expect(expectSuccess(await session.navigate({ url })).title).toBe('Image');
  expect(expectSuccess(await session.navigate({ url, waitUntil: 'load' })).loading).toBe(true);
  expect(expectSuccess(await session.find({ text: 'Here' })).matches).toHaveLength(1);
  await expectUsable(session);
});

test('a connection that is reset fails the navigation with the reason', async () => {
  const server = createSocketServer(socket => socket.once('data', () => socket.resetAndDestroy()));
  const session = await onPage();
  const url = `http://127.0.0.1:${await listening(server)}/`;
  const { message } = expectFailure(await session.navigate({ url }), 'navigation_failed');
  expect(message).toMatch(/ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/);
  await expectUsable(session);
});

test('an answer that breaks off is shown as far as it came', async () => {
  const session = await onPage();
  const result = await session.navigate({ url: (await site).url('/cut') });
  if (!result.success) expect(['navigation_failed', 'timeout']).toContain(result.code);
  expect(expectSuccess(await session.find({ text: 'Half of' })).matches).toHaveLength(1);
  await expectUsable(session);
});

test('a port that nobody listens on and a host that there is none of fail with the reason', async () => {
  const session = testToolset({ args: ['--host-resolver-rules=MAP no-such-host.test ~NOTFOUND'] }).session('a');
  const refused = expectFailure(await session.navigate({ url: 'http://127.0.0.1:1/' }), 'navigation_failed');
  expect(refused.message).toMatch(/ERR_(CONNECTION_REFUSED|UNSAFE_PORT)/);
  const unknown = expectFailure(await session.navigate({ url: 'http://no-such-host.test/' }), 'navigation_failed');
  expect(unknown.message).toContain('ERR_NAME_NOT_RESOLVED');
  await expectUsable(session);
});

test('redirects in a circle fail with the reason', async () => {
  const session = await onPage();
  const { message } = expectFailure(await session.navigate({ url: (await site).url('/circle') }), 'navigation_failed');
  expect(message).toContain('ERR_TOO_MANY_REDIRECTS');
  await expectUsable(session);
});

test('a page that sends itself on for ever can be left', async () => {
  const session = await onPage();
  await session.navigate({ url: (await site).url('/refresh-circle') });
  await session.snapshot();
  const left = await session.navigate({ url: (await site).url('/late') });
  expect(expectSuccess(left)).toMatchObject({ title: 'Late', status: 200 });
  await expectUsable(session);
});

test('an answer without a page leaves the page that was open, and the result says so', async () => {
  const session = await onPage();
  const result = await session.navigate({ url: (await site).url('/nothing') });
  expectFailure(result, 'navigation_failed');
  expect(expectSuccess(await session.snapshot()).title).toBe('Fine');
});

test('errors of a server are told with their status', async () => {
  const session = await onPage();
  expect(expectSuccess(await session.navigate({ url: (await site).url('/error') })).status).toBe(503);
  const empty = await session.navigate({ url: (await site).url('/empty-error') });
  expect(empty.success ? empty.status : empty.message).toMatch(/500|ERR_HTTP_RESPONSE_CODE_FAILURE/);
  await expectUsable(session);
});

test('a certificate that nobody has signed is refused with the way out, and accepted by the option', async () => {
  const server = createSecureServer({ key: KEY, cert: CERTIFICATE }, (_, response) =>
    response.end('<title>Secure</title>'),
  );
  const url = `https://127.0.0.1:${await listening(server)}/`;
  const session = await onPage();
  const failure = expectFailure(await session.navigate({ url }), 'navigation_failed');
  expect(failure.message).toContain('ERR_CERT_AUTHORITY_INVALID');
  expect(failure.recoveryHint).toContain('ignoreHTTPSErrors');
  await expectUsable(session);
  const trusting = testToolset({ ignoreHTTPSErrors: true }).session('a');
  expectSuccess(await trusting.navigate({ url }));
});
