import type { BrowserContext, CDPSession, HTTPCredentials, Page, Request, Route } from 'playwright-core';
import { z } from 'zod/v4';
import { hostAndPortOf } from '#egress/addresses.js';
import { type Been, ConnectionPolicy, type Unreached } from '#egress/connection-policy.js';
import { hostOfUrl, UrlPolicy, type UrlRefusal } from '#egress/url-policy.js';
import { getOrInsert } from '#page-engine/dom/get-or-insert.js';
import { frameOf } from './files/page-files.js';
import type { OpenContext } from './open-context.js';
import type { SessionBase } from './session-owner.js';
import type { Reach } from './storage/session-record.js';
import { type Tab, withoutHash } from './tab/tab.js';

const paused = z.object({ requestId: z.string(), request: z.object({ url: z.string() }) });
const challenged = z.object({ requestId: z.string(), authChallenge: z.object({ origin: z.string() }) });
const attached = z.object({ sessionId: z.string() });
const fromChild = z.object({ sessionId: z.string(), message: z.string() });
const message = z.object({ method: z.string().optional(), params: z.unknown().optional() });

const EVERYTHING = /^/;

interface InterceptionOptions {
  /** No egress proxy of ours is in use, so hosts and addresses are checked at the request as well. */
  checksAddresses: boolean;
  credentials: readonly HTTPCredentials[];
}

/**
 * Checks request URLs where the egress proxy cannot: paths are encrypted by TLS, and an attached browser has no egress
 * proxy. Playwright's routes cover first requests but not redirects; CDP's `Fetch` domain covers these.
 */
class Interception {
  readonly #sessions = new Set<CDPSession>();
  readonly #watched = new WeakMap<Page, Promise<void>>();
  /** Requests whose challenge was answered: a server that asks again has refused the answer. */
  readonly #answered = new Set<string>();

  constructor(
    readonly context: BrowserContext,
    readonly rules: Pick<SessionNetwork, 'policy' | 'connectionPolicy'>,
    readonly options: InterceptionOptions,
  ) {}

  async start(): Promise<void> {
    this.context.on('page', this.ready);
    await Promise.all(this.context.pages().map(this.ready));
    await this.context.route(EVERYTHING, this.#decide);
  }

  /** Resolves when redirects of a page's further requests, of its frames and its workers are checked. Never rejects. */
  readonly ready = (page: Page): Promise<void> => {
    return getOrInsert(this.#watched, page, () => this.#watch(page));
  };

  readonly #decide = async (route: Route): Promise<void> => {
    const page = frameOf(route.request())?.page();
    if (page !== undefined) await this.ready(page);
    const refusal = await this.#judge(route.request().url());
    if (refusal === undefined) await route.fallback();
    else await route.abort('blockedbyclient');
  };

  async #watch(page: Page): Promise<void> {
    try {
      const session = await this.context.newCDPSession(page);
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
      await this.#follow(new Channel((method, params) => session.send(method as 'Fetch.enable', params), session));
    } catch {
      // The page, and its requests with it, is gone.
    }
  }

  stop(): void {
    this.context.off('page', this.ready);
    // Closed contexts and pages have dropped their routes.
    this.context.unroute(EVERYTHING, this.#decide).catch(() => undefined);
    for (const session of this.#sessions) session.detach().catch(() => undefined);
  }

  async #follow(channel: Channel): Promise<void> {
    channel.on('Fetch.requestPaused', params => void this.#decideHop(channel, paused.parse(params)));
    channel.on('Fetch.authRequired', params => void this.#authenticate(channel, challenged.parse(params)));
    channel.on('Target.attachedToTarget', params => {
      // The target is gone.
      this.#followChild(channel.child(attached.parse(params).sessionId)).catch(() => undefined);
    });
    await Promise.all([
      channel.send('Fetch.enable', {
        patterns: [{ urlPattern: 'http*' }],
        handleAuthRequests: this.options.credentials.length > 0,
      }),
      channel.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: false }),
    ]);
  }

  /** Auto-attach pauses new frames and workers until they are resumed. */
  async #followChild(child: Channel): Promise<void> {
    await this.#follow(child);
    await child.send('Runtime.runIfWaitingForDebugger', {});
  }

