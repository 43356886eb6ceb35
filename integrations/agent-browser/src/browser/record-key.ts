import { scrypt } from 'node:crypto';

/** RFC 7914: 32 MiB and about a tenth of a second. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };
const KEY_BYTES = 32;
/** 32 bytes as hex or base64. */
const RAW_KEY = /^(?:[0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=?)$/i;

/**
 * The key that records are sealed with. A passphrase is made a key of once: records are written after every call, which
 * must not pay for that each time. All processes with the same passphrase have the same key.
 */
export function recordKey(storageKey: string): Promise<string> {
  if (RAW_KEY.test(storageKey)) return Promise.resolve(storageKey);
  return new Promise((resolve, reject) => {
    scrypt(storageKey, 'browser-toolset/records', KEY_BYTES, COST, (error, key) =>
      error === null ? resolve(key.toString('hex')) : reject(error),
    );
  });
}
