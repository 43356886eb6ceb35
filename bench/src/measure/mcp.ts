import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { PageServer } from '../../pages/server.ts';
import { chromiumPath } from '../chromium.ts';
import { interleave, type Rounds } from '../interleave.ts';
import { ours } from '../stacks/ours.ts';
import { withLinkedSnapshot } from '../stacks/playwright-mcp.ts';
import { type Spread, spread } from '../statistics.ts';
import { tokensOf } from '../tokens.ts';

/** What the MCP server of the toolset costs, beside that of Playwright where both can do it. */
export interface McpResults {
  /** Milliseconds from the start of the process to the answer of the first list of tools. */
  list: Record<McpServerName, Spread>;
  /** Milliseconds from the start of the process to the first snapshot of a page. */
  firstSnapshot: Record<McpServerName, Spread>;
  /** Milliseconds of a click on a plain page, over standard input and output and as a method call. */
  click: { stdio: Spread; direct: Spread };
  /** Tokens that a model reads of the same task. */
  tokens: Record<McpServerName, number>;
  /** Bytes of the list of tools, by profile. */
  listBytes: Record<string, number>;
}

type McpServerName = 'ours' | 'playwright';

const mainOf = (name: string, file: string): string =>
  join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file);
const PAGES = ['mail-inbox', 'dashboard', 'shop-listing', 'issue-list', 'search-results'];
const PROFILES = ['core', 'full', 'slim', 'algonius'];

interface Server {
  name: McpServerName;
  args: readonly string[];
}

interface Connected {
  client: Client;
  call(name: string, input: object): Promise<string>;
}

export async function measureMcp(pages: PageServer, rounds: Rounds): Promise<McpResults> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-mcp-'));
  const servers: Server[] = [
    {
      name: 'ours',
      args: [mainOf('@browser-toolset/mcp', 'dist/cli/main.js'), '--executable-path', chromiumPath()],
    },
    {
      name: 'playwright',
      args: [
        mainOf('@playwright/mcp', 'cli.js'),
        ...['--headless', '--isolated', '--no-sandbox', '--executable-path', chromiumPath(), '--output-dir', folder],
      ],
    },
  ];
  try {
    const list = await starts(servers, rounds, async () => undefined);
    const firstSnapshot = await starts(servers, rounds, async ({ call }) => {
      await call('browser_navigate', { url: pages.url('plain') });
      await call('browser_snapshot', {});
    });
    const [first] = servers;
    return {
      list,
      firstSnapshot,
      click: await clicks(first as Server, pages, rounds),
      tokens: Object.fromEntries(
        await Promise.all(
          servers.map(async server => [server.name, await tokensOfTask(server, pages, folder)] as const),
        ),
      ) as McpResults['tokens'],
      listBytes: Object.fromEntries(
        await Promise.all(PROFILES.map(async profile => [profile, await bytesOf(first as Server, profile)] as const)),
      ),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function connectOverStdio({ args }: Server): Promise<Connected> {
  const client = new Client({ name: 'bench', version: '0.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], stderr: 'ignore' }));
  const call = async (name: string, input: object): Promise<string> => {
    const result = await client.callTool({ name, arguments: { ...input } });
    const text = (result.content as { text?: string }[]).map(part => part.text ?? '').join('\n');
    if (result.isError) throw new Error(`${name}: ${text}`);
    return text;
  };
  return { client, call };
}

async function starts(
  servers: readonly Server[],
  rounds: Rounds,
  goOn: (connected: Connected) => Promise<void>,
): Promise<Record<McpServerName, Spread>> {
  let open: Client | undefined;
  const subjects = servers.map(server => ({
    name: server.name,
    prepare: async () => open?.close(),
    run: async () => {
      const connected = await connectOverStdio(server);
      open = connected.client;
      await open.listTools();
      await goOn(connected);
    },
  }));
  const samples = await interleave(subjects, rounds);
  await open?.close();
  return Object.fromEntries([...samples].map(([name, times]) => [name, spread(times)])) as Record<
    McpServerName,
    Spread
  >;
}

async function clicks(server: Server, pages: PageServer, { warmUps, rounds }: Rounds): Promise<McpResults['click']> {
  const { client, call } = await connectOverStdio(server);
  const browser = await ours.open();
  const thread = await browser.thread('direct');
  await thread.navigate(pages.url('plain'));
  const actions = await thread.prepareActions?.();
  const page = await call('browser_navigate', { url: pages.url('plain') });
  const ref = /button .*(@e\d+)/.exec(page)?.[1];
  const samples = await interleave(
    [
      { name: 'stdio', run: () => call('browser_click', { ref }) },
      { name: 'direct', run: async () => actions?.click() },
    ],
    { warmUps: warmUps + 10, rounds: rounds * 5 },
  );
  await Promise.all([client.close(), browser.close()]);
  return { stdio: spread(samples.get('stdio') ?? []), direct: spread(samples.get('direct') ?? []) };
}

/** Opens pages and acts on the first button, link and field of each, reading what each call tells; files that it names too. */
async function tokensOfTask(server: Server, pages: PageServer, folder: string): Promise<number> {
  const { client, call } = await connectOverStdio(server);
  let tokens = 0;
  const read = async (name: string, input: object): Promise<string> => {
    const whole = await withLinkedSnapshot(await call(name, input), folder);
    tokens += tokensOf(whole);
    return whole;
  };
  const refOf = (text: string, role: string): string | undefined =>
    server.name === 'ours'
      ? new RegExp(`\\b${role} .*?(@e\\d+)`).exec(text)?.[1]
      : new RegExp(`- ${role}\\b.*\\[ref=(\\w+)\\]`).exec(text)?.[1];
  const target = (ref: string): object => (server.name === 'ours' ? { ref } : { element: 'it', target: ref });
  for (const page of PAGES) {
    let shown = await read('browser_navigate', { url: pages.url(page) });
    const field = refOf(shown, 'textbox') ?? refOf(shown, 'searchbox');
    if (field !== undefined) {
      const after = await read('browser_type', { ...target(field), text: 'Oslo' });
      // Playwright's refs are those of its latest snapshot; ours stay.
      if (server.name === 'playwright') shown = after;
    }
    const button = refOf(shown, 'button');
    if (button !== undefined) await read('browser_click', target(button));
  }
  await client.close();
  return tokens;
}

async function bytesOf({ args, ...server }: Server, profile: string): Promise<number> {
  const { client } = await connectOverStdio({ ...server, args: [...args, '--profile', profile] });
  const { tools } = await client.listTools();
  await client.close();
  return JSON.stringify({ tools }).length;
}
