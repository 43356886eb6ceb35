import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';

/** NIST SP 800-38D: 96 bits of nonce, 128 bits of tag. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MARK = 'sealed1.';

/** Keys are made once: that takes a while by design. */
const keys = new Map<string, Buffer>();

/**
 * Encrypts a text with AES-256-GCM.
 * @param purpose What the text is for; it can be opened for nothing else.
 */
export function seal(text: string, passphrase: string, purpose: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase), nonce).setAAD(Buffer.from(purpose));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return MARK + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}

/**
 * What `seal` was given.
 * @throws when the key or the purpose is another, or the text was changed.
 */
export function unseal(sealed: string, passphrase: string, purpose: string): string {
  const bytes = Buffer.from(sealed.slice(MARK.length), 'base64');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(passphrase), bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([body, decipher.final()]).toString('utf8');
}

export function isSealed(text: string): boolean {
  return text.startsWith(MARK);
}

function keyOf(passphrase: string): Buffer {
  const known = keys.get(passphrase) ?? scryptSync(passphrase, 'browser-toolset', 32);
  keys.set(passphrase, known);
  return known;
}
