import { derived, rawKey } from './sealed-text.js';

/**
 * The key that records are sealed with. A passphrase is made a key of once: records are written after every call, which
 * must not pay for that each time. All processes with the same passphrase have the same key.
 */
export async function recordKey(storageKey: string): Promise<string> {
  if (rawKey(storageKey) !== undefined) return storageKey;
  return (await derived(storageKey, Buffer.from('browser-toolset/records'))).toString('hex');
}
