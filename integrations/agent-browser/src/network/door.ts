import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Gate, NetError } from './gate.js';
import { isForeign } from './peer.js';
import { SOCKS_REPLY, socksGreeting, socksReply } from './socks.js';
import { connect } from './system.js';

/** The only way out of a browser context: a SOCKS5 proxy on loopback, which a gate watches. Without one it is shut. */
export interface Door {
  /** For Playwright's option `proxy`. */
  readonly server: string;
  gate: Gate | undefined;
  /** Cuts all connections. Never rejects. */
  close(): Promise<void>;
}

/** How Chromium names what Node says of a connection (net/base/net_errors_posix.cc). */
const NET_ERRORS: Record<string, NetError> = {
  ECONNREFUSED: 'ERR_CONNECTION_REFUSED',
  ECONNRESET: 'ERR_CONNECTION_RESET',
  EHOSTUNREACH: 'ERR_ADDRESS_UNREACHABLE',
  ENETUNREACH: 'ERR_ADDRESS_UNREACHABLE',
  EADDRNOTAVAIL: 'ERR_ADDRESS_INVALID',
  EACCES: 'ERR_NETWORK_ACCESS_DENIED',
  ETIMEDOUT: 'ERR_CONNECTION_TIMED_OUT',
};

/** Opens a door on a port of its own, so that a connection tells whose it is. */
export async function openDoor(onClose: (door: Door) => void): Promise<Door> {
  const door = new SocksDoor(onClose);
  await door.open();
  return door;
}

class SocksDoor implements Door {
  gate: Gate | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(readonly onClose: (door: Door) => void) {
    this.#server = createServer({ noDelay: true, allowHalfOpen: true }, client => {
      this.#keep(client);
      // Each end is told what becomes of the other; a client that breaks off needs no words.
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
    // The browser keeps the program running, not the way out of it.
    this.#server.unref();
  }

  async close(): Promise<void> {
    this.gate = undefined;
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
    // Without a listener it would end the program; `close` follows.
    socket.on('error', () => undefined);
  }

  async #serve(client: Socket): Promise<void> {
    const { remotePort = 0 } = client;
    const [place, foreign] = await Promise.all([socksGreeting(client), isForeign(remotePort, this.#port)]);
    const { gate } = this;
    if (place === undefined || foreign || gate === undefined) return void client.destroy();
    const admission = await gate.admit(place);
    if (client.destroyed || gate !== this.gate) return void client.destroy();
    if (!admission.admitted) return refuse(client, SOCKS_REPLY.notAllowed);
    const target = connect(admission.addresses, admission.port);
    this.#keep(target);
    if (admission.isPrivate)
      client.once(
        'close',
        gate.hold(place, () => client.destroy()),
      );
    let isConnected = false;
    target.once('connect', () => {
      isConnected = true;
      socksReply(client, SOCKS_REPLY.succeeded);
      join(client, target);
    });
    client.once('close', () => target.destroy());
    target.once('error', error => {
      if (!isConnected) gate.noteFailure(place, netError(error));
    });
    target.once('close', hadError => {
      if (client.destroyed) return;
      if (!isConnected) refuse(client, SOCKS_REPLY.failed);
      else if (hadError) client.resetAndDestroy();
      else client.end();
    });
  }
}

function join(client: Socket, target: Socket): void {
  client.pipe(target);
  target.pipe(client);
}

function refuse(client: Socket, reply: number): void {
  socksReply(client, reply);
  client.end();
  client.resume();
}

function netError(error: Error): NetError {
  const { code } = error as NodeJS.ErrnoException;
  const first = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException).code : code;
  return NET_ERRORS[first ?? ''] ?? 'ERR_CONNECTION_FAILED';
}
