import { isIP } from 'node:net';
import { classOf, isMetadataName } from './address.js';
import { type HostAndPort, type HostPattern, hostOf, parsePattern, placeOf } from './host-pattern.js';

/** Which addresses the pages of a session may reach. */
export interface UrlPolicyOptions {
  allow?: readonly string[];
  block?: readonly string[];
  privateNetwork?: boolean;
}

/** Why something may not be reached. */
export interface Refusal {
  /** The option or rule that says so. */
  rule: string;
  /** In the words of somebody who wants to get there. */
  reason: string;
}

const ALWAYS = 'always refused';
const OPEN_SCHEMES = new Set(['http:', 'https:', 'ws:', 'wss:']);
/** Documents and data that pages make themselves; nothing is asked of the network for them. */
const OWN_SCHEMES = new Set(['about:', 'blob:', 'data:']);

/** Applies the option `urlPolicy` to urls, hosts and addresses. Knows nothing of sessions. */
export class UrlPolicy {
  readonly #allow: readonly HostPattern[] | undefined;
  readonly #block: readonly HostPattern[];
  readonly privateNetwork: boolean | undefined;

  constructor({ allow, block = [], privateNetwork }: UrlPolicyOptions = {}) {
    this.#allow = allow?.map(text => parsePattern(text));
    this.#block = block.map(text => parsePattern(text, true));
    this.privateNetwork = privateNetwork;
  }

  /** Some of it cannot be told from where a connection goes: paths and schemes. */
  get needsUrls(): boolean {
    return [...this.#block, ...(this.#allow ?? [])].some(pattern => pattern.matchesUrl !== undefined);
  }

  /** Why a url may not be asked for, as far as it tells. */
  checkUrl(url: URL): Refusal | undefined {
    if (OWN_SCHEMES.has(url.protocol)) return undefined;
    if (!OPEN_SCHEMES.has(url.protocol)) return { rule: ALWAYS, reason: `${url.protocol} urls are not opened` };
    const place = placeOf(url);
    const refusal = this.#checkName(place);
    if (refusal !== undefined) return refusal;
    const blocked = this.#block.find(pattern => pattern.matchesPlace(place) && pattern.matchesUrl?.(url) !== 'no');
    if (blocked !== undefined) return byBlock(place.host, blocked);
    if (this.#allow === undefined) return undefined;
    const isAllowed = this.#allow.some(
      pattern => pattern.matchesPlace(place) && (pattern.matchesUrl?.(url) ?? 'yes') === 'yes',
    );
    return isAllowed ? undefined : byAllow(`${place.host}${this.needsUrls ? url.pathname.slice(0, 100) : ''}`);
  }

  /** Why nobody may connect there, as far as the name tells. */
  checkPlace(place: HostAndPort): Refusal | undefined {
    const refusal = this.#checkName(place);
    if (refusal !== undefined) return refusal;
    const blocked = this.#block.find(pattern => pattern.matchesUrl === undefined && pattern.matchesPlace(place));
    if (blocked !== undefined) return byBlock(place.host, blocked);
    if (this.#allow === undefined || this.#allow.some(pattern => pattern.matchesPlace(place))) return undefined;
    return byAllow(place.host);
  }

  /** The kind of an address that a host stands for, or why nobody may connect to it. */
  checkAddress({ host, port }: HostAndPort, address: string): 'public' | 'private' | Refusal {
    const is = classOf(address);
    const what = host === address ? host : `${host} (${address})`;
    if (is === 'forbidden')
      return { rule: ALWAYS, reason: `${what} is a link-local, cloud-metadata or reserved address` };
    const blocked = this.#block.find(
      pattern => pattern.matchesUrl === undefined && pattern.matchesAddress(address, port),
    );
    if (blocked !== undefined) return byBlock(what, blocked);
    if (is === 'private' && this.privateNetwork === false)
      return { rule: 'urlPolicy.privateNetwork: false', reason: `${what} is a private address` };
    return is;
  }

  /** Whether the options themselves name a private host: its owner wants it reached. */
  namesPrivate(place: HostAndPort): boolean {
    return this.#allow?.some(pattern => pattern.isLocal && pattern.matchesPlace(place)) ?? false;
  }

  #checkName(place: HostAndPort): Refusal | undefined {
    const { host } = place;
    if (isMetadataName(host)) return { rule: ALWAYS, reason: `${host} serves the credentials of a machine in a cloud` };
    const verdict = isIP(host) === 0 ? 'public' : this.checkAddress(place, host);
    return typeof verdict === 'string' ? undefined : verdict;
  }
}

/** A host as it stands in a url; undefined where the url has none. */
export function hostOfUrl(url: string): string | undefined {
  return URL.canParse(url) ? hostOf(new URL(url).hostname.replace(/^\[|\]$/g, '')) : undefined;
}

function byBlock(what: string, { text }: HostPattern): Refusal {
  return { rule: `urlPolicy.block: ${JSON.stringify(text)}`, reason: `${what} is on the block list` };
}

function byAllow(what: string): Refusal {
  return { rule: 'urlPolicy.allow', reason: `${what} is not on the allow list` };
}