  async #decideHop(channel: Channel, { requestId, request }: z.infer<typeof paused>): Promise<void> {
    const refusal = await this.#judge(request.url);
    const answer =
      refusal === undefined
        ? channel.send('Fetch.continueRequest', { requestId })
        : channel.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    // The requesting page may be gone.
    await answer.catch(() => undefined);
  }

  /** In some versions of Chromium (150) a challenge within a page reaches this client of `Fetch` and not Playwright's. */
  async #authenticate(channel: Channel, { requestId, authChallenge }: z.infer<typeof challenged>): Promise<void> {
    const known = this.options.credentials.find(({ origin }) => origin === authChallenge.origin);
    const isNew = !this.#answered.has(requestId);
    this.#answered.add(requestId);
    const authChallengeResponse =
      known !== undefined && isNew
        ? { response: 'ProvideCredentials', username: known.username, password: known.password }
        : { response: 'Default' };
    // The requesting page may be gone.
    await channel.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined);
  }

  async #judge(text: string): Promise<UrlRefusal | undefined> {
    const url = new URL(text);
    const { connectionPolicy, policy } = this.rules;
    const refusal = policy.checkUrl(url);
    if (refusal !== undefined) connectionPolicy.notReached(hostAndPortOf(url), { refusal });
    if (refusal !== undefined || !this.options.checksAddresses || !/^https?:$/.test(url.protocol)) return refusal;
    const admission = await connectionPolicy.admit(hostAndPortOf(url));
    // A name unknown to this machine's resolver may be known to the browser's.
    return admission.admitted ? undefined : admission.unreached.refusal;
  }
}

const PAGE_EVENTS = [
  'Fetch.requestPaused',
  'Fetch.authRequired',
  'Target.attachedToTarget',
  'Target.receivedMessageFromTarget',
] as const;

type SendCommand = (method: string, params: object) => Promise<unknown>;

/** A CDP channel to one target, with channels to its child targets. */
class Channel {
  readonly #listeners = new Map<string, (params: unknown) => void>();
  readonly #children = new Map<string, Channel>();
  #next = 1;

