/** Adds a text to a running 32-bit hash (FNV-1a over UTF-16 code units). */
export function hash(text: string, seed = 0x811c9dc5): number {
  let value = seed;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/** Adds a number to a running hash. */
export function mix(value: number, seed: number): number {
  return Math.imul(seed ^ value, 0x01000193) >>> 0;
}
