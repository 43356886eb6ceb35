import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { serve } from '@hono/node-server';
import type { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Hono } from 'hono';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelServer, says } from '../../browser-agent/test/model-server.js';
import { createMcpServer } from '../src/index.js';
import { connected, HEADERS } from './http-client.js';
import { below, isAlive } from './processes.js';
import { BROKEN_TARGETS, statusOfRaw } from './raw-request.js';
import { ReceiptShop } from './receipt-shop.js';
import { type HttpCommand, startHttp } from './started.js';

const TOKEN = 'a token that nobody guesses';
const shop = new ReceiptShop();
let http: HttpCommand;
let guarded: HttpCommand;
beforeAll(async () => {
  await shop.start();
  http = await startHttp();
  guarded = await startHttp({ flags: ['--token', TOKEN.replaceAll(' ', '-')] });
});
afterAll(async () => {
  await Promise.all([http.stop(), guarded.stop(), shop.stop()]);
});

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

/** Sends what fetch would not: any Host, any Origin. Resolves to the status. */
function send(url: string, method: string, headers: Record<string, string>, body: unknown): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = request(url, { method, headers: { ...HEADERS, ...headers } }, response => {
    resolve(response.statusCode ?? 0);
    response.destroy();
  });
  sent.on('error', reject);
  sent.end(method === 'POST' ? JSON.stringify(body) : undefined);
  return promise;
}

function isRenderer(pid: number): boolean {
  return isAlive(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer');
}

describe('a request', () => {
  it.each([
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ host: 'evil.example' }, 403],
    [{ host: 'localhost.evil.example:80' }, 403],
  ])('with %j reaches nothing', async (headers, status) => {
    for (const method of ['POST', 'GET', 'DELETE'])
      expect(await send(http.url, method, headers, INITIALIZE)).toBe(status);
    expect(await (await fetch(new URL('/health', http.url))).text()).toBe('ok\n');
  });

  it.each([{}, { authorization: 'Bearer wrong' }, { authorization: `Basic ${TOKEN}` }])(
    'without the token (%j) reaches nothing',
    async headers => {
      for (const method of ['POST', 'GET', 'DELETE'])
        expect(await send(guarded.url, method, headers as Record<string, string>, INITIALIZE)).toBe(401);
    },
  );

  it('with the token is answered, in both eras', async () => {
    for (const era of ['2025-11-25', '2026-07-28']) {
      const client = await connected(guarded.url, era, { authorization: `Bearer ${TOKEN.replaceAll(' ', '-')}` });
      expect((await client.listTools()).tools).not.toEqual([]);
      await client.close();
    }
  });

  it('that is too large is refused before it has come', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const sent = request(http.url, { method: 'POST', headers: { ...HEADERS, 'content-length': 5_000_000 } });
    sent.on('response', response => {
      resolve(response.statusCode ?? 0);
      sent.destroy();
    });
    sent.on('error', reject);
    sent.write('{"jsonrpc":"2.0",');
    expect(await promise).toBe(413);
  });
});

it('a client that loses the stream of a call gets its answer when it comes back', async () => {
  const begun = await fetch(http.url, { method: 'POST', headers: HEADERS, body: JSON.stringify(INITIALIZE) });
  await begun.text();
  const headers = {
    ...HEADERS,
    'mcp-session-id': begun.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-11-25',
  };
  const post = (body: object, signal?: AbortSignal): Promise<Response> =>
    fetch(http.url, { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) });
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const params = { name: 'browser_navigate', arguments: { url: shop.url } };
  const lost = new AbortController();
  const call = await post({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }, lost.signal);
  const first = await call.body?.getReader().read();
  const id = /id: (\S+)/.exec(new TextDecoder().decode(first?.value))?.[1] ?? '';
  lost.abort();
  const again = (): Promise<Response> => fetch(http.url, { headers: { ...headers, 'last-event-id': id } });
  let back = await again();
  // Until the server has noticed that the stream is lost, it is the one.
  while (back.status === 409) {
    await back.text();
    back = await again();
  }
  let text = '';
  for await (const chunk of back.body as ReadableStream<Uint8Array>) {
    text += new TextDecoder().decode(chunk);
    if (text.includes('"id":7')) break;
  }
  expect(text).toContain('Buy the Red mug');
});

it.each(BROKEN_TARGETS)('a request for %s ends nothing', async target => {
  expect([400, 404]).toContain(await statusOfRaw(http.url, target));
  expect(await (await fetch(new URL('/health', http.url))).text()).toBe('ok\n');
});

const refIn = (text: string, name: string): string | undefined => new RegExp(`${name}\\\\" (@e\\d+)`).exec(text)?.[1];

