import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLiveView } from '@browser-toolset/server';
import { nodeLiveView } from '@browser-toolset/server/node';
import { listenerOf } from '../http/listener.js';
import type { McpToolset } from '../toolset/mcp-toolset.js';

const AGENT = 'browser';
/** Seconds that an address is good for. */
const GOOD_FOR = 12 * 60 * 60;

const FILES: Readonly<Record<string, [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/live.js': ['live.js', 'text/javascript'],
  '/live.css': ['live.css', 'text/css'],
};

/** Shows the browsers of clients to whoever has their addresses, and lets them take over. */
export interface LiveServer {
  /** A signed address of the browser of a client, good for twelve hours. */
  urlOf(threadId: string): string;
  close(): Promise<void>;
}

/** Listens on this machine alone. @param port 0 for any that is free. */
export async function startLiveServer(toolset: () => Promise<McpToolset>, port: number): Promise<LiveServer> {
  const log = (line: unknown): void => void process.stderr.write(`browser-toolset-mcp: live view: ${line}\n`);
  const live = createLiveView({
    browsers: async agentId => (agentId === AGENT ? toolset() : undefined),
    // Nobody without a signed address: not every program of this machine is the client's.
    authorize: () => false,
    log,
  });
  const view = nodeLiveView(live);
  const server = createServer(
    listenerOf(async (request, response, path) => {
      if (!(await view.handleRequest(request, response))) await sendFile(path ?? '', response);
    }, log),
  );
  view.attach(server, { refuseOthers: true });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, '127.0.0.1', resolve);
  await promise;
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    urlOf: threadId => {
      const token = live.createToken({ agentId: AGENT, threadId, right: 'control', expiresIn: GOOD_FOR });
      return `${origin}#${new URLSearchParams({ thread: threadId, token })}`;
    },
    close: async () => {
      live.close();
      server.closeAllConnections();
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    },
  };
}

async function sendFile(path: string, response: ServerResponse): Promise<void> {
  const [file, type] = FILES[path] ?? [];
  if (file === undefined || type === undefined) {
    response.writeHead(404).end();
    return;
  }
  const bytes = await readFile(new URL(`../web/${file}`, import.meta.url));
  const policy =
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";
  response.writeHead(200, {
    'content-type': type,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
  });
  response.end(bytes);
}
