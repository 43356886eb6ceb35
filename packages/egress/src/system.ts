import { lookup as systemLookup } from 'node:dns/promises';
import { isIPv4, type Socket, connect as systemConnect } from 'node:net';

/** The addresses of a name from this machine's resolver. Rejects when there are none. */
export async function lookup(host: string): Promise<string[]> {
  const found = await systemLookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

/** Connects to the first of these addresses that answers, without a DNS lookup. */
export function connect(addresses: readonly string[], port: number): Socket {
  return systemConnect({
    // A placeholder, which our `lookup` ignores.
    host: 'checked',
    port,
    noDelay: true,
    allowHalfOpen: true,
    autoSelectFamily: true,
    lookup: (_host, _options, found) => {
      found(
        null,
        addresses.map(address => ({ address, family: isIPv4(address) ? 4 : 6 })),
      );
    },
  });
}
