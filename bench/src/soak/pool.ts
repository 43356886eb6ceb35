import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromiumPath } from '../chromium.ts';
import { kill } from '../processes.ts';

/** A Chromium of a pool: reached through a proxy that can drop its connections. */
interface PoolBrowser {
  child: ChildProcess;
  /** Its helpers, which hold its output, have ended as well: nobody writes its profile any more. */
  ended: Promise<unknown>;
  profile: string;
  server: Server;
  sockets: Set<Socket>;
  url: string;
}

/** A pool of Chromium processes with a debugging port on loopback; one that has died is replaced when it is asked for. */
export class BrowserPool {
  #slots: (Promise<PoolBrowser> | undefined)[];
  #next = 0;
  #slotOf = new Map<string, number>();

  readonly size: number;
  readonly folder: string;

  /** @param folder For what browsers that were killed leave behind, which is not the toolset's to remove. */
  constructor(size: number, folder: string) {
    this.size = size;
    this.folder = folder;
    mkdirSync(folder);
    this.#slots = Array.from({ length: size }, () => undefined);
  }

  /** Where the browser of a thread is, which others have as well. */
  async endpoint(threadId: string): Promise<string> {
    const slot = this.#slotOf.get(threadId) ?? this.#next++ % this.size;
    this.#slotOf.set(threadId, slot);
    return this.#running(slot);
  }

  /** Where the browser of a thread is that nobody else has, until it is taken back. */
  async ownEndpoint(threadId: string): Promise<string> {
    const slot = this.#slotOf.get(threadId) ?? this.#slots.length;
    this.#slotOf.set(threadId, slot);
    return this.#running(slot);
  }

  /** Ends the browser that a thread had alone. */
  async takeBack(threadId: string): Promise<void> {
    const slot = this.#slotOf.get(threadId);
    if (slot === undefined || slot < this.size) return;
    this.#slotOf.delete(threadId);
    const running = await this.#slots[slot];
    delete this.#slots[slot];
    if (running !== undefined) await end(running);
  }

  /** The address of the browser in a slot, which is started when none runs there. */
  async #running(slot: number): Promise<string> {
    const before = this.#slots[slot];
    const started = (async () => {
      const running = await before;
      if (running !== undefined && isAlive(running.child)) return running;
      if (running !== undefined) await end(running);
      return startBrowser(this.folder);
    })();
    this.#slots[slot] = started;
    return (await started).url;
  }

  /** Process ids of the browsers that run. */
  async pids(): Promise<number[]> {
    return (await this.#all()).map(({ child }) => child.pid ?? 0);
  }

  /** Cuts all connections to one of the browsers; it lives on. */
  async drop(slot: number): Promise<void> {
    const slots = Object.keys(this.#slots);
    const running = await this.#slots[Number(slots[slot % slots.length])];
    for (const socket of running?.sockets ?? []) socket.destroy();
  }

  async close(): Promise<void> {
    await Promise.all((await this.#all()).map(end));
    this.#slots = this.#slots.map(() => undefined);
  }

  async #all(): Promise<PoolBrowser[]> {
    return (await Promise.all(this.#slots)).filter(slot => slot !== undefined);
  }
}

const SWITCHES = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-port=0'];

async function startBrowser(folder: string): Promise<PoolBrowser> {
  const profile = mkdtempSync(join(folder, 'profile-'));
  const child = spawn(chromiumPath(), [...SWITCHES, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: { ...process.env, TMPDIR: folder },
  });
  const ended = once(child, 'close');
  for await (const line of createInterface({ input: child.stderr })) {
    const port = /DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    child.stderr.resume();
    return { child, ended, profile, ...(await proxy(Number(port))) };
  }
  throw new Error('a browser of the pool did not start');
}

async function proxy(target: number): Promise<Pick<PoolBrowser, 'server' | 'sockets' | 'url'>> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    const upstream = connect(target, '127.0.0.1');
    for (const [side, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(side);
      side.on('error', () => undefined);
      side.on('close', () => {
        sockets.delete(side);
        other.destroy();
      });
      side.pipe(other);
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { server, sockets, url: `http://127.0.0.1:${port}` };
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function end({ child, ended, profile, server, sockets }: PoolBrowser): Promise<void> {
  // The whole group: helpers of one that was killed may be frozen.
  if (child.pid !== undefined) kill(-child.pid);
  await ended;
  for (const socket of sockets) socket.destroy();
  server.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
