import { createHash, timingSafeEqual } from 'node:crypto';
import { isIPv4 } from 'node:net';
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';

/** Says whose request it is: a name that stands for the caller, or false for nobody's. */
export type Authorize = (request: Request) => string | false | Promise<string | false>;

export interface GuardOptions {
  /** Bearer token that each request must carry. */
  token?: string;
  /** Takes the place of the token: whose request it is. */
  authorize?: Authorize;
  /** Names that the server goes by (`Host`), without ports. @default those of this machine */
  hosts?: readonly string[];
  /** Hostnames of pages that may connect (`Origin`). @default those of this machine */
  origins?: readonly string[];
  /** Requests a second of one caller, all its clients together; it may send twice as many at once. @default 1000 */
  requestsPerSecond?: number;
}

/** The caller of a request that may pass, or the answer to one that goes no further. */
export type Guarded = { identity: string } | { refusal: Response };

/** Lets no request pass from another site, by another name, without its token or too fast. */
export function createGuard(options: GuardOptions): (request: Request) => Promise<Guarded> {
  const { token, authorize = byToken(token), requestsPerSecond = 1_000 } = options;
  const hosts = [...localhostAllowedHostnames(), ...(options.hosts ?? [])];
  const origins = [...localhostAllowedOrigins(), ...(options.origins ?? [])];
  const rate = new Rate(requestsPerSecond);
  return async request => {
    const refusal = hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins);
    if (refusal !== undefined) return { refusal };
    // Browsers ask first, without the token, whether the page may.
    if (request.method === 'OPTIONS') return { refusal: forPage(request, new Response(null, { status: 204 })) };
    const identity = await authorize(request);
    const refused = (...given: Parameters<typeof errorResponse>): Guarded => {
      return { refusal: forPage(request, errorResponse(...given)) };
    };
    if (identity === false) return refused(401, 'A bearer token is needed', { 'www-authenticate': 'Bearer' });
    if (!rate.allows(identity)) return refused(429, 'Too many requests', { 'retry-after': '1' });
    return { identity };
  };
}

/** Lets the page read an answer whose request passed the check of its origin (CORS). */
export function forPage(request: Request, response: Response): Response {
  const origin = request.headers.get('origin');
  if (origin === null) return response;
  const { headers } = response;
  headers.set('access-control-allow-origin', origin);
  headers.append('vary', 'origin');
  headers.set('access-control-expose-headers', 'mcp-session-id');
  if (request.method === 'OPTIONS') {
    headers.set('access-control-allow-methods', 'GET, POST, DELETE');
    // All names stand for all but this one.
    headers.set('access-control-allow-headers', '*, authorization');
  }
  return response;
}

/** Whether a name or an address is this machine's own, which no other reaches. */
export function isLoopback(host: string): boolean {
  return [...localhostAllowedHostnames(), '::1'].includes(host) || (isIPv4(host) && host.startsWith('127.'));
}

/** An answer in the form of JSON-RPC errors that belong to no request. */
export function errorResponse(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status, headers });
}

function byToken(token: string | undefined): Authorize {
  if (token === undefined) return () => 'local';
  const expected = digest(token);
  return request => {
    const given = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    return given !== undefined && timingSafeEqual(digest(given), expected) ? 'token' : false;
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Buckets of requests by caller, filled anew each second. */
class Rate {
  readonly #left = new Map<string, { count: number; at: number }>();

  constructor(readonly perSecond: number) {}

  allows(identity: string): boolean {
    const most = this.perSecond * 2;
    const now = performance.now();
    const { count, at } = this.#left.get(identity) ?? { count: most, at: now };
    const filled = Math.min(most, count + ((now - at) / 1000) * this.perSecond);
    if (filled < 1) return false;
    this.#left.set(identity, { count: filled - 1, at: now });
    return true;
  }
}
