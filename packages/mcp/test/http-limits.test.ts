import { afterAll, beforeAll, expect, it } from 'vitest';
import { connected, HEADERS } from './http-client.js';
import { type HttpCommand, startHttp } from './started.js';

let http: HttpCommand;
beforeAll(async () => {
  http = await startHttp();
});
afterAll(() => http.stop());

const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const clientInfo = { name: 'raw', version: '1' };

/** A body that comes in pieces, and whose length nobody is told. */
function inPieces(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull: controller => {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + 100_000));
      at += 100_000;
    },
  });
}

it.each([
  ['of a client of 2026-07-28', 'tools/list', { _meta: modern }],
  ['that begins a session', 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }],
  ['of a session', 'tools/list', {}],
  ['of nobody', 'tools/list', {}],
])('a message of more than 10 MB %s is answered with 413, and the next one works', async (whose, method, params) => {
  const client = await connected(http.url, '2025-11-25');
  const begun = await fetch(http.url, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    }),
  });
  await begun.text();
  const session = begun.headers.get('mcp-session-id') ?? '';
  const headers = { ...HEADERS, ...(whose === 'of a session' && { 'mcp-session-id': session }) };
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, x: 'x'.repeat(11_000_000) } });
  for (const body of [text, inPieces(text)]) {
    const sent: RequestInit = { method: 'POST', headers, body, ...(typeof body !== 'string' && { duplex: 'half' }) };
    const answer = await fetch(http.url, sent);
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { message: expect.stringContaining('4000000 bytes') },
    });
  }
  expect((await client.listTools()).tools).not.toEqual([]);
  await client.close();
});
