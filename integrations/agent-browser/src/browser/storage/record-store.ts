import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { isMastraStorage, type MastraStorageLike, type ThreadKey, ThreadTexts } from '@browser-toolset/core';
import { z } from 'zod/v4';
import { badSetup, ToolError } from '../../results/errors.js';

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
export async function recordKey(storageKey: string | undefined): Promise<string | undefined> {
  if (storageKey === undefined || rawKey(storageKey) !== undefined) return storageKey;
  return (await derived(storageKey, Buffer.from('browser-toolset/records'))).toString('hex');
}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** The cost of one guess at a passphrase: 32 MiB and about a tenth of a second. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };

const bytes = z.base64();
const sealedSchema = z.strictObject({
  sealed: z.literal('browser-toolset/1'),
  salt: bytes.optional(),
  iv: bytes,
  tag: bytes,
  data: bytes,
});

/**
 * Encrypts a text (AES-256-GCM); without a key it stays as it is.
 * @param key 32 bytes as hex or base64, or a passphrase.
 * @param bound The associated data; decryption requires the same.
 */
export async function seal(text: string, key: string | undefined, bound: string): Promise<string> {
  if (key === undefined) return text;
  const salt = rawKey(key) === undefined ? randomBytes(16) : undefined;
  const iv = randomBytes(12);
  const cipher = createCipheriv(ALGORITHM, rawKey(key) ?? (await derived(key, salt)), iv);
  cipher.setAAD(Buffer.from(bound));
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const sealed: z.infer<typeof sealedSchema> = {
    sealed: 'browser-toolset/1',
    ...(salt && { salt: salt.toString('base64') }),
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
  return JSON.stringify(sealed);
}

/**
 * @param stored Names the text, and what helps where it is not encrypted although there is a key.
 * @throws When the key or the associated data differs, or the text was changed.
 */
export async function unseal(
  text: string,
  key: string | undefined,
  bound: string,
  { name, hint }: { name: string; hint?: string },
): Promise<string> {
  const isSealed = text.startsWith('{"sealed":');
  if (!isSealed && key === undefined) return text;
  if (key === undefined) throw badSetup(`${name} is encrypted, but the option storageKey is not set.`);
  // Someone else may have written what is not encrypted.
  const plain = `${name} is not encrypted, but the option storageKey is set.`;
  if (!isSealed) throw hint === undefined ? badSetup(plain) : new ToolError('browser_error', plain, { hint });
  const { salt, iv, tag, data } = sealedSchema.parse(JSON.parse(text));
  const from = (value: string): Buffer => Buffer.from(value, 'base64');
  const secret = salt === undefined ? rawKey(key) : await derived(key, from(salt));
  if (secret === undefined) throw new Error('it was encrypted with a key, not with a passphrase');
  const decipher = createDecipheriv(ALGORITHM, secret, from(iv), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(from(tag));
  return Buffer.concat([decipher.update(from(data)), decipher.final()]).toString('utf8');
}

/** Decodes a 32-byte key; undefined for a passphrase. */
function rawKey(key: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(key)) return Buffer.from(key, 'hex');
  const raw = /^[A-Za-z0-9+/_-]{43}=?$/.test(key) ? Buffer.from(key, 'base64') : undefined;
  return raw?.length === KEY_BYTES ? raw : undefined;
}

/** Derives a key from a passphrase (scrypt, RFC 7914). */
function derived(passphrase: string, salt: Buffer = Buffer.alloc(0)): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, KEY_BYTES, SCRYPT, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}
