import { type BlockList, isIP } from 'node:net';
import { carriedRange, isIn, meaningsOf, plainAddress, ranges } from './address.js';

/** Where a connection goes. */
export interface HostAndPort {
  /** As a url has it: lower case, punycode, without brackets and trailing dot. */
  host: string;
  port: number;
}

/** One entry of a list of hosts or urls. */
export interface HostPattern {
  /** As it was written. */
  text: string;
  /** Whether a connection to this place can be meant. */
  matchesPlace(place: HostAndPort): boolean;
  /** Whether an address that a name stands for is meant. */
  matchesAddress(address: string, port: number): boolean;
  /** Whether a url is meant, which has a place that matches; undefined where the pattern says nothing beyond the place. */
  matchesUrl?(url: URL): 'yes' | 'disguised' | 'no';
  /** It names private addresses themselves: `localhost`, or an address. */
  isLocal: boolean;
}

const PATTERN =
  /^(?:(https?):\/\/)?(\*|\[[^\]]*\]|[\da-f.]*:[\da-f.]*:[\da-f:.]*(?:%[\w.-]+)?|[^\s/:?#@[\]]+)(?::(\d{1,5}))?(\/\S*)?$/i;
const BITS = /^\/(\d{1,3})$/;
const DEFAULT_PORTS: Record<string, number> = { http: 80, https: 443 };

/**
 * Reads `example.com` (and its subdomains), `*.example.com` (the subdomains alone), `*`, `10.0.0.0/8`, each with a
 * port where one is meant, or a url such as `https://example.com/docs/*`.
 * An address is meant however it is written, in the pattern or in a url.
 * @param leads Other addresses that lead to one that is meant are meant as well: for what nobody is to reach.
 * @throws Error that says what is expected.
 */
export function parsePattern(text: string, leads = false): HostPattern {
  const { scheme, name = '', below = false, port, path } = splitPattern(text) ?? {};
  const host = name === '*' ? '*' : hostOf(name);
  if (host === undefined || host.includes('*') !== (name === '*') || host.startsWith('.')) throw malformed(text);
  const isAddress = isIP(host) !== 0;
  if (below && (name === '*' || isAddress)) throw malformed(text);
  const bits = isAddress && scheme === undefined && port === undefined ? BITS.exec(path ?? '')?.[1] : undefined;
  const isMeant = isAddress ? addressMatcher(text, { host, name, bits, leads }) : nameMatcher(host, below);
  const wanted = port ?? DEFAULT_PORTS[scheme ?? ''];
  const matchesPlace = (place: HostAndPort): boolean =>
    (wanted === undefined || wanted === place.port) && isMeant(place.host);
  return {
    text,
    matchesPlace,
    matchesAddress: (address, port) => isAddress && matchesPlace({ host: address, port }),
    isLocal: isAddress || host === 'localhost' || host.endsWith('.localhost'),
    ...((scheme ?? path) !== undefined && bits === undefined && { matchesUrl: urlMatcher(scheme, path ?? '/') }),
  };
}

/** The parts of a pattern. `below`: it covers only what is below the name. */
export interface PatternParts {
  scheme: string | undefined;
  name: string;
  below: boolean;
  port: number | undefined;
  path: string | undefined;
}

/** Takes `https://*.example.com:8443/docs` apart; undefined when it is not written like that. */
export function splitPattern(text: string): PatternParts | undefined {
  const [, scheme, name = '', digits, path] = PATTERN.exec(text) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (name === '' || (port ?? 0) > 65_535) return undefined;
  const below = name.startsWith('*.');
  return { scheme: scheme?.toLowerCase(), name: below ? name.slice(2) : name, below, port, path };
}

/** A host as urls have it; undefined when it is none. */
export function hostOf(text: string): string | undefined {
  // Urls have no zones (RFC 6874 was withdrawn), and which interface leads to an address makes it no other.
  const [, address] = /^\[?([\da-f:.]+?)(?:%(?:25)?[\w.-]+)?\]?$/i.exec(text) ?? [];
  const bracketed = isIP(address ?? '') === 6 ? `[${address}]` : text;
  if (text === '' || /[\s/?#@\\]/.test(text) || !URL.canParse(`http://${bracketed}`)) return undefined;
  const host = new URL(`http://${bracketed}`).hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  return host === '' ? undefined : host;
}

/** Where a url's connection goes. */
export function placeOf(url: URL): HostAndPort {
  const port =
    url.port === '' ? (DEFAULT_PORTS[url.protocol.replace('ws', 'http').slice(0, -1)] ?? 0) : Number(url.port);
  return { host: hostOf(url.hostname) ?? '', port };
}

function nameMatcher(wanted: string, subdomainsOnly: boolean): (host: string) => boolean {
  if (wanted === '*') return () => true;
  return host => (host === wanted ? !subdomainsOnly : host.endsWith(`.${wanted}`));
}

interface AddressPattern {
  /** As urls have it. */
  host: string;
  /** As it was written. */
  name: string;
  /** Of a range. */
  bits: string | undefined;
  leads: boolean;
}

function addressMatcher(text: string, { host, name, bits, leads }: AddressPattern): (host: string) => boolean {
  const waysTo = (address: string): string[] => (leads ? meaningsOf(address) : [plainAddress(address)]);
  if (bits === undefined) {
    const wanted = new Set(waysTo(host));
    return other => isIP(other) !== 0 && waysTo(other).some(address => wanted.has(address));
  }
  // `10/8` is 10.0.0.0/8 to some and 0.0.0.10/8 to urls.
  if (isIP(host) === 4 && name.split('.').filter(Boolean).length < 4 && Number(name) < 2 ** 24) throw malformed(text);
  const network = networkOf(host, Number(bits), leads);
  if (network === undefined) throw malformed(text);
  return other => isIP(other) !== 0 && waysTo(other).some(address => isIn(network, address));
}

function networkOf(host: string, bits: number, leads: boolean): BlockList | undefined {
  if (bits > (isIP(host) === 4 ? 32 : 128)) return undefined;
  const carried = leads ? carriedRange(host, bits) : undefined;
  return ranges([`${host}/${bits}`, ...(carried === undefined ? [] : [carried])]);
}

function urlMatcher(scheme: string | undefined, path: string): (url: URL) => 'yes' | 'disguised' | 'no' {
  const escaped = (path === '/' ? '/*' : path).replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  const pattern = new RegExp(`^${escaped}$`, 's');
  return url => {
    if (scheme !== undefined && url.protocol.replace('ws', 'http') !== `${scheme}:`) return 'no';
    const written = `${url.pathname}${url.search}`;
    const readings = [url.pathname, written].flatMap(text => [pattern.test(text), pattern.test(decoded(text))]);
    if (!readings.includes(true)) return 'no';
    return pattern.test(decoded(written)) === pattern.test(written) ? 'yes' : 'disguised';
  };
}

/** A path without the escapes that servers undo: `/%61dmin` is `/admin` to them, and so is `//admin` to many. */
function decoded(text: string): string {
  const plain = text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return plain.replace(/\/{2,}/g, '/');
}

function malformed(text: string): Error {
  const examples = 'example.com, *.example.com, example.com:8080, 10.0.0.0/8 or https://example.com/docs/*';
  return new Error(`${JSON.stringify(text.slice(0, 200))} is no host or url pattern, such as ${examples}`);
}
