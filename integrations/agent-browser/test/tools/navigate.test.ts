import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess, type Route, servePages } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage, newSession } = pageOpener({ navigationTimeout: 3_000 }, { ownSession: true });

async function visit(route: Route, input: { waitUntil?: 'load' | 'domcontentloaded' | 'networkidle' } = {}) {
  const site = await servePages({ '/': '<!doctype html><title>Home</title><h1>Home</h1>', '/page': route });
  const session = newSession();
  expectSuccess(await session.navigate({ url: site.url('/') }));
  const result = await session.navigate({ url: site.url('/page'), ...input });
  return { session, site, result };
}

describe('navigating', () => {
  test('tells the url, the title, the status and the beginning of the page', async () => {
    const { result, site } = await visit('<!doctype html><title>Shop</title><h1>Mugs</h1><button>Buy</button>');
    expect(expectSuccess(result)).toMatchObject({
      url: site.url('/page'),
      title: 'Shop',
      status: 200,
      navigated: true,
    });
    expect(result.changes).toMatch(/^page "Shop" http[\s\S]*heading "Mugs"[\s\S]*button "Buy" @e\d+/);
  });

  test.each([404, 500])('to a page with status %s is a success that tells it', async status => {
    const { result } = await visit((_, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<title>Oops</title><h1>Oops</h1>');
    });
    expect(expectSuccess(result)).toMatchObject({ status, title: 'Oops' });
  });

  test('follows redirects, also those that a script makes', async () => {
    const { result, site } = await visit((_, response) => response.writeHead(302, { location: '/' }).end());
    expect(expectSuccess(result)).toMatchObject({ url: site.url('/'), title: 'Home', status: 200 });
    const scripted = await visit('<script>location.href = "/"</script>');
    expect(expectSuccess(scripted.result)).toMatchObject({ url: scripted.site.url('/'), title: 'Home' });
  });

  test('to a url without scheme and with spaces works', async () => {
    const { session, site } = await openPage({ '/': '<h1>Home</h1>', '/a%20b': '<h1>Spaces</h1>' });
    const host = new URL(site.url()).host;
    expect(expectSuccess(await session.navigate({ url: `${host}/a b` })).changes).toContain('Spaces');
  });

  test('to a place within the page needs no new document', async () => {
    const { session, site } = await openPage('<h1 id="there">There</h1>');
    const result = expectSuccess(await session.navigate({ url: site.url('/#there') }));
    expect(result.url).toBe(site.url('/#there'));
  });

  test('to a file downloads it and stays where it was', async () => {
    const { result, site } = await visit((_, response) => {
      response.writeHead(200, { 'content-disposition': 'attachment; filename="list.csv"' }).end('a,b');
    });
    expect(expectSuccess(result)).toMatchObject({ url: site.url('/'), download: { fileName: 'list.csv' } });
  });
});

describe('waitUntil', () => {
  test('domcontentloaded, the default, does not wait for pictures; load does', async () => {
    const held: { end(): void }[] = [];
    const { session, site } = await openPage({
      '/': '<h1>Home</h1>',
      '/page': '<img src="/image"><h1>Page</h1>',
      '/image': (_, response) => void held.push(response),
    });
    expectSuccess(await session.navigate({ url: site.url('/page') }));
    await expect.poll(() => held.length).toBe(1);
    const loading = session.navigate({ url: site.url('/page'), waitUntil: 'load' });
    await expect.poll(() => held.length).toBe(2);
    for (const response of held) response.end();
    const loaded = expectSuccess(await loading);
    expect(loaded).toMatchObject({ url: site.url('/page') });
    expect(loaded.loading).toBeUndefined();
  });

  test('networkidle waits until the page has what it asked for', async () => {
    const { result } = await visit(
      `<h1 id="h">Page</h1><script>setTimeout(() => fetch('/').then(() => { h.textContent = 'Filled' }), 200)</script>`,
      { waitUntil: 'networkidle' },
    );
    expect(expectSuccess(result).changes).toContain('Filled');
  });

  test('networkidle of a page that never rests shows it and says that it still loads', async () => {
    const page = `<h1>Busy</h1><script>setInterval(() => fetch('/'), 100)</script>`;
    const { result } = await visit(page, { waitUntil: 'networkidle' });
    expect(expectSuccess(result).loading).toBe(true);
    expect(result.changes).toContain('Busy');
  });
});

