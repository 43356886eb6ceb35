import { isMastraStorage, type MastraStorageLike, type ThreadKey, ThreadTexts } from '@browser-toolset/core';
import { derived, rawKey } from './sealed-text.js';

/** A key-value store for session records that several processes share. */
export interface RecordStore {
  get(key: string): Promise<string | null | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Writes a value only if the key still holds `was` (undefined: no value), and resolves to whether it did. It makes
   * taking a thread atomic; without it, a collision within milliseconds is noticed only afterwards.
   */
  replace?(key: string, was: string | undefined, value: string): Promise<boolean>;
}

export function isRecordStore(value: object): value is RecordStore {
  return ['get', 'set', 'delete'].every(name => typeof (value as Record<string, unknown>)[name] === 'function');
}

/** Wraps Mastra's storage, which deletes the records with their thread. */
export function recordStore(records: RecordStore | MastraStorageLike): RecordStore {
  if (!isMastraStorage(records)) return records;
  const texts = new ThreadTexts(records);
  return {
    get: async key => texts.get(threadKeyOf(key)),
    set: async (key, value) => texts.set(threadKeyOf(key), value),
    delete: async key => texts.delete(threadKeyOf(key)),
  };
}

function threadKeyOf(key: string): ThreadKey {
  const slash = key.indexOf('/');
  return { type: key.slice(0, slash), threadId: key.slice(slash + 1) };
}

/**
 * The key that encrypts records; a passphrase is derived once, since records are written after every call, and with a
 * fixed salt, so that all processes have the same key.
 */
export async function recordKey(storageKey: string): Promise<string> {
  if (rawKey(storageKey) !== undefined) return storageKey;
  return (await derived(storageKey, Buffer.from('browser-toolset/records'))).toString('hex');
}
