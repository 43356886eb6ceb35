import { z } from 'zod/v4';

/** A remote browser, as the option `cdpUrl` names it. */
export interface RemoteEndpoint {
  /** The browser's WebSocket URL, or the `http(s):` URL of its DevTools server. */
  url: string;
  /** Headers of this connection, in addition to `cdpHeaders`. */
  headers?: Record<string, string>;
  /** Called once when the toolset disconnects from the browser, for any reason. */
  release?(): void | Promise<void>;
}

const endpointSchema = z.strictObject({
  url: z.string().min(1),
  headers: z.record(z.string(), z.string()).optional(),
  release: z.custom<() => void | Promise<void>>(value => typeof value === 'function').optional(),
});

/** Validates the value of the option `cdpUrl` or of its function. @throws when a function returned anything else. */
export function endpointOf(answer: unknown): RemoteEndpoint {
  const parsed = endpointSchema.safeParse(typeof answer === 'string' ? { url: answer } : answer);
  if (!parsed.success) throw new Error('The function given as the option cdpUrl did not return a URL.');
  return parsed.data;
}

/** The origin of an endpoint, for models and logs: its path and query carry tokens. */
export function publicPart(url: string): string {
  return URL.canParse(url) ? `${new URL(url).protocol}//${new URL(url).host}` : 'cdpUrl';
}

const URLS_IN_TEXT = /\b(?:wss?|https?):\/\/[^\s'"<>]+/g;

/** Reduces every URL in a text to its public part. */
export function withoutTokens(text: string, endpoint: RemoteEndpoint): string {
  return text.replaceAll(endpoint.url, publicPart(endpoint.url)).replace(URLS_IN_TEXT, publicPart);
}
