import type { Socket } from 'node:net';
import type { HostAndPort } from '../policy/host-pattern.js';

/** The replies of a SOCKS5 server (RFC 1928, section 6). */
export const SOCKS_REPLY = { succeeded: 0, failed: 1, notAllowed: 2 } as const;

const VERSION = 5;
const NO_AUTHENTICATION = 0;
const CONNECT = 1;
const ADDRESS_LENGTHS: Record<number, number> = { 1: 4, 4: 16 };
const NAME = 3;

/**
 * Takes a client through the beginning of SOCKS5 (RFC 1928). Resolves with where it wants to go, the socket paused behind
 * that; with undefined when it speaks something else or leaves.
 */
export function socksGreeting(client: Socket): Promise<HostAndPort | undefined> {
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

/** Answers a request. The address is of no interest to a browser. */
export function socksReply(client: Socket, reply: number): void {
  client.write(Buffer.from([VERSION, reply, 0, 1, 0, 0, 0, 0, 0, 0]));
}

function readRequest(bytes: Buffer): { place: HostAndPort; rest: Buffer } | 'incomplete' | undefined {
  if (bytes.length < 5) return 'incomplete';
  const [version, command, , type = 0, first = 0] = bytes;
  const length = type === NAME ? first : ADDRESS_LENGTHS[type];
  if (version !== VERSION || command !== CONNECT || length === undefined) return undefined;
  const start = type === NAME ? 5 : 4;
  const end = start + length;
  if (bytes.length < end + 2) return 'incomplete';
  const place = { host: hostIn(bytes.subarray(start, end), type), port: bytes.readUInt16BE(end) };
  return { place, rest: bytes.subarray(end + 2) };
}

function hostIn(bytes: Buffer, type: number): string {
  if (type === NAME) return bytes.toString('latin1');
  if (type === 1) return [...bytes].join('.');
  const parts = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  return parts.join(':');
}
