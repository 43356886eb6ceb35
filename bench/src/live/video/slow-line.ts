import { connect, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { listenOnLoopback } from '../listening.ts';
import { serverPackage } from '../servers/ours.ts';

interface LineShape {
  bitsPerSecond: number;
  roundTripMs: number;
}
type MakeSlowLine = (socket: Duplex, shape: LineShape) => Duplex;

export interface SlowLine {
  /** The address of a stream as it is reached over this line. */
  through(url: string): string;
  close(): Promise<void>;
}

/** A line between a viewer and a server on loopback: bytes take their time one way and the other. */
export async function openSlowLine(target: string, shape: LineShape): Promise<SlowLine> {
  const { slowLine } = (await import(`${serverPackage}/node`)) as { slowLine: MakeSlowLine };
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
    const viewer = slowLine(socket.setNoDelay(true), shape);
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      upstream.destroy();
    });
    upstream.on('close', () => socket.destroy());
    // The line is gone with either end.
    for (const end of [viewer, upstream]) end.on('error', () => socket.destroy());
    viewer.pipe(upstream).pipe(viewer);
  });
  const own = await listenOnLoopback(server);
  return {
    through: url => url.replace(`:${port}/`, `:${own}/`),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
