import { z } from 'zod/v4';

/** A remote browser as the option `cdpUrl` names it. */
export interface RemoteEndpoint {
  /** `http(s):` of a browser that tells where its WebSocket is, or that WebSocket. */
  url: string;
  /** Headers of this connection, beside `cdpHeaders`. */
  headers?: Record<string, string>;
  /** Called once the toolset has let go of the browser, however that came about. */
  release?(): void | Promise<void>;
}

const endpointSchema = z.strictObject({
  url: z.string().min(1),
  headers: z.record(z.string(), z.string()).optional(),
  release: z.custom<() => void | Promise<void>>(value => typeof value === 'function').optional(),
});

/**
 * What a `cdpUrl` stands for.
 * @throws when a function answered with something else.
 */
export function endpointOf(answer: unknown): RemoteEndpoint {
  const parsed = endpointSchema.safeParse(typeof answer === 'string' ? { url: answer } : answer);
  if (!parsed.success) throw new Error('The function given as the option cdpUrl did not return a URL.');
  const { url, headers, release } = parsed.data;
  return { url, ...(headers !== undefined && { headers }), ...(release !== undefined && { release }) };
}

/** Endpoints carry tokens in their path and query: what a model or a log may read of one. */
export function publicPart(url: string): string {
  return URL.canParse(url) ? `${new URL(url).protocol}//${new URL(url).host}` : 'cdpUrl';
}

const URLS_IN_TEXT = /\b(?:wss?|https?):\/\/[^\s'"<>]+/g;

/** A text without what the urls in it keep to themselves. */
export function withoutTokens(text: string, endpoint: RemoteEndpoint): string {
  return text.replaceAll(endpoint.url, publicPart(endpoint.url)).replace(URLS_IN_TEXT, publicPart);
}
