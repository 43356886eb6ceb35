import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MastraModelConfig } from '@mastra/core/llm';
import { hasMastra } from '../agent/run-browser-agent.js';
import { isLoopback } from '../http/guard.js';
import { mcpListener } from '../http/listener.js';
import type { startLiveServer } from '../live/live-server.js';
import { type BrowserMcpServer, createMcpServer, type McpOptions } from '../mcp-server.js';
import { lazyToolset } from './lazy-toolset.js';
import type { ServerOptions } from './option-table.js';
import { UsageError } from './read-options.js';
import { say } from './say.js';

/** Milliseconds between two looks at who the parent is; no event tells. */
const INTERVAL = 2_000;

/** Calls back when the process that started this one is gone: a client that is killed closes nothing. */
function watchParent(onGone: () => void): void {
  const { ppid } = process;
  setInterval(() => {
    if (process.ppid !== ppid) onGone();
  }, INTERVAL).unref();
}

/** Milliseconds that an end may take before the process goes anyway. */
const LONGEST_END = 10_000;

/**
 * Serves until the client, a signal or the parent ends it.
 *
 * @throws {UsageError} for options that do not go together.
 */
export async function serve(options: ServerOptions, toolsetOptions: Record<string, unknown>): Promise<void> {
  checkReach(options);
  if (!hasMastra()) checkModels(options, toolsetOptions);
  let mcp: BrowserMcpServer | undefined;
  const { model } = modelOf(options);
  const toolset = await lazyToolset(options.pageTools ? { ...toolsetOptions, webMcp: true } : toolsetOptions, {
    isShared: options.shared,
    model,
    rootsOf: threadId => mcp?.rootsOf(threadId) ?? [],
    onBadOptions: error => {
      say(error);
      end(2);
    },
  });
  const live = options.live ? await startLive(toolset.make, options.livePort) : undefined;
  mcp = checkedServer(toolset, {
    ...mcpOptions(options),
    ...(live && {
      liveUrl: ({ threadId }) => live.urlOf(threadId),
      onClient: ({ threadId }) => say(`live view: ${live.urlOf(threadId)}`),
    }),
    onError: error => say(inShort(error)),
  });
  const served = mcp;
  let isEnding = false;
  const end = (code: number): void => {
    if (isEnding) return;
    isEnding = true;
    // Work that does not end in time ends with the process; the browser goes with it.
    setTimeout(() => process.exit(code), LONGEST_END).unref();
    Promise.all([served.close(), live?.close()])
      .then(() => toolset.close())
      .catch(say)
      .finally(() => process.exit(code));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));
  watchParent(() => end(0));
  if (options.http) return listen(served, options);
  served.connect();
  process.stdin.on('end', () => end(0));
  process.stdin.on('close', () => end(0));
}

/** Errors of the protocol list every way in which a message is wrong. */
function inShort(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, 300);
}

/** Loaded only where it is wanted: clients wait for the start. */
async function startLive(...given: Parameters<typeof startLiveServer>): ReturnType<typeof startLiveServer> {
  const live = await import('../live/live-server.js');
  return live.startLiveServer(...given);
}

/** Turns options that do not fit into messages for the person who wrote them. */
function checkedServer(...given: Parameters<typeof createMcpServer>): BrowserMcpServer {
  try {
    return createMcpServer(...given);
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

function mcpOptions(options: ServerOptions): McpOptions {
  const {
    http,
    host,
    token,
    profile,
    tools,
    pageTools,
    agentWait,
    maxClients,
    sessionIdle,
    allowHost = [],
    allowOrigin = [],
  } = options;
  return {
    profile,
    pageTools,
    ...(tools && { tools }),
    ...modelOf(options),
    agentWait,
    maxClients,
    sessionIdle,
    ...(token !== undefined && { token }),
    hosts: http ? [inUrl(host), ...allowHost] : [],
    origins: allowOrigin,
  };
}

/** Others than this machine can reach it: they have to show that they may, and by which name. */
function checkReach({ http, host, token, allowHost = [] }: ServerOptions): void {
  if (!http) return;
  if (!isLoopback(host) && token === undefined)
    throw new UsageError(`--host ${host} needs --token: others than this machine can reach it`);
  if (allowHost.length > 0 && token === undefined) throw new UsageError('--allow-host needs --token');
  if ((host === '0.0.0.0' || host === '::') && allowHost.length === 0)
    throw new UsageError(`--host ${host} needs --allow-host: the names by which clients reach it`);
}

const WITH_MASTRA =
  '`npx -y -p @browser-toolset/mcp -p @mastra/core browser-toolset-mcp` installs it beside the server';

/** Models are asked through Mastra. `MODEL` may be there for another program: it alone is no mistake. */
function checkModels({ model }: ServerOptions, { extract }: Record<string, unknown>): void {
  if (model !== undefined || extract !== undefined)
    throw new UsageError(`--model and --extract-model need @mastra/core, which is not installed: ${WITH_MASTRA}`);
  if (process.env.MODEL) say(`no run_browser_agent: MODEL is set, but @mastra/core is not installed. ${WITH_MASTRA}`);
}

async function listen(mcp: BrowserMcpServer, { host, port }: ServerOptions): Promise<void> {
  const server = createServer(mcpListener(mcp, say));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, host, resolve);
  await promise.catch(error => {
    throw new UsageError(`cannot listen: ${error.message}`);
  });
  const { port: bound } = server.address() as AddressInfo;
  say(`http://${inUrl(host)}:${bound}/mcp`);
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** `MODEL` and `MODEL_URL` count as they do for the playground. */
function modelOf({ model = process.env.MODEL, modelUrl = process.env.MODEL_URL }: ServerOptions): {
  model?: MastraModelConfig;
} {
  if (!model) return {};
  if (!modelUrl) return { model };
  const id = (model.includes('/') ? model : `custom/${model}`) as `${string}/${string}`;
  return { model: { id, url: modelUrl, apiKey: process.env.MODEL_API_KEY ?? 'none' } };
}
