import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createProxy, type Socket } from 'node:net';
import {
  type ClientMessageInput,
  type ControlState,
  parseServerMessage,
  type ServerMessage,
} from '@browser-toolset/core/protocol';
import { FakeBrowserToolset } from '@browser-toolset/core/testing';
import { expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { createLiveView, type LiveBrowser, type LiveView, type LiveViewOptions } from '../src/index.js';
import { type AttachOptions, nodeLiveView } from '../src/node.js';

export interface ViewerOptions {
  /** Query of the stream, without `?`. */
  query?: string;
  agent?: string;
  headers?: Record<string, string>;
  /** False for a viewer that reads nothing until it is told to. */
  reads?: boolean;
}

/** What a stream answered instead of opening. */
export class StreamRefused extends Error {
  constructor(
    readonly status: number,
    readonly body: { error: string; message: string },
  ) {
    super(`${status} ${body.error}: ${body.message}`);
  }
}

/** A viewer of a stream: keeps what it got and lets a test wait for more. */
export class TestViewer {
  readonly messages: ServerMessage[] = [];
  readonly frames: (string | Buffer)[] = [];
  /** Both, in the order in which they came. */
  readonly received: (ServerMessage | { frame: string | Buffer })[] = [];
  closed: { code: number; reason: string } | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer, isBinary) => this.#keep(data, isBinary));
    socket.on('error', () => undefined);
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
      this.#wake();
    });
  }

  static open(url: string, { headers = {}, reads = true }: ViewerOptions = {}): Promise<TestViewer> {
    const socket = new WebSocket(url, { headers });
    const viewer = new TestViewer(socket);
    if (!reads) socket.once('open', () => socket.pause());
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(viewer));
      socket.once('error', reject);
      socket.once('unexpected-response', (_, response) => {
        response.setEncoding('utf8');
        let body = '';
        response.on('data', text => {
          body += text;
        });
        response.on('end', () => reject(new StreamRefused(response.statusCode ?? 0, JSON.parse(body))));
      });
    });
  }

  send(message: ClientMessageInput): void {
    this.sendRaw(JSON.stringify(message));
  }

  sendRaw(data: string | Buffer): void {
    this.socket.send(data);
  }

  /** The values of one kind of message, oldest first. */
  values<Kind extends string>(kind: Kind): Extract<ServerMessage, Record<Kind, unknown>>[Kind][] {
    return this.messages.flatMap(message =>
      kind in message ? [message[kind as never] as Extract<ServerMessage, Record<Kind, unknown>>[Kind]] : [],
    );
  }

  get statuses() {
    return this.values('status');
  }

  get control(): ControlState | undefined {
    return this.values('control').at(-1);
  }

  /** Waits, as long as the test may take, until what was kept satisfies the condition. */
  async until(condition: (viewer: this) => boolean): Promise<void> {
    while (!condition(this)) {
      if (this.closed) throw new Error(`closed with ${this.closed.code} ${this.closed.reason}`);
      await new Promise<void>(resolve => this.#waiting.add(resolve));
    }
  }

  async untilClosed(): Promise<{ code: number; reason: string }> {
    while (!this.closed) await new Promise<void>(resolve => this.#waiting.add(resolve));
    return this.closed;
  }

  async untilStatus(status: string): Promise<void> {
    await this.until(({ statuses }) => statuses.at(-1) === status);
  }

  async untilError(code: string): Promise<void> {
    await this.until(viewer => viewer.values('error').includes(code));
  }

  /** Waits for a frame beyond the ones that are there. */
  async nextFrame(): Promise<string | Buffer> {
    const known = this.frames.length;
    await this.until(({ frames }) => frames.length > known);
    return this.frames[known] as string | Buffer;
  }

  /** Waits until the server has taken everything that was sent: it answers a ping after it. */
  async flushed(): Promise<void> {
    await new Promise<void>(resolve => {
      this.socket.once('pong', () => resolve());
      this.socket.ping();
    });
  }

  /** Waits until the server has taken everything that was sent, without reading from it. */
  async told(live: LiveView): Promise<void> {
    const { messages } = live.metrics();
    this.sendRaw('{}');
    await expect.poll(() => live.metrics().messages).toBeGreaterThan(messages);
  }

  async leave(): Promise<void> {
    this.socket.close();
    await this.untilClosed();
  }

  #keep(data: Buffer, isBinary: boolean): void {
    const message = isBinary ? { frame: data } : parseServerMessage(data.toString());
    if (message === undefined) throw new Error(`a message that is none: ${data.toString().slice(0, 100)}`);
    this.received.push(message);
    if ('frame' in message) this.frames.push(message.frame);
    else this.messages.push(message);
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** Lets a server listen on a port of its own until the test is over. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    const closed = new Promise<void>(resolve => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface ServedView {
  live: LiveView;
  browser: FakeBrowserToolset;
  /** Lines of the log. */
  lines: string[];
  url: string;
  /** Bytes that the server holds for its viewers: it gave them to connections, and the kernel has not taken them. */
  held(): number;
  watch(options?: ViewerOptions): Promise<TestViewer>;
}

/** Watches a stream of agent `web`, or another, of a server. */
export function watcher(url: string): ServedView['watch'] {
  return async (options = {}) => {
    const { agent = 'web', query = 'threadId=one' } = options;
    const viewer = await TestViewer.open(`${url.replace('http', 'ws')}/browser/${agent}/stream?${query}`, options);
    onTestFinished(() => viewer.socket.terminate());
    return viewer;
  };
}

/** Serves the live view of a browser, a fake one unless another is given, as agent `web`, with Node's own server. */
export async function serveView(
  options: Partial<LiveViewOptions> & { source?: LiveBrowser } = {},
  attachment: AttachOptions = { refuseOthers: true },
): Promise<ServedView> {
  const browser = new FakeBrowserToolset();
  const lines: string[] = [];
  const { source = browser, ...rest } = options;
  const live = createLiveView({
    browsers: agentId => (agentId === 'web' ? source : undefined),
    log: line => lines.push(line),
    ...rest,
  });
  const view = nodeLiveView(live);
  const server = createServer(async (request, response) => {
    if (!(await view.handleRequest(request, response))) response.writeHead(404).end('not the live view');
  });
  view.attach(server, attachment);
  const connections = new Set<Socket>();
  server.on('connection', socket => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  const held = () => [...connections].reduce((sum, { writableLength }) => sum + writableLength, 0);
  const url = await listen(server);
  onTestFinished(() => live.close());
  return { live, browser, lines, url, held, watch: watcher(url) };
}

/**
 * A proxy that ends connections and takes all that a server sends, however slowly its viewers read: what it holds, the
 * kernel of the server has given away long ago. Returns its url.
 */
export async function serveProxy(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const proxy = createProxy(near => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    near.pipe(far);
    far.on('data', data => near.write(data));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>(resolve => proxy.close(() => resolve()));
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

/** A browser as it is, but for some of what it offers. */
export function lacking(browser: FakeBrowserToolset, ...names: (keyof FakeBrowserToolset)[]): LiveBrowser {
  return new Proxy<LiveBrowser>(browser, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (names.includes(name as keyof FakeBrowserToolset)) return undefined;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
