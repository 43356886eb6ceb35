import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../src/tokens.js';
import { network } from '../../src/tools/network.js';
import { expectFailure, expectSuccess, type Route } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener({ tools: { also: ['browser_network'] } }, { ownSession: true });
const withoutTool = pageOpener({}, { ownSession: true });

const json: Route = (_, response) =>
  response
    .writeHead(201, { 'content-type': 'application/json', 'set-cookie': 'sid=secret-cookie', 'x-plain': 'yes' })
    .end(JSON.stringify({ items: [1, 2], token: 'secret-token' }));
const PAGES: Record<string, Route> = {
  '/': `<link rel="icon" href="data:,"><script>
    fetch('/api?token=secret-query', { method: 'POST', body: JSON.stringify({ password: 'secret-body', n: 1 }),
      headers: { authorization: 'Bearer secret-header', 'content-type': 'application/json' } });
    fetch('/missing'); fetch('/broken').catch(() => {});
    fetch('/picture'); fetch('/long');
  </script>`,
  '/api': json,
  '/broken': request => request.socket.destroy(),
  '/picture': (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(321)),
  '/long': (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('word '.repeat(20_000)),
};

/** A page whose requests are all over. */
async function openLoaded() {
  const page = await openPage(PAGES);
  const over = async () => {
    const { requests = [] } = await page.session.network();
    return requests.filter(
      ({ status, failure, size }) => failure !== undefined || (status !== undefined && size !== undefined),
    );
  };
  await expect.poll(over).toHaveLength(6);
  const { requests = [] } = await page.session.network();
  const idOf = (path: string) =>
    requests.find(({ url }) => url.includes(path))?.id ?? expect.fail(`no request of ${path}`);
  return { ...page, idOf };
}

describe('the requests of pages', () => {
  it('are listed, all or some', async () => {
    const { session, site, idOf } = await openLoaded();
    const all = expectSuccess(await session.network());
    expect(all.requests?.[0]).toEqual({
      id: 'r1',
      method: 'GET',
      url: site.url(),
      type: 'document',
      status: 200,
      size: expect.any(Number),
      ms: expect.any(Number),
    });
    expect((await session.network({ filter: 'API' })).requests).toMatchObject([
      { method: 'POST', type: 'fetch', status: 201 },
    ]);
    expect((await session.network({ filter: 'document' })).requests).toMatchObject([{ id: 'r1' }]);
    const failed = expectSuccess(await session.network({ failedOnly: true }));
    expect(failed.requests?.map(({ status, failure }) => status ?? failure).sort()).toEqual([
      404,
      'net::ERR_EMPTY_RESPONSE',
    ]);
    expect(network.headline(failed)).toContain(`${idOf('/missing')} GET ${site.url('/missing')} fetch 404 (`);
  });

  it('are told one by one, with headers and body, and without secrets', async () => {
    const { session, idOf } = await openLoaded();
    const result = expectSuccess(await session.network({ id: idOf('/api') }));
    expect(result.request).toMatchObject({
      status: 201,
      requestHeaders: { authorization: '•••', 'content-type': 'application/json' },
      requestBody: '{"password":"•••","n":1}',
      responseHeaders: { 'set-cookie': '•••', 'x-plain': 'yes' },
      body: '{"items":[1,2],"token":"•••"}',
    });
    const text = network.headline(result);
    expect(text).toContain('< x-plain: yes\n');
    expect(JSON.stringify(result) + text).not.toContain('secret');
  });

  it('have bodies that are cut to a budget, and pictures that are not shown', async () => {
    const { session, idOf } = await openLoaded();
    const long = expectSuccess(await session.network({ id: idOf('/long') })).request?.body ?? '';
    expect(long).toMatch(/^word word .*… \d+ more characters$/);
    expect(estimateTokens(long)).toBeLessThanOrEqual(2_000);
    expect((await session.network({ id: idOf('/picture') })).request?.body).toBe('[image/png, 321 bytes]');
    const broken = expectSuccess(await session.network({ id: idOf('/broken') }));
    expect(network.headline(broken)).toContain('(body not available)');
  });

  it('that are not known are told with those that are', async () => {
    const { session } = await openLoaded();
    expect(expectFailure(await session.network({ id: 'r99' }), 'invalid_input').message).toBe(
      'id: there is no request "r99"; there are r1 to r6.',
    );
    expectFailure(await session.network({ id: 'r1', filter: 'x' }), 'invalid_input');
  });

  it('are the latest of those that never end', async () => {
    const { session } = await openPage({
      '/': `<script>(async () => { for (let n = 0; n < 260; n++) await fetch('/api?n=' + n) })()</script>`,
      '/api': json,
    });
    await expect
      .poll(async () => JSON.stringify((await session.network({ filter: 'n=259' })).requests))
      .toContain('201');
    const result = expectSuccess(await session.network());
    expect((result.requests?.length ?? 0) + (result.earlier ?? 0)).toBe(200);
    expect(result.requests?.at(-1)?.url).toContain('n=259');
    expect(estimateTokens(JSON.stringify(result.requests))).toBeLessThan(6_000);
    expect(result.dropped).toBeGreaterThanOrEqual(61);
    expect(estimateTokens(network.headline(result))).toBeLessThan(2_200);
  });

  it('are told without the ends of headers that are long', async () => {
    const { session } = await openPage({
      '/': '<h1>Shop</h1><script>fetch("/heads")</script>',
      '/heads': (_, response) => response.writeHead(200, { 'x-long': 'word '.repeat(2_000) }).end('ok'),
    });
    const find = async () => (await session.network({ filter: '/heads' })).requests?.[0];
    await expect.poll(find).toMatchObject({ status: 200 });
    const { request } = expectSuccess(await session.network({ id: (await find())?.id }));
    expect(request?.responseHeaders?.['x-long']).toMatch(/^word .*… \d+ more characters$/);
    expect(estimateTokens(JSON.stringify(request?.responseHeaders))).toBeLessThan(1_100);
  });

  it('are noted from the first question on where the tool is not among those of the toolset', async () => {
    const { session, site } = await withoutTool.openPage({ '/': '<h1>Shop</h1>', '/api': json });
    const first = expectSuccess(await session.network());
    expect(first).toMatchObject({ requests: [], note: expect.stringContaining('from now on') });
    await session.navigate({ url: site.url('/api') });
    expect((await session.network()).requests).toMatchObject([{ id: 'r1', url: site.url('/api') }]);
  });
});
