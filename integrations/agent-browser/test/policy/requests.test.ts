import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import type { BrowserToolsetConfig } from '../../src/index.js';
import { expectSuccess, servePages, testToolset } from '../fixtures.js';
import { everyWay, SEEN_WHEN_OPEN, WORKERS } from './every-way.js';
import { refusedIn } from './refused-in.js';

interface Recorder {
  url: string;
  port: number;
  /** Paths that were asked for. */
  paths: Set<string>;
  /** TCP connections and UDP packets. */
  contacts: number;
}

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

/** A server that notes whatever reaches it, over TCP or UDP. */
async function recorder(): Promise<Recorder> {
  const paths = new Set<string>();
  const seen = { contacts: 0 };
  const server = createServer((request, response) => {
    paths.add((request.url ?? '').slice(1).replace(/\?.*/, ''));
    response.writeHead(200, { 'content-type': 'text/plain', 'access-control-allow-origin': '*' }).end('x');
  });
  server.on('upgrade', (request, socket: Socket) => {
    paths.add((request.url ?? '').slice(1));
    socket.destroy();
  });
  server.on('connection', () => seen.contacts++);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const udp = createSocket('udp4', () => seen.contacts++);
  await new Promise<void>(resolve => udp.bind(port, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
    udp.close();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    paths,
    get contacts() {
      return seen.contacts;
    },
  };
}

/** Opens the page that tries every way to reach a recorder, and lets it try them all. */
async function tryEveryWay(
  target: Recorder,
  config: BrowserToolsetConfig,
  isDone: (refused: number) => boolean,
): Promise<void> {
  const workers = Object.entries(WORKERS(target.url)).map(([path, code]) => [
    path,
    (_: unknown, response: import('node:http').ServerResponse) =>
      void response.writeHead(200, { 'content-type': 'text/javascript' }).end(code),
  ]);
  const site = await servePages({
    '/': everyWay(target.url),
    '/to': (request, response) => {
      const url = new URL(request.url ?? '', 'http://x').searchParams.get('url') ?? '';
      response.writeHead(302, { location: url }).end();
    },
    ...Object.fromEntries(workers),
  });
  const toolset = testToolset(config);
  const refused = refusedIn(toolset);
  const session = toolset.session('a');
  expectSuccess(await session.navigate({ url: site.url() }));
  await expect.poll(async () => (await session.tabs({ action: 'list' })).tabs?.[0]?.title).toBe('All tried');
  await expect.poll(() => isDone(refused.length)).toBe(true);
  // What is on its way leaves now or never.
  await toolset.close();
}

test('every way to make a request reaches a server that is not blocked', async () => {
  const open = await recorder();
  const missing = (): string[] => SEEN_WHEN_OPEN.filter(way => !open.paths.has(way));
  await tryEveryWay(open, {}, () => missing().length === 0).catch(error => {
    throw new Error(`not seen: ${missing()}`, { cause: error });
  });
});

test('none of them reaches a server that is', async () => {
  const blocked = await recorder();
  const config = { urlPolicy: { block: [`127.0.0.1:${blocked.port}`] } };
  await tryEveryWay(blocked, config, refused => refused >= SEEN_WHEN_OPEN.length);
  expect([...blocked.paths]).toEqual([]);
  expect(blocked.contacts).toBe(0);
});
