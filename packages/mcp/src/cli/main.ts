#!/usr/bin/env node
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nodeMcp } from '../http/node-handler.js';
import { type BrowserMcpServer, createMcpServer } from '../mcp-server.js';
import { VERSION } from '../version.js';
import { helpText } from './help.js';
import { lazyToolset } from './lazy-toolset.js';
import type { ServerOptions } from './option-table.js';
import { type Asked, readOptions, UsageError } from './read-options.js';
import { watchParent } from './watch-parent.js';

/** Milliseconds that an end may take before the process goes anyway. */
const LONGEST_END = 10_000;

// Standard output belongs to the protocol: what else writes to it would break it.
console.log = console.info = console.debug = (...args: unknown[]) => console.error(...args);

function main(): void {
  let asked: Asked;
  try {
    asked = readOptions(process.argv.slice(2), process.env);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`browser-toolset-mcp: ${error.message}\n`);
    process.exitCode = 2;
    return;
  }
  if (asked.kind === 'help') process.stdout.write(helpText());
  else if (asked.kind === 'version') process.stdout.write(`${VERSION}\n`);
  else serve(asked.server, asked.toolset);
}

function serve(options: ServerOptions, toolsetOptions: Record<string, unknown>): void {
  const { http, host, token, profile, tools, agentWait, maxClients, sessionIdle, allowHost, allowOrigin } = options;
  if (http && !isLoopback(host) && token === undefined) {
    process.stderr.write(`browser-toolset-mcp: --host ${host} needs --token: others than this machine can reach it\n`);
    process.exitCode = 2;
    return;
  }
  let mcp: BrowserMcpServer | undefined;
  const toolset = lazyToolset(toolsetOptions, {
    isShared: options.shared,
    rootsOf: threadId => mcp?.rootsOf(threadId) ?? [],
    onBadOptions: message => {
      process.stderr.write(`browser-toolset-mcp: ${message}\n`);
      end(2);
    },
  });
  mcp = createMcpServer(toolset, {
    profile,
    ...(tools && { tools }),
    ...modelOf(options),
    agentWait,
    maxClients,
    sessionIdle,
    ...(token !== undefined && { token }),
    hosts: [...(token === undefined ? [] : [host]), ...(allowHost ?? [])],
    origins: allowOrigin ?? [],
    onError: error => process.stderr.write(`browser-toolset-mcp: ${error instanceof Error ? error.message : error}\n`),
  });
  const served = mcp;
  let isEnding = false;
  const end = (code: number): void => {
    if (isEnding) return;
    isEnding = true;
    // What does not end in time ends with the process; the browser goes with it.
    setTimeout(() => process.exit(code), LONGEST_END).unref();
    served
      .close()
      .then(() => toolset.close())
      .catch(error => process.stderr.write(`browser-toolset-mcp: ${error}\n`))
      .finally(() => process.exit(code));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));
  watchParent(() => end(0));
  if (http) {
    listen(served, options);
    return;
  }
  served.connect();
  process.stdin.on('end', () => end(0));
  process.stdin.on('close', () => end(0));
}

function listen(mcp: BrowserMcpServer, { host, port }: ServerOptions): void {
  const handle = nodeMcp(mcp);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/health') return void response.end('ok\n');
    if (pathname !== '/mcp') return void response.writeHead(404).end();
    handle(request, response).catch(error => {
      process.stderr.write(`browser-toolset-mcp: ${error}\n`);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  server.on('error', error => {
    process.stderr.write(`browser-toolset-mcp: ${error.message}\n`);
    process.exit(1);
  });
  server.listen(port, host, () => {
    const { port: bound } = server.address() as AddressInfo;
    process.stderr.write(`browser-toolset-mcp: http://${host.includes(':') ? `[${host}]` : host}:${bound}/mcp\n`);
  });
}

/** `MODEL` and `MODEL_URL` count as they do for the playground. */
function modelOf({ model = process.env.MODEL, modelUrl = process.env.MODEL_URL }: ServerOptions): {
  model?: string | { id: `${string}/${string}`; url: string; apiKey: string };
} {
  if (!model) return {};
  if (!modelUrl) return { model };
  const id = (model.includes('/') ? model : `custom/${model}`) as `${string}/${string}`;
  return { model: { id, url: modelUrl, apiKey: process.env.MODEL_API_KEY ?? 'none' } };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}

main();
