import { BrowserToolset, type BrowserToolsetConfig } from '@browser-toolset/agent-browser';
import { type CallToolResult, Client, type ClientOptions } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterAll, afterEach } from 'vitest';
import { type BrowserMcpServer, createMcpServer, type McpOptions } from '../src/index.js';

/** The versions of the protocol that tests speak: before and after handshakes went. */
export const ERAS = ['2025-11-25', '2026-07-28'] as const;
type Era = (typeof ERAS)[number];

/** Milliseconds: as long as a test may take. */
const LONGEST_CALL = 120_000;

/** What a test wants of its server and its client. */
export interface Wanted {
  era?: Era;
  options?: McpOptions;
  client?: ClientOptions;
  /** Before the client connects, such as for its handlers. */
  prepare?(client: Client): void;
}

/** Connects clients to servers of one toolset, within the process; all end with the file. */
export function connector(config: BrowserToolsetConfig = {}) {
  const servers: BrowserMcpServer[] = [];
  const toolset = new BrowserToolset({
    ...config,
    uploadRoots: ({ threadId }) => servers.flatMap(server => server.rootsOf(threadId)),
  });
  const open: Client[] = [];
  // Chromium ends with its last session: this one keeps it from one test to the next.
  let keeper: Promise<unknown> | undefined;
  const keepChromium = async (): Promise<void> => {
    if (config.scope === 'shared') return;
    keeper ??= toolset.session('keeps-chromium').navigate({ url: 'about:blank' });
    await keeper;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map(client => client.close()));
    await Promise.all(servers.splice(0).map(server => server.close()));
  });
  afterAll(() => toolset.close());

  return async ({ era = '2025-11-25', options, client: clientOptions, prepare }: Wanted = {}) => {
    const mcp = createMcpServer(toolset, options);
    servers.push(mcp);
    const [near, far] = InMemoryTransport.createLinkedPair();
    mcp.connect(far);
    const versionNegotiation = era === '2026-07-28' ? { mode: { pin: era } } : undefined;
    const client = new Client(
      { name: 'test', version: '1' },
      { ...clientOptions, ...(versionNegotiation && { versionNegotiation }) },
    );
    prepare?.(client);
    await client.connect(near);
    open.push(client);
    const call = async (name: string, input: Record<string, unknown> = {}): Promise<CallToolResult> => {
      await keepChromium();
      return client.callTool({ name, arguments: input }, { timeout: LONGEST_CALL });
    };
    return { client, mcp, call };
  };
}

/** Speaks 2026-07-28 with a server message by message, as no client would; its person can be asked. */
export async function speaker(mcp: BrowserMcpServer): Promise<(method: string, params: object) => Promise<RawAnswer>> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  mcp.connect(far);
  const waiting = new Map<unknown, (answer: RawAnswer) => void>();
  near.onmessage = message => {
    if ('id' in message) waiting.get(message.id)?.(message as RawAnswer);
  };
  await near.start();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  return async (method, params) => {
    const id = waiting.size;
    const { promise, resolve } = Promise.withResolvers<RawAnswer>();
    waiting.set(id, resolve);
    await near.send({ jsonrpc: '2.0', id, method, params: { ...params, _meta } });
    return promise;
  };
}

interface RawAnswer {
  result?: CallToolResult & { requestState?: string };
  error?: { code: number; message: string };
}

/** All text of a result. */
export function textOf({ content }: CallToolResult): string {
  return content.flatMap(part => (part.type === 'text' ? part.text : [])).join('\n');
}

/** All text of a result, without the lines around what comes from pages. */
export function saidIn(result: CallToolResult): string {
  return textOf(result)
    .replace(/^\[(?:page|end) \d+\]\n?/gm, '')
    .trim();
}

/** The ref in the first line of a result that has this text. */
export function refIn(result: CallToolResult, text: string): string {
  const line = textOf(result)
    .split('\n')
    .find(each => each.includes(text));
  const ref = line?.match(/@e\d+/)?.[0];
  if (ref === undefined) throw new Error(`there is no ${text} in\n${textOf(result)}`);
  return ref;
}
