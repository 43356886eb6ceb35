import { readFile } from 'node:fs/promises';

/** Linux' table of TCP connections: one line a connection, local and remote end in hex, the owner's id the eighth field. */
const TABLE = '/proc/net/tcp';

/**
 * Whether the other end of a connection on loopback belongs to another user of this machine. Only Linux tells; elsewhere,
 * and where the table cannot be read, it is not known to.
 * @param peer Port of the other end.
 * @param own Port of this end.
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
