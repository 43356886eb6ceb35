import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Takes a request to change to the WebSocket protocol; false for what is another's. */
export type TakeUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/** Hands each upgrade of a server to the first that takes it, and refuses those that nobody takes: they would wait for ever. */
export function takeUpgrades(server: Server, takers: readonly TakeUpgrade[]): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!takers.some(take => take(request, socket, head))) refuseUpgrade(socket, 404);
  });
}

export function refuseUpgrade(socket: Duplex, status: 403 | 404): void {
  // While nobody else listens, an error of the connection would end the process; it is closed anyway.
  socket.on('error', () => undefined);
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
