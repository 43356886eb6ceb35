/** Which browser is shown, and where its server is. */
export interface BrowserStreamAddress {
  /** Where the server mounts its routes, such as `https://app.example` or `/api`. @default the page's own origin */
  baseUrl?: string | undefined;
  agentId: string;
  /** @default the server's default thread */
  threadId?: string | undefined;
  /** A signed token of the server, for a viewer who has no session of their own. */
  token?: string | undefined;
}

/**
 * The WebSocket of the stream, with JPEG in binary messages or video. A token travels in the query: a browser's WebSocket
 * sends no headers of its own.
 */
export function streamUrl(address: BrowserStreamAddress, origin: string, frames: 'binary' | 'video'): string {
  const url = routeUrl(address, 'stream', origin);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.searchParams.set('frames', frames);
  if (address.token !== undefined) url.searchParams.set('token', address.token);
  return url.href;
}

/** One of the agent's routes, with the thread in the query. */
export function routeUrl(
  { baseUrl = '', agentId, threadId }: BrowserStreamAddress,
  route: string,
  origin: string,
): URL {
  const base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`, origin);
  const url = new URL(`browser/${encodeURIComponent(agentId)}/${route}`, base);
  if (threadId !== undefined) url.searchParams.set('threadId', threadId);
  return url;
}
