import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect as connectSocket } from 'node:net';
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedNote, trials } from '../../../scripts/testing/trials.js';
import { mcpListener } from '../src/http/listener.js';
import { createMcpServer } from '../src/index.js';
import { brokenMessages } from './broken-messages.js';
import { connected, HEADERS } from './http-client.js';
import { ReceiptShop } from './receipt-shop.js';

const COUNT = trials.size({ slice: 500, full: 10_000 });
const [SEED = 0] = trials.seeds({ slice: 1, full: 1, first: 7 });
const AT_ONCE = 50;

const shop = new ReceiptShop();
beforeAll(() => shop.start());
afterAll(() => shop.stop());

/** Half-open sockets, and ones that send a request and never read its answer. */
function stalledSockets({ hostname, port }: URL) {
  return Array.from({ length: 20 }, (_, n) => {
    const socket = connectSocket(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      n % 2 === 0 ? 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n' : 'GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    );
    return socket.pause();
  });
}

it(`${COUNT.toLocaleString('en')} broken messages change nothing`, { timeout: trials.limit }, async () => {
  const broken = brokenMessages(SEED);
  const toolset = new BrowserToolset();
  const mcp = createMcpServer(toolset, { requestsPerSecond: 1_000_000, onError: () => undefined });
  const server = createServer(mcpListener(mcp, () => undefined)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const client = await connected(url, '2025-11-25');
  const stalled = stalledSockets(new URL(url));
  const refused = { times: 0, wrongly: [] as string[] };
  for (let sent = 0; sent < COUNT; sent += AT_ONCE) {
    const answers = Array.from({ length: AT_ONCE }, async () => {
      const body = broken();
      const response = await fetch(url, { method: 'POST', headers: HEADERS, body });
      await response.arrayBuffer();
      if (response.status >= 400) refused.times++;
      if (response.status >= 500) refused.wrongly.push(`${response.status} for ${body.slice(0, 300)}`);
    });
    await Promise.all(answers);
  }
  expect(refused.wrongly, seedNote(SEED)).toEqual([]);
  expect(refused.times).toBeGreaterThan(COUNT / 2);
  expect(mcp.clients()).toHaveLength(1);
  const result = await client.callTool({ name: 'browser_navigate', arguments: { url: shop.url } });
  expect(result.isError).toBeFalsy();
  for (const socket of stalled) socket.destroy();
  await client.close();
  await mcp.close();
  await toolset.close();
  server.closeAllConnections();
  server.close();
});
