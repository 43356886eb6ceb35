import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { UsageError } from '../demo/usage-error.js';

export interface LoopbackListener extends AsyncDisposable {
  readonly url: string;
  readonly server: Server;
}

/** How an app answers a request, without a network in between. */
export type Fetch = (request: Request) => Response | Promise<Response>;

export const DEFAULT_PORT = 4600;

/** Without a port: the usual one, or a free one when that is taken. */
export async function listenOnLoopback(fetch: Fetch, port?: number): Promise<LoopbackListener> {
  const server = createServer(getRequestListener(fetch));
  try {
    await listenOn(server, port ?? DEFAULT_PORT);
  } catch (error) {
    if (!isTaken(error)) throw error;
    if (port !== undefined)
      throw new UsageError(`Port ${port} is taken: choose another with --port.`, { cause: error });
    await listenOn(server, 0);
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      // Streams of clients would keep it open for as long as these are.
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listenOn(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}

/** Whether a port could not be listened on because somebody else does. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
