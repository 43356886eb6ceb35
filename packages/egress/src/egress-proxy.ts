import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { HostAndPort } from './addresses.js';
import type { ConnectionPolicy, NetError } from './connection-policy.js';
import { connect } from './system.js';

/** Linux's table of TCP connections: local and remote end in hex, and the owner's uid in the eighth field. */
const TABLE = '/proc/net/tcp';

/**
 * Whether the peer of a loopback connection belongs to another user of this machine; false where that is unknown: on
 * other systems than Linux, or without a readable table.
 * @param peer The port of the other end.
 * @param own The port of this end.
 */
export async function isForeign(peer: number, own: number): Promise<boolean> {
  const user = process.getuid?.();
  if (process.platform !== 'linux' || user === undefined) return false;
  const table = await readFile(TABLE, 'latin1').catch(() => '');
  const ends = `:${hex(peer)} 0100007F:${hex(own)} `;
  const line = table.split('\n').find(text => text.includes(ends));
  const owner = line?.trim().split(/\s+/)[7];
  return owner !== undefined && Number(owner) !== user;
}

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

/** SOCKS5 replies (RFC 1928, section 6). */
const SOCKS_REPLY = { succeeded: 0, failed: 1, notAllowed: 2 } as const;

const VERSION = 5;
const NO_AUTHENTICATION = 0;
const CONNECT = 1;
const ADDRESS_LENGTHS: Record<number, number> = { 1: 4, 4: 16 };
const DOMAIN_NAME = 3;

/**
 * The server side of a SOCKS5 handshake (RFC 1928). Resolves to the destination, with the socket paused after the
 * request; to undefined for another protocol or a client that disconnects.
 */
function socksGreeting(client: Socket): Promise<HostAndPort | undefined> {
  return new Promise(resolve => {
    let received: Buffer = Buffer.alloc(0);
    let greeted = false;
    const finish = (place: HostAndPort | undefined): void => {
      client.off('data', onData);
      client.off('close', onClose);
      client.pause();
      resolve(place);
    };
    const onClose = (): void => finish(undefined);
    const onData = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      if (received[0] !== VERSION) {
        finish(undefined);
        return;
      }
      if (!greeted) {
        const end = 2 + (received[1] ?? Number.POSITIVE_INFINITY);
        if (received.length < end) return;
        greeted = true;
        client.write(Buffer.from([VERSION, NO_AUTHENTICATION]));
        received = received.subarray(end);
      }
      const request = readRequest(received);
      if (request === 'incomplete') return;
      if (request?.rest.length) client.unshift(request.rest);
      finish(request?.place);
    };
    client.on('data', onData);
    client.on('close', onClose);
  });
}

/** Sends a reply. Browsers ignore its address. */
function socksReply(client: Socket, reply: number): void {
  client.write(Buffer.from([VERSION, reply, 0, 1, 0, 0, 0, 0, 0, 0]));
}

function readRequest(bytes: Buffer): { place: HostAndPort; rest: Buffer } | 'incomplete' | undefined {
  if (bytes.length < 5) return 'incomplete';
  const [version, command, , type = 0, first = 0] = bytes;
  const length = type === DOMAIN_NAME ? first : ADDRESS_LENGTHS[type];
  if (version !== VERSION || command !== CONNECT || length === undefined) return undefined;
  const start = type === DOMAIN_NAME ? 5 : 4;
  const end = start + length;
  if (bytes.length < end + 2) return 'incomplete';
  const place = { host: hostInRequest(bytes.subarray(start, end), type), port: bytes.readUInt16BE(end) };
  return { place, rest: bytes.subarray(end + 2) };
}

function hostInRequest(bytes: Buffer, type: number): string {
  if (type === DOMAIN_NAME) return bytes.toString('latin1');
  if (type === 1) return [...bytes].join('.');
  const parts = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  return parts.join(':');
}

/** A context's only way to the network: a SOCKS5 proxy on loopback, which refuses all connections without a policy. */
export interface EgressProxy {
  /** The value for Playwright's option `proxy`. */
  readonly server: string;
  connectionPolicy: ConnectionPolicy | undefined;
  /** Cuts all connections. Never rejects. */
  close(): Promise<void>;
}

/** Chromium's names for Node's errors (net/base/net_errors_posix.cc). */
const NET_ERRORS: Record<string, NetError> = {
  ECONNREFUSED: 'ERR_CONNECTION_REFUSED',
  ECONNRESET: 'ERR_CONNECTION_RESET',
  EHOSTUNREACH: 'ERR_ADDRESS_UNREACHABLE',
  ENETUNREACH: 'ERR_ADDRESS_UNREACHABLE',
  EADDRNOTAVAIL: 'ERR_ADDRESS_INVALID',
  EACCES: 'ERR_NETWORK_ACCESS_DENIED',
  ETIMEDOUT: 'ERR_CONNECTION_TIMED_OUT',
};

/** An egress proxy on its own port, which identifies the context of a connection. */
export class SocksProxy implements EgressProxy {
  connectionPolicy: ConnectionPolicy | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(readonly onClose: (egressProxy: EgressProxy) => void) {
    this.#server = createServer({ noDelay: true, allowHalfOpen: true }, client => {
      this.#keep(client);
      // Errors are handled at both ends; a client that disconnects needs no reply.
      this.#serve(client).catch(() => client.destroy());
    });
  }

  get server(): string {
    return `socks5://127.0.0.1:${this.#port}`;
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    // Only the browser should keep the program running.
    this.#server.unref();
  }

  async close(): Promise<void> {
    this.connectionPolicy = undefined;
    this.onClose(this);
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    // An unhandled `error` event would end the program; `close` follows it.
    socket.on('error', () => undefined);
  }

  async #serve(client: Socket): Promise<void> {
    const { remotePort = 0 } = client;
    const [place, foreign] = await Promise.all([socksGreeting(client), isForeign(remotePort, this.#port)]);
    const { connectionPolicy } = this;
    if (place === undefined || foreign || connectionPolicy === undefined) return void client.destroy();
    const admission = await connectionPolicy.admit(place);
    if (client.destroyed || connectionPolicy !== this.connectionPolicy) return void client.destroy();
    if (!admission.admitted) return refuseConnection(client, SOCKS_REPLY.notAllowed);
    const target = connect(admission.addresses, admission.port);
    this.#keep(target);
    if (admission.isPrivate) connectionPolicy.hold(place, client);
    let isConnected = false;
    target.once('connect', () => {
      isConnected = true;
      socksReply(client, SOCKS_REPLY.succeeded);
      client.pipe(target).pipe(client);
    });
    client.once('close', () => target.destroy());
    target.once('error', error => {
      if (!isConnected) connectionPolicy.notReached(place, { error: socketError(error) });
    });
    target.once('close', hadError => {
      if (client.destroyed) return;
      if (!isConnected) refuseConnection(client, SOCKS_REPLY.failed);
      else if (hadError) client.resetAndDestroy();
      else client.end();
    });
  }
}

function refuseConnection(client: Socket, reply: number): void {
  socksReply(client, reply);
  client.end();
  client.resume();
}

function socketError(error: Error): NetError {
  const { code } = error as NodeJS.ErrnoException;
  const first = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException).code : code;
  return NET_ERRORS[first ?? ''] ?? 'ERR_CONNECTION_FAILED';
}
