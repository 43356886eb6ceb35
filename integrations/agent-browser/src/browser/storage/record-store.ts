import { isMastraStorage, type MastraStorageLike, type ThreadKey, ThreadTexts } from '@browser-toolset/core';
import { derived, rawKey } from './sealed-text.js';

/** A place for session records that several processes share. */
export interface RecordStore {
  get(key: string): Promise<string | null | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Writes a value only if the key still holds `was` (undefined: nothing), and answers whether it did. With it two
   * processes can never have a thread at once; without it a collision within milliseconds is noticed after the fact.
   */
  replace?(key: string, was: string | undefined, value: string): Promise<boolean>;
}

export function isRecordStore(value: object): value is RecordStore {
  return ['get', 'set', 'delete'].every(name => typeof (value as Record<string, unknown>)[name] === 'function');
}

/** Where records are kept: Mastra's storage by thread and type, which goes with what else it knows of the thread. */
export function recordStore(records: RecordStore | MastraStorageLike): RecordStore {
  if (!isMastraStorage(records)) return records;
  const texts = new ThreadTexts(records);
  return {
    get: async key => texts.get(threadKeyOf(key)),
    set: async (key, value) => texts.set(threadKeyOf(key), value),
    delete: async key => texts.delete(threadKeyOf(key)),
  };
}

/** Keys are `type/thread`. */
function threadKeyOf(key: string): ThreadKey {
  const slash = key.indexOf('/');
  return { type: key.slice(0, slash), threadId: key.slice(slash + 1) };
}

/**
 * The key that records are sealed with. A passphrase is made a key of once: records are written after every call, which
 * must not pay for that each time. All processes with the same passphrase have the same key.
 */
export async function recordKey(storageKey: string): Promise<string> {
  if (rawKey(storageKey) !== undefined) return storageKey;
  return (await derived(storageKey, Buffer.from('browser-toolset/records'))).toString('hex');
}
