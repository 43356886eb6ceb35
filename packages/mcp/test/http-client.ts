import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** What every request of the protocol says of itself. */
export const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A client that speaks a version of the protocol with the server at a url. */
export async function connected(url: string, era: string, headers: Record<string, string> = {}): Promise<Client> {
  const versionNegotiation = era === '2026-07-28' ? { mode: { pin: era } } : undefined;
  const client = new Client({ name: era, version: '1' }, { ...(versionNegotiation && { versionNegotiation }) });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}