  constructor(
    readonly send: SendCommand,
    session?: CDPSession,
  ) {
    this.on('Target.receivedMessageFromTarget', params => {
      const { sessionId, message: text } = fromChild.parse(params);
      this.#children.get(sessionId)?.hear(text);
    });
    if (session === undefined) return;
    for (const event of PAGE_EVENTS) session.on(event, params => this.#emit(event, params));
  }

  on(event: string, listener: (params: unknown) => void): void {
    this.#listeners.set(event, listener);
  }

  child(sessionId: string): Channel {
    const child: Channel = new Channel(async (method, params) => {
      const text = JSON.stringify({ id: child.#next++, method, params });
      await this.send('Target.sendMessageToTarget', { sessionId, message: text });
    });
    this.#children.set(sessionId, child);
    return child;
  }

  hear(text: string): void {
    const { method, params } = message.parse(JSON.parse(text));
    if (method !== undefined) this.#emit(method, params);
  }

  #emit(event: string, params: unknown): void {
    this.#listeners.get(event)?.(params);
  }
}

/** Chromium's errors for a connection that the proxy did not make, whatever the reason. */
const PROXY_ERRORS = /ERR_(?:SOCKS_CONNECTION_FAILED|TUNNEL_CONNECTION_FAILED|EMPTY_RESPONSE|PROXY_CONNECTION_FAILED)/;

/** Decides which hosts a session's pages may reach, and remembers refusals and failures. */
export class SessionNetwork {
  /** Private hosts that the session's driver named in a navigation. */
  readonly #named = new Set<string>();
  /** URLs of documents that answered a form's POST, in any tab. */
  readonly #posted = new Set<string>();
  readonly policy: UrlPolicy;
  #connectionPolicy: ConnectionPolicy;
  #interceptor: { on: Interception; isOwn: boolean } | undefined;

  constructor(readonly session: SessionBase) {
    this.policy = new UrlPolicy(session.owner.config.urlPolicy);
    this.#connectionPolicy = this.#newConnectionPolicy();
    session.events.on('closed', reason => this.#ended(reason));
  }

  /** Replaced whenever the session is closed. */
  get connectionPolicy(): ConnectionPolicy {
    return this.#connectionPolicy;
  }

  async guard({ context, egressProxy, isOwn }: OpenContext): Promise<void> {
    const { httpCredentials } = this.session.owner.config;
    if (httpCredentials.length > 0) await context.setHTTPCredentials(httpCredentials);
    const isAttached = egressProxy === undefined;
    if (isAttached ? this.#isRestricted : this.policy.needsUrls) {
      const how = { checksAddresses: isAttached, credentials: httpCredentials };
      const on = new Interception(context, this, how);
      await on.start();
      this.#interceptor = { on, isOwn };
    }
    if (egressProxy !== undefined) egressProxy.connectionPolicy = this.#connectionPolicy;
  }

  /** A closed session's network history must not affect the next one. */
  #ended(reason: string): void {
    // A context of the session's own stays subject to the policy until it closes.
    if (this.#interceptor?.isOwn === false) this.#interceptor.on.stop();
    this.#interceptor = undefined;
    if (reason !== 'closed') return;
    this.#named.clear();
    this.#connectionPolicy = this.#newConnectionPolicy();
  }

  /** The network history for the session record, which another process may read. */
  get reach(): Reach {
    return { ...this.#connectionPolicy.been, named: [...this.#named] };
  }

  recall(reach?: Reach): void {
    this.#named.clear();
    for (const host of reach?.named ?? []) this.#named.add(host);
    this.#connectionPolicy = this.#newConnectionPolicy(reach);
  }

  get #isRestricted(): boolean {
    const { allow, block, privateNetwork } = this.session.owner.config.urlPolicy;
    return [allow, block, privateNetwork].some(option => option !== undefined);
  }

  /** Whether the options have a user name and password for the server of a URL. */
  hasCredentials(url: string): boolean {
    const { httpCredentials } = this.session.owner.config;
    return URL.canParse(url) && httpCredentials.some(({ origin }) => origin === new URL(url).origin);
  }

  noteRequest(request: Request): void {
    if (request.isNavigationRequest() && request.method() === 'POST') this.#posted.add(withoutHash(request.url()));
  }

  /** Whether a URL's document answered a form's POST, so that reloading it would submit the form again. */
  wasPosted(url: string): boolean {
    return this.#posted.has(withoutHash(url));
  }

  /** Checks a URL without resolving its host. */
  check(url: string): UrlRefusal | undefined {
    return URL.canParse(url) ? this.policy.checkUrl(new URL(url)) : undefined;
  }

  /** Navigates a tab for its driver. `isNamed`: the driver gave the URL; else a page may have put it in the history. */
  async drive<T>(tab: Tab, to: { url: string; isNamed?: boolean }, go: () => Promise<T>): Promise<T> {
    const host = hostOfUrl(to.url);
    if (host !== undefined && to.isNamed) this.#named.add(host);
    tab.goal = host;
    try {
      await this.#interceptor?.on.ready(tab.page);
      return await go();
    } finally {
      if (tab.goal === host) tab.goal = undefined;
    }
  }

  /** Why a URL was not reached since a moment (`performance.now()`). */
  whyUnreached(url: string, since?: number): Unreached | undefined {
    return URL.canParse(url) ? this.#connectionPolicy.whyUnreached(hostAndPortOf(new URL(url)), since) : undefined;
  }

  /** Replaces Chromium's proxy errors in a message by the real network error. */
  plainError(message: string, url: string): string {
    if (!PROXY_ERRORS.test(message)) return message;
    const why = this.whyUnreached(url);
    if (why?.refusal !== undefined) return message.replace(PROXY_ERRORS, `ERR_BLOCKED_BY_CLIENT (${why.refusal.rule})`);
    return why?.error === undefined ? message : message.replace(PROXY_ERRORS, why.error);
  }

  #newConnectionPolicy(been?: Been): ConnectionPolicy {
    const { session } = this;
    const { threadId, owner } = session;
    const surroundings = {
      policy: this.policy,
      resolver: owner.host.resolver,
      isNamed: (host: string) => this.#named.has(host) && session.tabs.some(tab => isOnHost(tab, host)),
      onPublic: (host: string) => void this.#named.delete(host),
      onRefused: ({ host, port, refusal }: Unreached & { refusal: UrlRefusal }) => {
        owner.log.debug('request refused', { threadId, host, port, rule: refusal.rule, reason: refusal.reason });
      },
    };
    // A profile holds service workers and pages of earlier runs, which load without a connection.
    const hasBeenPublic = been?.hasBeenPublic || owner.config.profile !== undefined;
    return new ConnectionPolicy(surroundings, { hasBeenPublic, public: been?.public ?? [] });
  }
}

/** Whether a tab shows this host and is not leaving it, or its driver is navigating there. */
function isOnHost(tab: Tab, host: string): boolean {
  if (tab.goal === host) return true;
  if (hostOfUrl(tab.url) !== host) return false;
  const { navigation } = tab;
  return navigation === undefined || hostOfUrl(navigation.url()) === host;
}
