import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The world as `system.ts` shows it to a test: names, and what answers at addresses that no packet goes to. */
export interface PretendNetwork {
  names: Map<string, string[]>;
  /** The port on loopback that stands for port 80 of an address. */
  stands: Map<string, number>;
  /** Addresses that were connected to. */
  contacted: string[];
}

/** Makes `system.ts` of a pretended world; for `vi.mock`. */
export function pretended(
  world: PretendNetwork,
  system: typeof import('#egress/system.js'),
): typeof import('#egress/system.js') {
  return {
    async lookup(host) {
      return world.names.get(host) ?? Promise.reject(new Error('ENOTFOUND'));
    },
    connect(addresses, port) {
      const [address = ''] = addresses;
      const stand = port === 80 ? world.stands.get(address) : undefined;
      if (stand === undefined) return system.connect(['127.0.0.1'], 1);
      world.contacted.push(address);
      return system.connect(['127.0.0.1'], stand);
    },
  };
}

/** Serves something at an address of the pretended world. Returns the way to end it. */
export async function serveAt(world: PretendNetwork, address: string, listener: RequestListener): Promise<() => void> {
  const server = createServer(listener);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  world.stands.set(address, (server.address() as AddressInfo).port);
  return () => {
    server.closeAllConnections();
    server.close();
  };
}
