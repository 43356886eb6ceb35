import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { MCPClient } from '@mastra/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioClientTransport1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpClientTransport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { MCPClient as MCPClient1 } from 'mastra-mcp-1';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RECEIPT, ReceiptShop } from './receipt-shop.js';
import { type HttpCommand, MAIN, startHttp } from './started.js';

const shop = new ReceiptShop();
let http: HttpCommand;
let shared: HttpCommand;
beforeAll(async () => {
  await shop.start();
  http = await startHttp();
  shared = await startHttp({ flags: ['--shared'] });
});
afterAll(async () => {
  await Promise.all([http.stop(), shared.stop(), shop.stop()]);
});
afterEach(() => shop.orders.splice(0));

type Call = (tool: string, input: Record<string, unknown>) => Promise<unknown>;
/** Reads a resource as text. */
type Read = (uri: string) => Promise<string>;

interface Buyer {
  call: Call;
  /** Undefined for clients without resources. */
  read?: Read;
  close(): Promise<unknown>;
}

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
  // Each call of it is a connection of its own: what it did is there for the next call in a browser that all share.
  'the command line of the inspector': async () => inspector(shared.url),
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

function inspector(...server: string[]): Buyer & { list(): Promise<unknown> } {
  const bin = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json');
  const main = new URL('./clients/launcher/build/index.js', `file://${bin}`).pathname;
  const run = async (...args: string[]): Promise<unknown> => {
    const { stdout } = await promisify(execFile)(process.execPath, [main, '--cli', ...server, ...args]);
    return JSON.parse(stdout);
  };
  return {
    call: (tool, input) => {
      const given = Object.entries(input).map(([key, value]) => {
        return `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
      });
      const args = given.length === 0 ? [] : ['--tool-arg', ...given];
      return run('--method', 'tools/call', '--tool-name', tool, ...args);
    },
    list: () => run('--method', 'tools/list'),
    close: async () => undefined,
  };
}

/** The ref of what has this name, in a result of whatever shape. */
function refOf(result: unknown, name: string): string {
  const ref = new RegExp(`${name}\\\\*" (@e\\d+)`).exec(JSON.stringify(result))?.[1];
  if (ref === undefined) throw new Error(`there is no ${name} in ${JSON.stringify(result)}`);
  return ref;
}

describe('a purchase with its receipt', () => {
  it.each(Object.keys(BUYERS))('is made by %s', async name => {
    const buyer = await (BUYERS[name] as () => Promise<Buyer>)();
    try {
      let session: string | undefined;
      const call: Call = async (tool, input) => {
        const result = await buyer.call(tool, { ...input, ...(session !== undefined && { session }) });
        session ??= /"session":"(s_[\w-]+)"/.exec(JSON.stringify(result))?.[1];
        return result;
      };
      const front = await call('browser_navigate', { url: shop.url });
      const checkout = await call('browser_click', { ref: refOf(front, 'Buy the Red mug') });
      const fields = [{ ref: refOf(checkout, 'Full name'), value: 'Ann Lee' }];
      await call('browser_fill_form', { fields });
      const thanks = await call('browser_click', { ref: refOf(checkout, 'Place order') });
      const got = JSON.stringify(await call('browser_click', { ref: refOf(thanks, 'Get the receipt') }));
      expect(shop.orders).toMatchObject([{ item: 'Red mug', name: 'Ann Lee' }]);
      expect(got).toContain('receipt.txt');
      const uri = /browser:\/\/downloads\/\d+\/receipt\.txt[^"]*/.exec(got)?.[0] ?? '';
      if (buyer.read !== undefined) expect(await buyer.read(uri)).toBe(RECEIPT);
    } finally {
      await buyer.close();
    }
  });
});

it('the command line of the inspector lists and calls tools over stdio', async () => {
  const { list, call } = inspector(process.execPath, MAIN);
  expect(await list()).toMatchObject({
    tools: expect.arrayContaining([expect.objectContaining({ name: 'browser_click' })]),
  });
  expect(JSON.stringify(await call('browser_navigate', { url: shop.url }))).toContain('Buy the Red mug');
});
