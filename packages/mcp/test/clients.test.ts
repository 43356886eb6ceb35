import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { MCPClient } from '@mastra/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioClientTransport1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpClientTransport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { MCPClient as MCPClient1 } from 'mastra-mcp-1';
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import { z } from 'zod';
import { removeListenersOfLibraries } from '../../server/test/process-listeners.js';
import { type Buyer, expectPurchase } from './purchase.js';
import { ReceiptShop } from './receipt-shop.js';
import { type HttpCommand, MAIN, startHttp } from './started.js';

const shop = new ReceiptShop();
let http: HttpCommand;
beforeAll(async () => {
  await shop.start();
  http = await startHttp();
});
afterAll(async () => {
  await Promise.all([http.stop(), shop.stop()]);
});
afterEach(() => shop.orders.splice(0));

// Mastra's clients listen for the end of the process.
removeListenersOfLibraries();

const command = { command: process.execPath, args: [MAIN] };
const contents = z.object({
  contents: z.array(z.object({ text: z.string().optional(), blob: z.string().optional() })),
});

function textOf(given: unknown): string {
  const [content] = contents.parse(given).contents;
  return content?.text ?? Buffer.from(content?.blob ?? '', 'base64').toString();
}

const BUYERS: Record<string, () => Promise<Buyer>> = {
  'the official client 1.x over stdio': () => official1(new StdioClientTransport1(command)),
  'the official client 1.x over HTTP': () => official1(new HttpClientTransport1(new URL(http.url))),
  'the official client 2.x over stdio': () => official2(new StdioClientTransport(command), '2025-11-25'),
  'the official client 2.x over HTTP': () =>
    official2(new StreamableHTTPClientTransport(new URL(http.url)), '2025-11-25'),
  'the official client 2.x over stdio, 2026-07-28': () => official2(new StdioClientTransport(command), '2026-07-28'),
  'the official client 2.x over HTTP, 2026-07-28': () =>
    official2(new StreamableHTTPClientTransport(new URL(http.url)), '2026-07-28'),
  "Mastra's MCPClient 1.18 over stdio": () => mastra(new MCPClient1({ servers: { web: command } })),
  "Mastra's MCPClient 1.18 over HTTP": () => mastra(new MCPClient1({ servers: { web: { url: new URL(http.url) } } })),
  "Mastra's MCPClient 2.x over stdio": () => mastra(new MCPClient({ servers: { web: command } })),
  "Mastra's MCPClient 2.x over HTTP": () => mastra(new MCPClient({ servers: { web: { url: new URL(http.url) } } })),
  'the client of the AI SDK over stdio': async () =>
    aiSdk(await createMCPClient({ transport: new Experimental_StdioMCPTransport(command) })),
  'the client of the AI SDK over HTTP': async () =>
    aiSdk(await createMCPClient({ transport: { type: 'http', url: http.url } })),
};

async function official1(transport: StdioClientTransport1 | HttpClientTransport1): Promise<Buyer> {
  const client = new Client1({ name: 'official', version: '1' });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    call: (name, input) => client.callTool({ name, arguments: input }),
    read: async uri => textOf(await client.readResource({ uri })),
    close: () => client.close(),
  };
}

async function official2(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  version: string,
): Promise<Buyer> {
  const versionNegotiation = version === '2026-07-28' ? { mode: { pin: version } } : undefined;
  const client = new Client({ name: 'official', version: '2' }, { ...(versionNegotiation && { versionNegotiation }) });
  await client.connect(transport);
  return {
    call: (name, input) => client.callTool({ name, arguments: input }),
    read: async uri => textOf(await client.readResource({ uri })),
    close: () => client.close(),
  };
}

/** A tool as agent frameworks make of it. */
type Executable = { execute?: (input: never, options: never) => unknown };

async function execute(tool: unknown, input: object): Promise<unknown> {
  const { execute: run } = tool as Executable;
  if (run === undefined) throw new Error('the tool cannot be called');
  return run(input as never, { toolCallId: 'call', messages: [] } as never);
}

async function mastra(client: MCPClient | MCPClient1): Promise<Buyer> {
  const tools: Record<string, unknown> = await client.listTools();
  return {
    call: (name, input) => execute(tools[`web_${name}`], input),
    close: () => client.disconnect(),
  };
}

async function aiSdk(client: Awaited<ReturnType<typeof createMCPClient>>): Promise<Buyer> {
  const tools: Record<string, unknown> = await client.tools();
  return { call: (name, input) => execute(tools[name], input), close: () => client.close() };
}

describe('a purchase with its receipt', () => {
  it.each(Object.keys(BUYERS))('is made by %s', async name => {
    const buyer = await (BUYERS[name] as () => Promise<Buyer>)();
    try {
      await expectPurchase(buyer, shop);
    } finally {
      await buyer.close();
    }
  });
});
