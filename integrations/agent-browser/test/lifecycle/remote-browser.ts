import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { afterEachTest } from '../../../../scripts/testing/endings.ts';
import { findExecutable } from '../../src/browser/chromium/launch.js';

const started: ChildProcess[] = [];

export interface RemoteBrowser {
  /** Such as `http://127.0.0.1:4711`. */
  url: string;
  /** The WebSocket endpoint. */
  socket: string;
  pid: number;
  kill(): Promise<void>;
}

/** A Chromium that somebody else has started. */
export async function startRemoteBrowser(folder: string, ...args: string[]): Promise<RemoteBrowser> {
  const profile = mkdtempSync(`${folder}-`);
  const base = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-port=0'];
  const child = spawn(findExecutable(), [...base, `--user-data-dir=${profile}`, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  started.push(child);
  for await (const line of createInterface({ input: child.stderr })) {
    const socket = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (socket === undefined) continue;
    child.stderr.resume();
    return { url: `http://${new URL(socket).host}`, socket, pid: child.pid ?? 0, kill: () => end(child) };
  }
  throw new Error('the remote browser did not start');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await ended;
}

/** The pages that a remote browser has, by url. */
export async function pagesOf({ url }: RemoteBrowser): Promise<string[]> {
  const targets = (await (await fetch(`${url}/json/list`)).json()) as { type: string; url: string }[];
  return targets.filter(target => target.type === 'page').map(target => target.url);
}

/** Stands between a toolset and a browser: notes what is asked, and can cut the line. */
export interface Between {
  url: string;
  asked: IncomingMessage[];
  /** Drops all connections; the browser lives on. */
  cut(): void;
}

export async function spy(target: RemoteBrowser): Promise<Between> {
  const asked: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  const { port: targetPort } = new URL(target.url);
  const server = createServer((incoming, outgoing) => {
    asked.push(incoming);
    // The browser names its WebSocket by the host that it was asked by: so that goes through here, too.
    const options = { port: targetPort, host: '127.0.0.1', path: incoming.url, headers: incoming.headers };
    request(options, answer => answer.pipe(outgoing.writeHead(answer.statusCode ?? 500, answer.headers))).end();
  });
  server.on('connection', socket => sockets.add(socket));
  server.on('upgrade', (incoming: IncomingMessage, socket) => {
    asked.push(incoming);
    const upstream = connect(Number(targetPort), '127.0.0.1', () => {
      const headers = incoming.rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
      upstream.write(`GET ${incoming.url} HTTP/1.1\r\n${headers}\r\n`);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const side of [upstream, socket]) side.on('error', () => undefined);
    socket.on('close', () => upstream.destroy());
  });
  const url = await listening(server);
  return {
    url,
    asked,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * A browser as if it ran on another machine: what it is told of a folder here it takes for a folder there, and what it tells
 * of that folder reads as if it were here. Commands can be refused, as services that stand before browsers do, or left without
 * an answer, as pages do that have crashed.
 */
export async function elsewhere(
  target: RemoteBrowser,
  { here, there, refuses = '', ignores = '' }: { here: string; there: string; refuses?: string; ignores?: string },
): Promise<string> {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  sockets.on('connection', socket => {
    const upstream = new WebSocket(target.socket);
    const opened = once(upstream, 'open');
    socket.on('message', async data => {
      await opened;
      const text = String(data).replaceAll(here, there);
      const { id, method } = JSON.parse(text) as { id: number; method: string };
      if (method === ignores) return;
      if (method !== refuses) upstream.send(text);
      else socket.send(JSON.stringify({ id, error: { code: -32000, message: 'Not allowed' } }));
    });
    upstream.on('message', data => socket.send(String(data).replaceAll(there, here)));
    for (const [side, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      side.on('error', () => undefined);
      side.on('close', () => other.close());
    }
  });
  await once(sockets, 'listening');
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  });
  return `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}/`;
}

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEachTest(() => Promise.all(started.splice(0).map(end)));