describe('twenty clients at once', () => {
  it('have a browser each, with cookies of its own, and leave nothing behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-twenty-'));
    const own = await startHttp({ env: { TMPDIR: folder } });
    const clients = await Promise.all(
      Array.from({ length: 20 }, (_, n) => connected(own.url, n % 2 === 0 ? '2025-11-25' : '2026-07-28')),
    );
    const buy = async (client: Client, n: number): Promise<string | undefined> => {
      let session: string | undefined;
      const call = async (name: string, input: object): Promise<string> => {
        const given = { ...input, ...(session !== undefined && { session }) };
        const result = await client.callTool({ name, arguments: given });
        expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
        session ??= (result.structuredContent as { session?: string }).session;
        return JSON.stringify(result.content);
      };
      // A page that was too busy to be read with a result is read by another call.
      const refOf = async (text: string, name: string): Promise<string> =>
        refIn(text, name) ?? refIn(await call('browser_snapshot', {}), name) ?? expect.fail(`no ${name} in ${text}`);
      const front = await call('browser_navigate', { url: shop.url });
      const checkout = await call('browser_click', { ref: await refOf(front, 'Buy the Red mug') });
      await call('browser_type', { ref: await refOf(checkout, 'Full name'), text: `Visitor ${n}` });
      await call('browser_click', { ref: await refOf(checkout, 'Place order') });
      if (session !== undefined) await call('browser_close', {});
      return session;
    };
    const sessions = await Promise.all(clients.map(buy));
    expect(shop.orders.map(({ name }) => name).sort()).toEqual(clients.map((_, n) => `Visitor ${n}`).sort());
    expect(new Set(shop.orders.map(({ visitor }) => visitor)).size).toBe(20);
    expect(new Set(sessions.filter(each => each !== undefined)).size).toBe(10);
    const [other] = clients.filter((_, n) => n % 2 === 1);
    await expect(other?.callTool({ name: 'browser_snapshot', arguments: { session: 's_made-up' } })).rejects.toThrow(
      'There is no session',
    );
    const browser = below(own.process.pid ?? 0);
    expect(browser.length).toBeGreaterThan(2);
    expect(await readdir(folder)).not.toEqual([]);
    await Promise.all(clients.map(client => client.close()));
    await own.stop();
    await expect.poll(() => browser.filter(isAlive)).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('that are gone leave no pages of theirs in the browser', async () => {
    const own = await startHttp();
    const staying = await connected(own.url, '2025-11-25');
    await staying.callTool({ name: 'browser_navigate', arguments: { url: shop.url } });
    const renderers = (): number => below(own.process.pid ?? 0).filter(isRenderer).length;
    const before = renderers();
    const going = await Promise.all(Array.from({ length: 4 }, () => connected(own.url, '2025-11-25')));
    for (const client of going) await client.callTool({ name: 'browser_navigate', arguments: { url: shop.url } });
    expect(renderers()).toBeGreaterThan(before);
    for (const { transport } of going) await (transport as StreamableHTTPClientTransport).terminateSession();
    // A context that waits for the next client has a renderer of its own.
    await expect.poll(renderers).toBeLessThanOrEqual(before + 1);
    await staying.close();
    await own.stop();
  });
});

