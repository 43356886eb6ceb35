import type { BrowserContext } from 'playwright-core';
import { type Been, Gate, type Unreached } from '../network/gate.js';
import { placeOf } from '../policy/host-pattern.js';
import { hostOfUrl, type Refusal, UrlPolicy } from '../policy/url-policy.js';
import type { OpenContext } from './open-context.js';
import type { SessionEvents } from './session-events.js';
import type { SessionOwner } from './session-owner.js';
import type { Reach } from './storage/session-record.js';
import { type Interceptor, interceptRequests } from './tab/interception.js';
import type { Tab } from './tab/tab.js';

/** How Chromium names a connection that its proxy did not make, whatever the reason. */
const PROXY_ERRORS = /ERR_(?:SOCKS_CONNECTION_FAILED|TUNNEL_CONNECTION_FAILED|EMPTY_RESPONSE|PROXY_CONNECTION_FAILED)/;

/** The session whose pages these rules are for. */
interface Connected {
  readonly threadId: string;
  readonly owner: SessionOwner;
  readonly events: SessionEvents;
  readonly tabs: readonly Tab[];
}

/** Decides which hosts the pages of one session may reach, and remembers refusals and failures. */
export class SessionNetwork {
  /** Hosts that the driver of the session named in a navigation and that stand for private addresses. */
  readonly #named = new Set<string>();
  readonly #policy: UrlPolicy;
  #gate: Gate;
  #refused = 0;
  #interceptor: { on: Interceptor; isOwn: boolean } | undefined;

  constructor(readonly session: Connected) {
    this.#policy = new UrlPolicy(session.owner.config.urlPolicy);
    this.#gate = this.#newGate();
    session.events.on('closed', reason => this.#ended(reason));
  }

  get gate(): Gate {
    return this.#gate;
  }

  get policy(): UrlPolicy {
    return this.#policy;
  }

  /** Lets a context out as far as the policy lets it. */
  async guard({ context, door, isOwn }: OpenContext): Promise<void> {
    const isAttached = door === undefined;
    if (isAttached ? this.#isRestricted : this.#policy.needsUrls)
      await this.#intercept(context, { checksAddresses: isAttached, isOwn });
    if (door !== undefined) door.gate = this.#gate;
  }

  async #intercept(context: BrowserContext, how: { checksAddresses: boolean; isOwn: boolean }): Promise<void> {
    this.#interceptor = { on: await interceptRequests(context, this, how), isOwn: how.isOwn };
  }

  /** The session is closed: nothing is known of where the next one has been. */
  #ended(reason: string): void {
    // A context of the session's own is held to the policy until it is gone.
    if (this.#interceptor?.isOwn === false) this.#interceptor.on.stop();
    this.#interceptor = undefined;
    if (reason !== 'closed') return;
    this.#named.clear();
    this.#gate = this.#newGate();
  }

  /** Where the session has been, for another process that goes on with it. */
  get reach(): Reach {
    return { ...this.#gate.been, named: [...this.#named] };
  }

  /** @param reach Where another process has been with the session; nowhere when it was closed. */
  recall(reach?: Reach): void {
    this.#named.clear();
    for (const host of reach?.named ?? []) this.#named.add(host);
    this.#gate = this.#newGate(reach);
  }

  /** The options say something about what may be reached. */
  get #isRestricted(): boolean {
    const { allow, block, privateNetwork } = this.session.owner.config.urlPolicy;
    return [allow, block, privateNetwork].some(option => option !== undefined);
  }

  /** How many connections and requests were refused since the session began. */
  get refused(): number {
    return this.#refused;
  }

  /** Whether a url may be opened, as far as the url tells. */
  check(url: string): Refusal | undefined {
    return URL.canParse(url) ? this.#policy.checkUrl(new URL(url)) : undefined;
  }

  /**
   * Lets a tab go where its driver wants it to.
   * @param isNamed The driver gave this url; else it comes from the tab's own history, where a page may have put it.
   */
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

  /** Why a url was not reached since a moment (`performance.now()`). */
  whyUnreached(url: string, since?: number): Unreached | undefined {
    return URL.canParse(url) ? this.#gate.whyUnreached(placeOf(new URL(url)), since) : undefined;
  }

  /** An error message about a url with Chromium's name for the reason in place of what it makes of a proxy's answer. */
  plainError(message: string, url: string): string {
    if (!PROXY_ERRORS.test(message)) return message;
    const why = this.whyUnreached(url);
    if (why?.refusal !== undefined) return message.replace(PROXY_ERRORS, `ERR_BLOCKED_BY_CLIENT (${why.refusal.rule})`);
    return why?.error === undefined ? message : message.replace(PROXY_ERRORS, why.error);
  }

  #newGate(been?: Been): Gate {
    const { session } = this;
    const { threadId, owner } = session;
    const surroundings = {
      policy: this.#policy,
      resolver: owner.host.resolver,
      isNamed: (host: string) => this.#named.has(host) && session.tabs.some(tab => isOn(tab, host)),
      onPublic: (host: string) => void this.#named.delete(host),
      onRefused: ({ host, port, refusal }: Unreached & { refusal: Refusal }) => {
        this.#refused++;
        owner.log.debug('request refused', { threadId, host, port, rule: refusal.rule, reason: refusal.reason });
        session.events.emit('refused', { host, port, ...refusal });
      },
    };
    // A profile holds workers and pages of earlier runs, which come without a connection.
    const hasBeenPublic = been?.hasBeenPublic || owner.config.profile !== undefined;
    return new Gate(surroundings, { hasBeenPublic, public: been?.public ?? [] });
  }
}

/** Whether a tab shows a host and stays there, or its driver sends it there. */
function isOn(tab: Tab, host: string): boolean {
  if (tab.goal === host) return true;
  if (hostOfUrl(tab.url) !== host) return false;
  const { navigation } = tab;
  return navigation === undefined || hostOfUrl(navigation.url()) === host;
}
