import { isIP } from 'node:net';
import { type HostAndPort, hostIn } from '../policy/addresses.js';
import type { UrlPolicy, UrlRefusal } from '../policy/url-policy.js';
import type { Resolved, Resolver } from './resolver.js';

/** Chromium's name for what kept a connection from being made (net/base/net_error_list.h). */
export type NetError = `ERR_${string}`;

/** Why a place was not reached. */
export interface Unreached extends HostAndPort {
  /** `performance.now()` of the last try. */
  at: number;
  refusal?: UrlRefusal;
  error?: NetError;
}

type Admission = ({ admitted: true; isPrivate: boolean } & Resolved) | { admitted: false; unreached: Unreached };

/** The parts of a session that a connection policy needs. */
interface ConnectionPolicyOwner {
  readonly policy: UrlPolicy;
  readonly resolver: Resolver;
  /** Whether who drives the session named this host in a navigation, and a tab is there or on its way. */
  isNamed(host: string): boolean;
  /** A name that was named stands for a public address. */
  onPublic(host: string): void;
  onRefused(unreached: Unreached & { refusal: UrlRefusal }): void;
}

/** Where a session has been on the network. */
export interface Been {
  hasBeenPublic: boolean;
  /** Hosts whose names have stood for a public address. */
  public: string[];
}

/** So many hosts are told to who goes on with a session. */
const RECALLED = 1_000;
/** So many places that were not reached are remembered, to say why. */
const REMEMBERED_HOSTS = 100;

/**
 * Decides for each connection of one session whether it is made, and to which addresses.
 *
 * Invariant: a session that has been on the public network reaches a private address only when its options allow it or
 * when its driver named that host.
 */
export class ConnectionPolicy {
  #hasBeenPublic: boolean;
  /** Hosts whose names have stood for a public address: named or not, they stand for no private one. */
  readonly #public: Set<string>;
  readonly #unreached = new Map<string, Unreached>();
  /** Connections to private addresses, and how to cut them. */
  readonly #private = new Map<() => void, HostAndPort>();

  /** @param been Before the connection policy was there: what a browser keeps from then may be any page's. */
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

  /**
   * @param options.resolves Whether names are looked up here; else a proxy does, and what they stand for is not known.
   */
  async admit(asked: HostAndPort, { resolves = true } = {}): Promise<Admission> {
    const host = hostIn(asked.host);
    const place = { host: host ?? asked.host, port: asked.port };
    if (host === undefined) return this.#notReached(place, { error: 'ERR_NAME_NOT_RESOLVED' });
    const refusal = this.owner.policy.checkPlace(place);
    if (refusal !== undefined) return this.#notReached(place, { refusal });
    if (!resolves && isIP(place.host) === 0 && !/(^|\.)localhost$/.test(place.host))
      return this.#admitUnresolved(place);
    let resolved: Resolved;
    try {
      resolved = await this.owner.resolver.resolve(place);
    } catch {
      // Whatever the resolver's words are, a browser says this.
      return this.#notReached(place, { error: 'ERR_NAME_NOT_RESOLVED' });
    }
    return this.#admitAddresses(place, resolved);
  }

  /** A connection to a private address was made. Returns the way to say that it is over. */
  hold(place: HostAndPort, cut: () => void): () => void {
    this.#private.set(cut, place);
    return () => this.#private.delete(cut);
  }

  /** Cuts connections that would not be admitted any more: a browser keeps them to use them again. */
  recheck(): void {
    for (const [cut, place] of [...this.#private]) if (!this.#mayGoPrivate(place)) cut();
  }

  /** A connection that was admitted could not be made. */
  noteFailure(place: HostAndPort, error: NetError): void {
    this.#notReached(place, { error });
  }

  /** A request for a url was stopped on its way. */
  noteRefusal(place: HostAndPort, refusal: UrlRefusal): void {
    this.#notReached(place, { refusal });
  }

  /** The reason why a place was not reached since a moment (`performance.now()`), if it was tried then. */
  whyUnreached({ host, port }: HostAndPort, since = 0): Unreached | undefined {
    const found = this.#unreached.get(`${host}:${port}`);
    return found !== undefined && found.at >= since ? found : undefined;
  }

  #admitUnresolved(place: HostAndPort): Admission {
    this.#wentPublic(place);
    return { admitted: true, isPrivate: false, addresses: [], port: place.port };
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
    // A name that stands for both is no private host's.
    const open = all.filter(({ is }) => is === 'public' || !isPublic || this.#mayGoPrivate(place));
    const isPrivate = open.some(({ is }) => is === 'private');
    const [refused] = verdicts.flatMap(({ is }) => (typeof is === 'string' ? [] : [is]));
    if (open.length > 0) return { admitted: true, isPrivate, addresses: open.map(({ address }) => address), port };
    return this.#notReached(place, refused === undefined ? { error: 'ERR_NAME_NOT_RESOLVED' } : { refusal: refused });
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

  #notReached(place: HostAndPort, why: Pick<Unreached, 'refusal' | 'error'>): Admission {
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