it('a client without sessions reads what a result names, by its uri as it is', async () => {
  const models = await new ModelServer().start();
  const { id, url } = models.thinks(() => says([{ done: { text: 'Nothing to do.', success: true } }]));
  const own = await startHttp({ flags: ['--live'], env: { MODEL: id, MODEL_URL: url } });
  const client = await connected(own.url, '2026-07-28');
  const result = await client.callTool({ name: 'run_browser_agent', arguments: { task: 'Nothing' } });
  const { history } = result.structuredContent as { history: string };
  const link = result.content.find(part => part.type === 'resource_link');
  expect(link?.uri).toBe(history);
  const { contents } = await client.readResource({ uri: history });
  expect(contents).toMatchObject([{ uri: history, text: expect.stringContaining('"task":"Nothing"') }]);
  const { resourceTemplates } = await client.listResourceTemplates();
  const [session] = /s_[\w-]+/.exec(history) ?? [];
  const uris = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
  expect(uris).toContain('browser://downloads/{number}/{name}{?session}');
  for (const uri of uris.filter(each => !/\{(?!\?)/.test(each)))
    expect(await client.readResource({ uri: uri.replace('{?session}', `?session=${session}`) })).toBeDefined();
  expect(uris).toContain('browser://live{?session}');
  await client.close();
  await own.stop();
  await models.stop();
});

it('calls without a session make room for each other, not for those who have a connection', async () => {
  const own = await startHttp({ flags: ['--max-clients', '2'] });
  const connection = await connected(own.url, '2025-11-25');
  const modern = await connected(own.url, '2026-07-28');
  // What is refused for its input takes no browser.
  const refused = async (client: Client, session?: unknown): Promise<Record<string, unknown>> => {
    const { structuredContent } = await client.callTool({ name: 'browser_navigate', arguments: { session } });
    return structuredContent as Record<string, unknown>;
  };
  const { session: first } = await refused(modern);
  expect(await refused(modern, first)).toMatchObject({ code: 'invalid_input', session: first });
  const { session: second } = await refused(modern);
  await expect(refused(modern, first)).rejects.toThrow('There is no session');
  expect(await refused(modern, second)).toMatchObject({ code: 'invalid_input', session: second });
  const other = await connected(own.url, '2025-11-25');
  expect(await refused(modern)).toMatchObject({
    success: false,
    code: 'too_many_clients',
    recoveryHint: expect.stringContaining('session'),
  });
  expect(await refused(connection)).toMatchObject({ code: 'invalid_input' });
  await Promise.all([connection, modern, other].map(client => client.close()));
  await own.stop();
});

it('another address of this machine can be listened on', async () => {
  const own = await startHttp({ flags: ['--host', '127.0.0.2'] });
  const client = await connected(own.url, '2025-11-25');
  expect((await client.listTools()).tools).not.toEqual([]);
  expect(await send(own.url, 'POST', { host: 'evil.example' }, INITIALIZE)).toBe(403);
  await client.close();
  await own.stop();
});

it('a page of an allowed origin connects with the token, and one of another origin does not', async () => {
  const token = 'a-token-that-nobody-guesses';
  const own = await startHttp({ flags: ['--token', token, '--allow-origin', 'app.example'] });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--host-resolver-rules=MAP *.example 127.0.0.1'],
  });
  const { port } = new URL(shop.url);
  /** The session and the number of tools that a page of this host gets, or how its fetch failed. */
  const connects = async (host: string, authorization: string): Promise<unknown> => {
    const page = await browser.newPage();
    await page.goto(`http://${host}:${port}/`);
    const given = { url: own.url, headers: { ...HEADERS, authorization }, body: JSON.stringify(INITIALIZE) };
    const answer = await page.evaluate(async ({ url, headers, body }) => {
      try {
        const begun = await fetch(url, { method: 'POST', headers, body });
        const session = begun.headers.get('mcp-session-id') ?? '';
        const ended = await fetch(url, { method: 'DELETE', headers: { ...headers, 'mcp-session-id': session } });
        return [begun.status, session !== '', ended.status];
      } catch (error) {
        return String(error);
      }
    }, given);
    await page.close();
    return answer;
  };
  expect(await connects('app.example', `Bearer ${token}`)).toEqual([200, true, 200]);
  expect(await connects('app.example', 'Bearer wrong')).toEqual([401, false, 401]);
  expect(await connects('evil.example', `Bearer ${token}`)).toContain('Failed to fetch');
  await browser.close();
  await own.stop();
});

it('a session that did nothing for long is over, and has made room for another one', async () => {
  const own = await startHttp({ flags: ['--max-clients', '1', '--session-idle', '2'] });
  const first = await connected(own.url, '2025-11-25');
  await first.callTool({ name: 'browser_navigate', arguments: { url: shop.url } });
  let second: Client | undefined;
  await expect
    .poll(async () => {
      second = await connected(own.url, '2025-11-25').catch(() => undefined);
      return second;
    })
    .toBeDefined();
  const result = await second?.callTool({ name: 'browser_navigate', arguments: { url: shop.url } });
  expect(result?.isError).toBeFalsy();
  await expect(first.callTool({ name: 'browser_snapshot' })).rejects.toThrow('There is no such session');
  await Promise.all([first.close(), second?.close()]);
  await own.stop();
});

it('a token that is as long as another one is no easier to guess', async () => {
  const guess = randomBytes(20).toString('base64url');
  expect(await send(guarded.url, 'POST', { authorization: `Bearer ${guess}` }, INITIALIZE)).toBe(401);
});

it('a server of Hono, such as Mastra’s, has it beside its own routes', async () => {
  const toolset = new BrowserToolset();
  const mcp = createMcpServer(toolset);
  const app = new Hono();
  app.get('/own', context => context.text('own'));
  app.all('/mcp', context => mcp.fetch(context.req.raw));
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }) as Server;
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = await connected(`${origin}/mcp`, '2025-11-25');
  const result = await client.callTool({ name: 'browser_navigate', arguments: { url: shop.url } });
  expect(JSON.stringify(result.content)).toContain('Buy the Red mug');
  expect(await (await fetch(`${origin}/own`)).text()).toBe('own');
  await client.close();
  await mcp.close();
  await toolset.close();
  server.close();
});
