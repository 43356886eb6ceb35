import { DEFAULT_THREAD } from './live-browser.js';
import { isLoopback, isOriginAllowed, type OriginRule } from './origin.js';
import { type AuthorizeRequest, type LiveRequest, Refusal } from './requests.js';
import { isOwnToken, type Right, readToken, type TokenClaims } from './tokens.js';

export type Authorize = (request: AuthorizeRequest) => Right | false | Promise<Right | false>;

export interface AccessOptions {
  authorize: Authorize | undefined;
  origins: OriginRule | undefined;
  secret: Uint8Array;
}

/** The rights that a request asks for. */
export interface RequestedThread {
  agentId: string;
  threadId: string | undefined;
}

/** Headers that a proxy adds: then the other end of the connection is not who asks. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** Says who may watch and who may act. */
export class Access {
  readonly #options: AccessOptions;

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /** Throws unless the page that asks may do so. `isRead` is a request without effect that brings no Origin header. */
  checkOrigin(request: LiveRequest, isRead = false): void {
    const origin = request.headers.get('origin') ?? undefined;
    if (origin === undefined && (isRead || tokenOf(request) !== undefined)) return;
    if (this.#allows(origin, request)) return;
    const who = origin === undefined ? 'Requests without an Origin header' : `Pages of ${origin}`;
    throw new Refusal('forbidden_origin', `${who} may not use this live view.`);
  }

  /** The headers that let an allowed page of another origin read the answer (Fetch, section 3.2). */
  corsHeaders(request: LiveRequest): Record<string, string> {
    const origin = request.headers.get('origin') ?? undefined;
    if (origin === undefined || origin === request.url.origin || !this.#allows(origin, request)) return {};
    return { 'access-control-allow-origin': origin, vary: 'origin' };
  }

  /** The right to a thread; throws when there is none. */
  async rightTo(request: LiveRequest, wanted: RequestedThread): Promise<Right> {
    const right = await this.findRight(request, wanted);
    if (right === false) throw new Refusal('unauthorized', 'Nobody gave you the right to this live view.');
    return right;
  }

  /** The right to a thread, or false. Throws for a token that is no good. */
  async findRight(request: LiveRequest, wanted: RequestedThread): Promise<Right | false> {
    const token = tokenOf(request);
    if (token !== undefined && isOwnToken(token)) {
      const claims = this.#claimsOf(token);
      return isFor(claims, wanted) && claims.right;
    }
    const { headers, url, remoteAddress } = request;
    // A link whose token nobody here knows opens nothing, also where no token would be needed.
    if (this.#options.authorize === undefined && url.searchParams.has('token'))
      throw new Refusal('invalid_token', 'The token is none of this server.');
    // Invariant: a rule knows the default thread by one name, however it was asked for.
    const threadId = wanted.threadId === DEFAULT_THREAD ? undefined : wanted.threadId;
    const asked = { ...wanted, threadId, ...(token !== undefined && { token }), headers, url, remoteAddress };
    const right = await (this.#options.authorize?.(asked) ?? defaultRight(request));
    return right === 'view' || right === 'control' ? right : false;
  }

  #allows(origin: string | undefined, request: LiveRequest): boolean {
    const { origins } = this.#options;
    return isOriginAllowed({ rule: origins, origin, url: request.url, isLocal: isLocalRequest(request) });
  }

  #claimsOf(token: string): TokenClaims {
    const reading = readToken(this.#options.secret, token, Date.now());
    if ('claims' in reading) return reading.claims;
    throw new Refusal('invalid_token', `The token is ${reading.fault}.`);
  }
}

/** Everything for who sits at this machine, and nothing for others. */
function defaultRight(request: LiveRequest): Right | false {
  return isLocalRequest(request) && 'control';
}

/**
 * Whether a request comes from this machine and asks for it by a name of its own. A page that had its own name point here
 * (DNS rebinding) does the first but not the second.
 */
function isLocalRequest({ remoteAddress, url, headers }: LiveRequest): boolean {
  if (remoteAddress === undefined || !isLoopback(remoteAddress)) return false;
  return isLoopback(url.hostname) && !PROXY_HEADERS.some(name => headers.has(name));
}

function isFor(claims: TokenClaims, { agentId, threadId = DEFAULT_THREAD }: RequestedThread): boolean {
  return claims.agentId === agentId && (claims.threadId ?? DEFAULT_THREAD) === threadId;
}

function tokenOf({ url, headers }: LiveRequest): string | undefined {
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  return url.searchParams.get('token') ?? bearer;
}
