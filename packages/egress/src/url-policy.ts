import { isIP } from 'node:net';
import {
  addressClassOf,
  type HostAndPort,
  type HostPattern,
  hostAndPortOf,
  hostIn,
  METADATA_NAMES,
  parsePattern,
} from './addresses.js';

type CheckedUrl =
  | { allowed: true; url: string }
  | { allowed: false; code: 'url_blocked' | 'invalid_input'; reason: string };

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const OPENED_SCHEMES = new Set(['http', 'https']);
/** Schemes that read as `host:port` when digits follow. */
const NEVER_HOSTS = new Set([
  'javascript',
  'data',
  'file',
  'about',
  'blob',
  'view-source',
  'chrome',
  'vbscript',
  'mailto',
  'tel',
  'sms',
]);
/** `host:port` and `user:password@host` begin with a scheme for a URL parser; a port is digits up to the path. */
const HOST_AND_PORT = /^[^\s/:@]+:(?:\d{1,5}(?:[/?#]|$)|[^\s/@]*@)/;
/** The host of an address without a scheme, in brackets if it has colons. */
const HOST_OF_ADDRESS = /^(?:[^\s/?#]*@)?(\[[^\]]*\]|[^:/?#]*)/;
/** Relative references. */
const RELATIVE = /^(?:[.?#]|\/(?!\/))/;

/** Completes a URL as an address bar does and refuses schemes other than those of the web. */
export function checkUrl(input: string): CheckedUrl {
  const text = input.trim();
  if (text.toLowerCase() === 'about:blank') return { allowed: true, url: 'about:blank' };
  const scheme = schemeOf(text);
  if (scheme !== undefined && !OPENED_SCHEMES.has(scheme))
    return {
      allowed: false,
      code: 'url_blocked',
      reason: `${scheme}: URLs are not opened; only http and https URLs are.`,
    };
  const url = scheme === undefined ? withScheme(text) : text;
  if (text === '' || RELATIVE.test(text) || /\s/.test(hostPart(url)) || !URL.canParse(url)) {
    const words = `${JSON.stringify(input.slice(0, 200))} is not a web address; expected one such as https://example.com`;
    return { allowed: false, code: 'invalid_input', reason: `url: ${words}` };
  }
  return { allowed: true, url: new URL(url).href };
}

function schemeOf(text: string): string | undefined {
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined || NEVER_HOSTS.has(scheme)) return scheme;
  return HOST_AND_PORT.test(text) ? undefined : scheme;
}

function withScheme(text: string): string {
  const address = text.replace(/^\/\//, '');
  return `${isLocalHost(HOST_OF_ADDRESS.exec(address)?.[1] ?? '') ? 'http' : 'https'}://${address}`;
}

/** Whether a host is on this machine or in a private network, for which nobody issues certificates. */
function isLocalHost(text: string): boolean {
  const host = hostIn(text);
  if (host === undefined) return false;
  if (isIP(host) !== 0) return addressClassOf(host) === 'private';
  return host === 'localhost' || host.endsWith('.localhost');
}

function hostPart(url: string): string {
  return /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '';
}

/** The addresses that a session's pages may reach. */
export interface UrlPolicyOptions {
  allow?: readonly string[];
  block?: readonly string[];
  privateNetwork?: boolean;
}

export interface UrlRefusal {
  /** The option or built-in rule. */
  rule: string;
  /** In the words of a user who wants to open it. */
  reason: string;
}

const ALWAYS = 'always refused';
const OPEN_SCHEMES = new Set(['http:', 'https:', 'ws:', 'wss:']);
/** Schemes of documents and data that pages create, without a network request. */
const OWN_SCHEMES = new Set(['about:', 'blob:', 'data:']);

/** Applies the option `urlPolicy` to URLs, hosts and addresses, independent of sessions. */
export class UrlPolicy {
  readonly #allow: readonly HostPattern[] | undefined;
  readonly #block: readonly HostPattern[];
  readonly privateNetwork: boolean | undefined;

  constructor({ allow, block = [], privateNetwork }: UrlPolicyOptions = {}) {
    this.#allow = allow?.map(text => parsePattern(text));
    this.#block = block.map(text => parsePattern(text, true));
    this.privateNetwork = privateNetwork;
  }

  /** Whether a rule depends on more than a connection's destination: a path or scheme. */
  get needsUrls(): boolean {
    return [...this.#block, ...(this.#allow ?? [])].some(pattern => pattern.matchesUrl !== undefined);
  }

  /** The refusal of a URL, without resolving its host. */
  checkUrl(url: URL): UrlRefusal | undefined {
    if (OWN_SCHEMES.has(url.protocol)) return undefined;
    if (!OPEN_SCHEMES.has(url.protocol)) return { rule: ALWAYS, reason: `${url.protocol} URLs are not opened` };
    const place = hostAndPortOf(url);
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

  /** The refusal of a connection, by the name of its host. */
  checkPlace(place: HostAndPort): UrlRefusal | undefined {
    const refusal = this.#checkName(place);
    if (refusal !== undefined) return refusal;
    const blocked = this.#block.find(pattern => pattern.matchesUrl === undefined && pattern.matchesPlace(place));
    if (blocked !== undefined) return byBlock(place.host, blocked);
    if (this.#allow === undefined || this.#allow.some(pattern => pattern.matchesPlace(place))) return undefined;
    return byAllow(place.host);
  }

  /** The class of an address that a host resolves to, or its refusal. */
  checkAddress({ host, port }: HostAndPort, address: string): 'public' | 'private' | UrlRefusal {
    const is = addressClassOf(address);
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

  /** Whether the options name a private host, which allows it. */
  namesPrivate(place: HostAndPort): boolean {
    return this.#allow?.some(pattern => pattern.isLocal && pattern.matchesPlace(place)) ?? false;
  }

  #checkName(place: HostAndPort): UrlRefusal | undefined {
    const { host } = place;
    if (METADATA_NAMES.has(host)) return { rule: ALWAYS, reason: `${host} serves the credentials of a cloud machine` };
    const verdict = isIP(host) === 0 ? 'public' : this.checkAddress(place, host);
    return typeof verdict === 'string' ? undefined : verdict;
  }
}

/** A URL's host; undefined where it has none. */
export function hostOfUrl(url: string): string | undefined {
  return URL.canParse(url) ? hostIn(new URL(url).hostname.replace(/^\[|\]$/g, '')) : undefined;
}

function byBlock(what: string, { text }: HostPattern): UrlRefusal {
  return { rule: `urlPolicy.block: ${JSON.stringify(text)}`, reason: `${what} is on the block list` };
}

function byAllow(what: string): UrlRefusal {
  return { rule: 'urlPolicy.allow', reason: `${what} is not on the allow list` };
}
