import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { LiveView } from './live-view.js';
import { liveRequestOf, urlOf } from './node-request.js';
import { livePathOf, STREAM_ROUTE } from './paths.js';
import { Refusal } from './requests.js';
import type { LiveSocket, SocketListener } from './socket.js';

/** How long the other end may take to answer a close, in milliseconds. */
const CLOSE_PATIENCE_MS = 1000;
const BINARY = { binary: true };
const TEXT = { binary: false };

/** A connection of the `ws` library. */
class WsSocket implements LiveSocket {
  readonly #ws: WebSocket;
  /** The ping to answer once the kernel has taken the answer to the one before. */
  #pinged: Buffer | undefined;
  #isAnswering = false;

  constructor(ws: WebSocket) {
    this.#ws = ws;
  }

  get bufferedAmount(): number {
    return this.#ws.bufferedAmount;
  }

  listen({ onMessage, onPong, onClosed }: SocketListener): void {
    this.#ws.on('message', (data, isBinary) => onMessage(isBinary ? undefined : textOf(data)));
    this.#ws.on('ping', payload => this.#answer(payload));
    this.#ws.on('pong', payload => onPong(payload.toString()));
    // A connection that fails is closed next, and that is told.
    this.#ws.on('error', () => undefined);
    this.#ws.on('close', onClosed);
  }

  send(data: string | Buffer, kind: 'text' | 'binary', onSent: () => void): void {
    this.#ws.send(data, kind === 'binary' ? BINARY : TEXT, onSent);
  }

  ping(payload?: string): void {
    if (this.#ws.readyState === this.#ws.OPEN) this.#ws.ping(payload);
  }

  pause(): void {
    this.#ws.pause();
  }

  resume(): void {
    this.#ws.resume();
  }

  close(code: number, reason: string): void {
    // A viewer that is not read from could not even answer.
    this.#ws.resume();
    this.#ws.close(code, reason);
    const patience = setTimeout(() => this.#ws.terminate(), CLOSE_PATIENCE_MS);
    this.#ws.once('close', () => clearTimeout(patience));
  }

  terminate(): void {
    this.#ws.terminate();
  }

  /** Of many pings only the last need be answered (RFC 6455, section 5.5.3): who reads nothing could ask for ever. */
  #answer(payload: Buffer): void {
    this.#pinged = payload;
    if (this.#isAnswering || this.#ws.readyState !== this.#ws.OPEN) return;
    this.#isAnswering = true;
    this.#pinged = undefined;
    this.#ws.pong(payload, false, () => {
      this.#isAnswering = false;
      if (this.#pinged !== undefined) this.#answer(this.#pinged);
    });
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return data instanceof ArrayBuffer ? Buffer.from(data).toString() : data.toString();
}

/** A request to change to the WebSocket protocol, as Node's `upgrade` event gives it. */
export interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

export interface AttachOptions {
  /**
   * Nobody else takes upgrades of this server: what is no stream is answered with 404. Else it waits for another listener,
   * for ever when there is none.
   * @default false
   */
  refuseOthers?: boolean;
}

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/** Takes the upgrades of a server. Returns the way to stop. */
export function attachTo(
  server: Pick<Server, 'on' | 'off'>,
  take: UpgradeListener,
  { refuseOthers = false }: AttachOptions = {},
): () => void {
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (take(request, socket, head) || !refuseOthers) return;
    socket.on('error', ignoreLostConnection);
    refuse(socket, new Refusal('not_found', 'There is no such stream.'));
  };
  server.on('upgrade', onUpgrade);
  return () => server.off('upgrade', onUpgrade);
}

/** Turns requests for streams into viewers, or answers why not while it is still HTTP. */
export class Upgrades {
  readonly #live: LiveView;
  readonly #server: WebSocketServer;
  /** Requests that were seen: two parts of a server may hand over the same. */
  readonly #taken = new WeakSet<IncomingMessage>();

  constructor(live: LiveView) {
    this.#live = live;
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: live.messageBytes,
      // A JPEG gets no smaller, and every frame would wait for it.
      perMessageDeflate: false,
      autoPong: false,
    });
  }

  /** A listener for `upgrade` events: takes those to streams below a base path, and answers whether it did. */
  listener(basePath: string): UpgradeListener {
    return (request, socket, head) => {
      const path = livePathOf(urlOf(request)?.pathname ?? '', basePath);
      if (path?.route !== STREAM_ROUTE) return false;
      this.take(path.agentId, { request, socket, head });
      return true;
    };
  }

  take(agentId: string, upgrade: Upgrade): void {
    if (this.#taken.has(upgrade.request)) return;
    this.#taken.add(upgrade.request);
    // While nobody else listens, an error of the connection would end the process; it is closed anyway.
    upgrade.socket.on('error', ignoreLostConnection);
    this.#connect(agentId, upgrade).catch(error => refuse(upgrade.socket, error));
  }

  async #connect(agentId: string, { request, socket, head }: Upgrade): Promise<void> {
    const url = urlOf(request);
    if (url === null) throw new Refusal('invalid_request', 'The url is none.');
    const admission = await this.#live.admit(agentId, liveRequestOf(request, url));
    if (socket.destroyed) return;
    socket.off('error', ignoreLostConnection);
    this.#server.handleUpgrade(request, socket, head, ws => admission.connect(new WsSocket(ws)));
  }
}

function ignoreLostConnection(): void {}

function refuse(socket: Duplex, error: unknown): void {
  const refusal = error instanceof Refusal ? error : new Refusal('browser_error', 'The stream cannot be opened.');
  const { status, body } = refusal.toResponse();
  const json = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(json)}`,
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n${json}`);
}
