import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ClientMessage, parseClientMessage } from '@browser-toolset/core/protocol';
import { type WebSocket, WebSocketServer } from 'ws';

export interface RestRequest {
  method: string;
  path: string;
  viewer: string | undefined;
  body: unknown;
}

const CONTROL = { holder: 'agent', isYou: false, mayControl: true, mayResize: true, viewer: 'viewer-1' };
/** Of a browser that cannot give its pages another size. */
export const AGENT_DRIVES_AS_IS = { control: { ...CONTROL, mayResize: undefined } };
export const AGENT_DRIVES = { control: CONTROL };
export const YOU_DRIVE = { control: { ...CONTROL, holder: 'human', isYou: true } };
export const VIEW_ONLY = { control: { ...CONTROL, mayControl: false } };
export const VIEWPORT = { width: 1280, height: 720, offsetTop: 0, pageScaleFactor: 1 };

/** Speaks the protocol to one page as a test tells it to, and keeps what the page sent. */
export class LiveServer implements AsyncDisposable {
  readonly messages: ClientMessage[] = [];
  readonly requests: RestRequest[] = [];
  /** Urls of the streams that were opened. */
  readonly streams: string[] = [];
  /** What each viewer gets to begin with. */
  greeting: (object | Buffer)[] = [];
  /** Answers a request for control as a server whose agent drives. */
  grantsControl = true;
  /** Answers instead of a stream, and to each request. */
  refusal: { status: number; body: object } | undefined;
  reply: { status: number; body: object } = { status: 200, body: { success: true } };
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #waiting = new Set<() => void>();

  private constructor(html: string) {
    this.#server = createServer((request, response) => void this.#serve(html, request, response));
    this.#server.on('upgrade', (request, socket, head) => {
      if (this.refusal !== undefined) return socket.end(`HTTP/1.1 ${this.refusal.status} Refused\r\n\r\n`);
      this.#sockets.handleUpgrade(request, socket, head, viewer => this.#welcome(viewer, request.url ?? ''));
    });
  }

  /** @param html The page at its root. */
  static async start(html: string): Promise<LiveServer> {
    const live = new LiveServer(html);
    await new Promise<void>(resolve => live.#server.listen(0, '127.0.0.1', resolve));
    return live;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  get viewers(): number {
    return this.#sockets.clients.size;
  }

  /** To all viewers: an object as JSON, a picture as bytes. */
  say(...messages: (object | Buffer)[]): void {
    for (const viewer of this.#sockets.clients) for (const message of messages) tell(viewer, message);
  }

  /** Loses all connections; with a code, closes them. */
  drop(code?: number, reason = ''): void {
    for (const viewer of this.#sockets.clients) code === undefined ? viewer.terminate() : viewer.close(code, reason);
  }

  /** Waits, as long as the test may take, until what the page sent satisfies the condition. */
  async until(condition: (server: this) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>(resolve => this.#waiting.add(resolve));
  }

  /** The events of one kind that the page sent. */
  mouse() {
    return this.messages.flatMap(message => (message.type === 'mouse' ? [message.event] : []));
  }

  keys() {
    return this.messages.flatMap(message => (message.type === 'keyboard' ? [message.event] : []));
  }

  /** All that was typed, by keys and as text. */
  typed(): string {
    const parts = this.messages.map(message => {
      if (message.type === 'text') return message.text;
      return message.type === 'keyboard' && message.event.type === 'keyDown' ? (message.event.text ?? '') : '';
    });
    return parts.join('');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.drop();
    this.#server.closeAllConnections();
    await new Promise<void>(resolve => this.#server.close(() => resolve()));
  }

  #welcome(viewer: WebSocket, url: string): void {
    this.streams.push(url);
    for (const message of this.greeting) tell(viewer, message);
    viewer.on('message', data => {
      const message = parseClientMessage(String(data));
      if (message === undefined) throw new Error(`The page sent what is not protocol: ${data}`);
      this.messages.push(message);
      if (message.type === 'control' && this.grantsControl)
        tell(viewer, message.action === 'take' ? YOU_DRIVE : AGENT_DRIVES);
      this.#notify();
    });
    viewer.on('close', () => this.#notify());
    this.#notify();
  }

  async #serve(html: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', this.url);
    if (pathname === '/') return respond(response, 'text/html; charset=utf-8', html);
    const body = await text(request);
    const viewer = request.headers['x-viewer'];
    this.requests.push({
      method: request.method ?? '',
      path: pathname,
      viewer: String(viewer),
      body: body && JSON.parse(body),
    });
    const { status, body: answer } = this.refusal ?? this.reply;
    response.statusCode = status;
    respond(response, 'application/json', JSON.stringify(answer));
    this.#notify();
  }

  #notify(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

function tell(viewer: WebSocket, message: object | Buffer): void {
  viewer.send(Buffer.isBuffer(message) ? message : JSON.stringify(message));
}

function respond(response: ServerResponse, type: string, body: string): void {
  response.setHeader('content-type', type);
  response.end(body);
}
