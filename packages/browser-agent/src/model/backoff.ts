import { setTimeout as pause } from 'node:timers/promises';

/** Longest wait for a server, in milliseconds. */
export const LONGEST_DELAY = 60_000;

/** Milliseconds until the next try: as the server says (RFC 9110, Retry-After), else twice as long each time. The server's own time is not capped. */
export function delayOf(attempt: number, headers: Record<string, string> | undefined, base: number): number {
  const said = retryAfter(headers);
  if (said !== undefined) return said;
  return Math.min(base * 2 ** attempt * (0.75 + Math.random() / 2), LONGEST_DELAY);
}

function retryAfter(headers: Record<string, string> = {}): number | undefined {
  const milliseconds = Number(headers['retry-after-ms']);
  if (milliseconds > 0) return milliseconds;
  const said = headers['retry-after'];
  if (said === undefined) return undefined;
  const seconds = Number(said);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(said);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

export async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal, ref: true });
}
