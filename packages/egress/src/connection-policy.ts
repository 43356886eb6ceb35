import { isIP, type Socket } from 'node:net';
import { type HostAndPort, hostIn } from './addresses.js';
import type { Resolved, Resolver } from './resolver.js';
import type { UrlPolicy, UrlRefusal } from './url-policy.js';

/** Chromium's name for a connection error (net/base/net_error_list.h). */
export type NetError = `ERR_${string}`;

export interface Unreached extends HostAndPort {
  /** `performance.now()` of the last attempt. */
  at: number;
  refusal?: UrlRefusal;
  error?: NetError;
}

type Admission = ({ admitted: true; isPrivate: boolean } & Resolved) | { admitted: false; unreached: Unreached };

interface ConnectionPolicyOwner {
  readonly policy: UrlPolicy;
  readonly resolver: Resolver;
  /** Whether the session's driver named this host in a navigation and a tab is on it or loading it. */
  isNamed(host: string): boolean;
  onPublic(host: string): void;
  onRefused(unreached: Unreached & { refusal: UrlRefusal }): void;
}

/** A session's network history. */
export interface Been {
  hasBeenPublic: boolean;
  /** Hosts whose names have resolved to a public address. */
  public: string[];
}

/** The number of hosts passed on to the next process of a session. */
const RECALLED = 1_000;
/** The number of unreached hosts kept to explain errors. */
const REMEMBERED_HOSTS = 100;

/**
 * Decides which connections of a session are made, and to which addresses.
 * Invariant: a session that has reached the public network connects to a private address only when its options allow it
 * or its driver named the host.
 */
export class ConnectionPolicy {
  #hasBeenPublic: boolean;
  /** Hosts whose names have resolved to a public address: named or not, they may not resolve to a private one. */
  readonly #public: Set<string>;
  readonly #unreached = new Map<string, Unreached>();
  readonly #private = new Map<Socket, HostAndPort>();

  /** @param been The history before this policy: what the browser stored then may come from any page. */
  constructor(
    readonly owner: ConnectionPolicyOwner,
    been: Been = { hasBeenPublic: false, public: [] },
  ) {
    this.#hasBeenPublic = been.hasBeenPublic;
    this.#public = new Set(been.public);
  }

  get been(): Been {
    return { hasBeenPublic: this.#hasBeenPublic, public: [...this.#public].slice(-RECALLED) };
  }

  /** @param options.resolves False when an upstream proxy resolves the name, so that its addresses are unknown. */
  async admit(asked: HostAndPort, { resolves = true } = {}): Promise<Admission> {
    const host = hostIn(asked.host);
    const place = { host: host ?? asked.host, port: asked.port };
    if (host === undefined) return this.notReached(place, { error: 'ERR_NAME_NOT_RESOLVED' });
    const refusal = this.owner.policy.checkPlace(place);
    if (refusal !== undefined) return this.notReached(place, { refusal });
    if (!resolves && isIP(place.host) === 0 && !/(^|\.)localhost$/.test(place.host)) {
      this.#wentPublic(place);
      return { admitted: true, isPrivate: false, addresses: [], port: place.port };
    }
    let resolved: Resolved;
    try {
      resolved = await this.owner.resolver.resolve(place);
    } catch {
      // Browsers report this error, whatever the resolver's was.
      return this.notReached(place, { error: 'ERR_NAME_NOT_RESOLVED' });
    }
    return this.#admitAddresses(place, resolved);
  }

  /** Registers a connection to a private address until its client is gone. */
  hold(place: HostAndPort, client: Socket): void {
    this.#private.set(client, place);
    client.once('close', () => this.#private.delete(client));
  }

  /** Cuts private connections that are no longer allowed, which browsers keep for reuse. */
  recheck(): void {
    for (const [client, place] of this.#private) if (!this.#mayGoPrivate(place)) client.destroy();
  }

  /** Why a place was not reached, if it was tried since a moment (`performance.now()`). */
  whyUnreached({ host, port }: HostAndPort, since = 0): Unreached | undefined {
    const found = this.#unreached.get(`${host}:${port}`);
    return found !== undefined && found.at >= since ? found : undefined;
  }

  #wentPublic({ host }: HostAndPort): void {
    this.#hasBeenPublic = true;
    this.#public.add(host);
    this.owner.onPublic(host);
    this.recheck();
  }

  #admitAddresses(place: HostAndPort, { addresses, port }: Resolved): Admission {
    const verdicts = addresses.map(address => ({ address, is: this.#judge(place, address) }));
    const all = verdicts.filter(({ is }) => typeof is === 'string');
    const isPublic = all.some(({ is }) => is === 'public');
    if (isPublic) this.#wentPublic(place);
    // A name with both public and private addresses does not belong to a private host.
    const open = all.filter(({ is }) => is === 'public' || !isPublic || this.#mayGoPrivate(place));
    const isPrivate = open.some(({ is }) => is === 'private');
    const [refused] = verdicts.flatMap(({ is }) => (typeof is === 'string' ? [] : [is]));
    if (open.length > 0) return { admitted: true, isPrivate, addresses: open.map(({ address }) => address), port };
    return this.notReached(place, refused === undefined ? { error: 'ERR_NAME_NOT_RESOLVED' } : { refusal: refused });
  }

  #judge(place: HostAndPort, address: string): 'public' | 'private' | UrlRefusal {
    const { policy } = this.owner;
    const is = policy.checkAddress(place, address);
    if (is !== 'private' || this.#mayGoPrivate(place)) return is;
    const what = place.host === address ? address : `${place.host} (${address})`;
    return {
      rule: 'urlPolicy.privateNetwork',
      reason: `${what} is a private address, and a page led there after this session had been on the public network`,
    };
  }

  #mayGoPrivate(place: HostAndPort): boolean {
    const { policy } = this.owner;
    if (policy.privateNetwork !== undefined) return policy.privateNetwork;
    return (
      !this.#hasBeenPublic ||
      policy.namesPrivate(place) ||
      (this.owner.isNamed(place.host) && !this.#public.has(place.host))
    );
  }

  /** Records why a place was not reached: an allowed connection failed, or a request was refused, by its URL as well. */
  notReached(place: HostAndPort, why: Pick<Unreached, 'refusal' | 'error'>): Admission {
    const unreached = { ...place, ...why, at: performance.now() };
    const key = `${place.host}:${place.port}`;
    this.#unreached.delete(key);
    this.#unreached.set(key, unreached);
    const [oldest] = this.#unreached.keys();
    if (this.#unreached.size > REMEMBERED_HOSTS && oldest !== undefined) this.#unreached.delete(oldest);
    const { refusal } = unreached;
    if (refusal !== undefined) this.owner.onRefused({ ...unreached, refusal });
    return { admitted: false, unreached };
  }
}