describe('a page that cannot be had', () => {
  test.each<[string, Route, string]>([
    [
      'redirects in a circle',
      (_, response) => void response.writeHead(302, { location: '/page' }).end(),
      'ERR_TOO_MANY_REDIRECTS',
    ],
    ['resets the connection', request => void request.socket.destroy(), 'ERR_EMPTY_RESPONSE'],
    ['has no content', (_, response) => void response.writeHead(204).end(), 'ERR_ABORTED'],
    ['is an empty error', (_, response) => void response.writeHead(500).end(), 'ERR_HTTP_RESPONSE_CODE_FAILURE'],
  ])('because it %s says so at once, and the next one can', async (_, route, code) => {
    const { session, site, result } = await visit(route);
    expect(expectFailure(result, 'navigation_failed').message).toContain(code);
    const next = expectSuccess(await session.navigate({ url: site.url('/') }));
    expect(next).toMatchObject({ status: 200, title: 'Home' });
  });

  test('because nothing listens, or there is no such host, says so', async () => {
    const site = await servePages({});
    await site.close();
    const session = newSession();
    const refused = expectFailure(await session.navigate({ url: site.url() }), 'navigation_failed');
    expect(refused.message).toContain('ERR_CONNECTION_REFUSED');
    const unknown = expectFailure(await session.navigate({ url: 'http://no-such-host.invalid' }), 'navigation_failed');
    expect(unknown).toMatchObject({ message: expect.stringContaining('ERR_NAME_NOT_RESOLVED') });
  });

  test('because it never answers ends in time, and the page before stays usable', async () => {
    const { session, result } = await visit(() => undefined);
    expectFailure(result, 'timeout');
    expect((await session.snapshot()).tree).toContain('Home');
  });

  test('because it never ends, ends in time with what there is', async () => {
    const { session, result } = await visit((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write('<!doctype html><title>Part</title><h1>Half a page</h1>');
    });
    expect(expectSuccess(result)).toMatchObject({ loading: true, title: 'Part' });
    expect(result.changes).toContain('Half a page');
    expectFailure(await session.wait({ for: { load: 'domcontentloaded' }, timeout: 1 }), 'timeout');
  });

  test('because its certificate is bad says which option accepts it', async () => {
    const site = await serveWithBadCertificate();
    try {
      const refused = expectFailure(await newSession().navigate({ url: site.url }), 'navigation_failed');
      expect(refused).toMatchObject({ recoveryHint: expect.stringContaining('ignoreHTTPSErrors') });
      expectSuccess(await trusting.newSession().navigate({ url: site.url }));
    } finally {
      await site.close();
    }
  });
});

const trusting = pageOpener({ ignoreHTTPSErrors: true }, { ownSession: true });

test.each([
  ['javascript:alert(1)', 'url_blocked'],
  ['file:///etc/passwd', 'url_blocked'],
  ['/relative', 'invalid_input'],
] as const)('the url %s is refused, and the page stays', async (url, code) => {
  const { session, site } = await openPage('<h1>Home</h1>');
  expect(expectFailure(await session.navigate({ url }), code).url).toBe(site.url('/'));
});

async function serveWithBadCertificate(): Promise<{ url: string; close(): Promise<void> }> {
  const { createServer } = await import('node:https');
  const made = execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      '/CN=localhost',
      '-days',
      '1',
      '-keyout',
      '-',
      '-out',
      '-',
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const server = createServer({ key: made, cert: made }, (_, response) => response.end('<title>Safe</title>'));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `https://127.0.0.1:${port}/`,
    close: () => new Promise(resolve => void server.close(() => resolve()).closeAllConnections()),
  };
}
