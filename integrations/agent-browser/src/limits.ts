/** Limits that files in several folders share. A limit that only one file uses is defined there. */

export const MAX_FRAME_DEPTH = 10;
/** A frame that does not answer within this time is left out when its page is read. */
export const FRAME_TIMEOUT_MS = 3_000;
/** Milliseconds in which a page that answers at all gives a sign of life. */
export const PROBE_MS = 1_000;
/** In characters, for one call. */
export const MAX_TYPED_TEXT = 1_000_000;
/** The usual rule of thumb for English text. */
export const CHARACTERS_PER_TOKEN = 4;

/** Milliseconds until a page that is still loading is shown as it is; a call of ten seconds has time left to read it. */
export const SHOWN_AFTER_MS = 9_000;

/** Keeps the latest entries of a map. Returns how many were forgotten. */
export function forgetOldest(kept: Map<unknown, unknown>, most: number): number {
  const before = kept.size;
  for (const oldest of kept.keys()) {
    if (kept.size <= most) break;
    kept.delete(oldest);
  }
  return before - kept.size;
}
