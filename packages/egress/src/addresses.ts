import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * The class of an address: `public`; `private`, this machine or its owner's networks; `forbidden`, which no page needs:
 * link-local, where clouds serve credentials, and reserved ranges.
 */
type AddressClass = 'public' | 'private' | 'forbidden';

/** https://www.iana.org/assignments/iana-ipv4-special-registry and its IPv6 counterpart. */
const PRIVATE = ranges([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '::/128',
  '::1/128',
  '64:ff9b:1::/48',
  '100::/64',
  '5f00::/16',
  'fc00::/7',
  'fec0::/10',
]);

const FORBIDDEN = ranges([
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  'fe80::/10',
  'ff00::/8',
  // Addresses outside the link-local ranges where clouds serve a machine's credentials.
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
]);

/** Names of cloud metadata servers; some resolvers know them without their domain. */
export const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.goog',
  'metadata.google.internal',
  'metadata.azure.internal',
  'metadata.azure.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'metadata.tencentyun.com',
  'metadata.oraclecloud.com',
  'instance-data',
  'instance-data.ec2.internal',
]);

/** The strictest class of an IP address and of the IPv4 addresses embedded in it. */
export function addressClassOf(address: string): AddressClass {
  if (isIP(address) === 0) return 'forbidden';
  const all = meaningsOf(address);
  if (all.some(one => isIn(FORBIDDEN, one))) return 'forbidden';
  return all.some(one => isIn(PRIVATE, one)) || isOwn(all) ? 'private' : 'public';
}

/** Whether an address is this machine's at this moment: services on it may be meant only for the machine. */
function isOwn(addresses: readonly string[]): boolean {
  const own = new BlockList();
  for (const { address, family } of Object.values(networkInterfaces()).flatMap(each => each ?? []))
    own.addAddress(address, family === 'IPv4' ? 'ipv4' : 'ipv6');
  return addresses.some(address => isIn(own, address));
}

/** A set of ranges such as `10.0.0.0/8`. Throws for an invalid range. */
export function ranges(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [network = '', bits = ''] = cidr.split('/');
    list.addSubnet(network, Number(bits), isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list;
}

export function isIn(list: BlockList, address: string): boolean {
  if (isIPv4(address)) return list.check(address, 'ipv4');
  return isIPv6(address) && list.check(address, 'ipv6');
}

/** An address in URL spelling without its zone; an IPv4-mapped IPv6 address as IPv4 (RFC 4291, 2.5.5.2). */
function plainAddress(address: string): string {
  const bare = withoutZone(address);
  const parts = isIPv6(bare) ? hextetsOf(bare) : [];
  return startsWith(parts, [0, 0, 0, 0, 0, 0xffff]) ? dotted(parts, 6) : bare;
}

/** An address and the IPv4 addresses embedded in it, to which a translator may send its packets. */
function meaningsOf(address: string): string[] {
  const bare = withoutZone(address);
  return isIPv4(bare) ? [bare] : [...new Set([bare, ...carriedBy(bare)])];
}

/** The IPv4 range behind a NAT64 or 6to4 range, if any. A whole prefix has none: blocking NAT64 spares the internet. */
function carriedRange(network: string, bits: number): string | undefined {
  if (!isIPv6(network)) return undefined;
  const parts = hextetsOf(network);
  if (startsWith(parts, [0x64, 0xff9b, 0, 0, 0, 0]) && bits > 96) return `${dotted(parts, 6)}/${bits - 96}`;
  if (startsWith(parts, [0x2002]) && bits > 16) return `${dotted(parts, 1)}/${Math.min(32, bits - 16)}`;
  return undefined;
}

function carriedBy(address: string): string[] {
  const parts = hextetsOf(address);
  const starts = (...start: number[]): boolean => startsWith(parts, start);
  const found: string[] = [];
  // Mapped (RFC 4291), compatible, SIIT (RFC 7915), NAT64 (RFC 6052 and 8215), ISATAP (RFC 5214).
  const isEmbedded = starts(0, 0, 0, 0, 0) || starts(0, 0, 0, 0, 0xffff, 0);
  if ((isEmbedded && !/^::1?$/.test(address)) || starts(0x64, 0xff9b)) found.push(dotted(parts, 6));
  if ((parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe) found.push(dotted(parts, 6));
  // NAT64 with a 48-bit prefix: the IPv4 address skips the ninth octet (RFC 6052, 2.2).
  const [, , , third = 0, fourth = 0, fifth = 0] = parts;
  if (starts(0x64, 0xff9b, 1)) found.push(dotted([third, ((fourth & 255) << 8) | (fifth >> 8)], 0));
  // 6to4 (RFC 3056) and Teredo (RFC 4380).
  if (starts(0x2002)) found.push(dotted(parts, 1));
  if (starts(0x2001, 0)) found.push(dotted(parts, 2), dotted(parts, 6, 0xffff));
  return found;
}

function startsWith(parts: readonly number[], start: readonly number[]): boolean {
  return start.every((part, index) => parts[index] === part);
}

function dotted(parts: readonly number[], at: number, mask = 0): string {
  const [high = 0, low = 0] = [(parts[at] ?? 0) ^ mask, (parts[at + 1] ?? 0) ^ mask];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function withoutZone(address: string): string {
  const [bare = ''] = address.split('%');
  return isIPv6(bare) ? new URL(`http://[${bare}]`).hostname.slice(1, -1) : bare;
}

function hextetsOf(address: string): number[] {
  const [head = '', tail] = withoutZone(address).split('::');
  const numbers = (text: string): number[] =>
    text === '' ? [] : text.split(':').map(part => Number.parseInt(part, 16));
  const [before, after] = [numbers(head), numbers(tail ?? '')];
  const gap = new Array<number>(tail === undefined ? 0 : 8 - before.length - after.length).fill(0);
  return [...before, ...gap, ...after];
}

export interface HostAndPort {
  /** As in a URL: lower case, punycode, without brackets and trailing dot. */
  host: string;
  port: number;
}

export interface HostPattern {
  text: string;
  /** Whether a connection to this place can match. */
  matchesPlace(place: HostAndPort): boolean;
  /** Whether an address that a name resolves to matches. */
  matchesAddress(address: string, port: number): boolean;
  /** Whether a URL at a matching place matches; undefined for a pattern without a path or scheme. */
  matchesUrl?(url: URL): 'yes' | 'disguised' | 'no';
  /** The pattern names a private host directly: `localhost` or an address. */
  isLocal: boolean;
}

const PATTERN =
  /^(?:(https?):\/\/)?(\*|\[[^\]]*\]|[\da-f.]*:[\da-f.]*:[\da-f:.]*(?:%[\w.-]+)?|[^\s/:?#@[\]]+)(?::(\d{1,5}))?(\/\S*)?$/i;
const PREFIX_LENGTH = /^\/(\d{1,3})$/;
const DEFAULT_PORTS: Record<string, number> = { http: 80, https: 443 };

/**
 * Parses `example.com` (with its subdomains), `*.example.com` (only its subdomains), `*`, `10.0.0.0/8`, each with an
 * optional port, or a URL such as `https://example.com/docs/*`. Addresses match in every notation.
 * @param leads Other addresses that lead to a matching one match too, for block lists.
 * @throws Error that describes the expected format.
 */
export function parsePattern(text: string, leads = false): HostPattern {
  const { scheme, name = '', below = false, port, path } = splitPattern(text) ?? {};
  const host = name === '*' ? '*' : hostIn(name);
  if (host === undefined || host.includes('*') !== (name === '*') || host.startsWith('.')) throw malformed(text);
  const isAddress = isIP(host) !== 0;
  if (below && (name === '*' || isAddress)) throw malformed(text);
  const bits =
    isAddress && scheme === undefined && port === undefined ? PREFIX_LENGTH.exec(path ?? '')?.[1] : undefined;
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

/** The parts of a pattern. `below`: it covers only subdomains. */
interface PatternParts {
  scheme: string | undefined;
  name: string;
  below: boolean;
  port: number | undefined;
  path: string | undefined;
}

/** Splits `https://*.example.com:8443/docs`; undefined for another format. */
export function splitPattern(text: string): PatternParts | undefined {
  const [, scheme, name = '', digits, path] = PATTERN.exec(text) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (name === '' || (port ?? 0) > 65_535) return undefined;
  const below = name.startsWith('*.');
  return { scheme: scheme?.toLowerCase(), name: below ? name.slice(2) : name, below, port, path };
}

/** A host in URL spelling; undefined when it is invalid. */
export function hostIn(text: string): string | undefined {
  // URLs have no zones (RFC 6874 was withdrawn), and the interface does not change which address it is.
  const [, address] = /^\[?([\da-f:.]+?)(?:%(?:25)?[\w.-]+)?\]?$/i.exec(text) ?? [];
  const bracketed = isIP(address ?? '') === 6 ? `[${address}]` : text;
  if (text === '' || /[\s/?#@\\]/.test(text) || !URL.canParse(`http://${bracketed}`)) return undefined;
  const host = new URL(`http://${bracketed}`).hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  return host === '' ? undefined : host;
}

export function hostAndPortOf(url: URL): HostAndPort {
  const port =
    url.port === '' ? (DEFAULT_PORTS[url.protocol.replace('ws', 'http').slice(0, -1)] ?? 0) : Number(url.port);
  return { host: hostIn(url.hostname) ?? '', port };
}

function nameMatcher(wanted: string, subdomainsOnly: boolean): (host: string) => boolean {
  if (wanted === '*') return () => true;
  return host => (host === wanted ? !subdomainsOnly : host.endsWith(`.${wanted}`));
}

interface AddressPattern {
  host: string;
  name: string;
  bits: string | undefined;
  leads: boolean;
}

function addressMatcher(text: string, { host, name, bits, leads }: AddressPattern): (host: string) => boolean {
  const waysTo = (address: string): string[] => (leads ? meaningsOf(address) : [plainAddress(address)]);
  if (bits === undefined) {
    const wanted = new Set(waysTo(host));
    return other => isIP(other) !== 0 && waysTo(other).some(address => wanted.has(address));
  }
  // `10/8` means 10.0.0.0/8 to some and 0.0.0.10/8 in URLs.
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

/** Matches a whole text in which `*` stands for any. */
export function wildcardPattern(text: string): RegExp {
  const escaped = text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`, 's');
}

function urlMatcher(scheme: string | undefined, path: string): (url: URL) => 'yes' | 'disguised' | 'no' {
  const pattern = wildcardPattern(path === '/' ? '/*' : path);
  return url => {
    if (scheme !== undefined && url.protocol.replace('ws', 'http') !== `${scheme}:`) return 'no';
    const paths = readingsOf(url.pathname);
    if (paths === undefined) return 'disguised';
    const queries = ['', url.search, unescaped(url.search)];
    const answers = [...paths].map(reading => queries.some(query => pattern.test(reading + query)));
    if (!answers.includes(true)) return 'no';
    return answers.includes(false) ? 'disguised' : 'yes';
  };
}

const ESCAPES = /(?:%[\da-f]{2})+/gi;
const ESCAPES_BUT_SLASHES = /(?:%(?!2f|5c)[\da-f]{2})+/gi;

/** What servers, and proxies before them, may do to a path before they act on it: in any order, and more than once. */
const REWRITES: readonly ((path: string) => string)[] = [
  path => unescaped(path),
  path => unescaped(path, ESCAPES_BUT_SLASHES),
  path => path.replaceAll('\\', '/'),
  path => path.replace(/\/{2,}/g, '/'),
  // Parameters of a segment (RFC 3986, 3.3), which servlet containers take out.
  path => path.replace(/;[^/]*/g, ''),
  withoutDotSegments,
];

/** In characters: the readings of a path that are compared. Servers refuse a path of a tenth of it. */
const MOST_READ = 500_000;

/** All that a path may mean to a server; undefined when that is too much to list. */
function readingsOf(path: string): ReadonlySet<string> | undefined {
  const readings = new Set([path]);
  let length = 0;
  // What is added while the set is iterated has its turn, too.
  for (const reading of readings) {
    for (const rewritten of REWRITES.map(rewrite => rewrite(reading))) {
      if (readings.has(rewritten)) continue;
      length += rewritten.length;
      if (length > MOST_READ) return undefined;
      readings.add(rewritten);
    }
  }
  return readings;
}

function unescaped(text: string, escapes = ESCAPES): string {
  return text.replace(escapes, run => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
}

/** RFC 3986, 5.2.4. */
function withoutDotSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.split('/');
  for (const [index, segment] of segments.entries()) {
    const isDots = segment === '.' || segment === '..';
    if (segment === '..' && kept.length > 1) kept.pop();
    // A path that ends in dots is that of a folder.
    if (!isDots) kept.push(segment);
    else if (index === segments.length - 1) kept.push('');
  }
  return kept.join('/');
}

function malformed(text: string): Error {
  const examples = 'example.com, *.example.com, example.com:8080, 10.0.0.0/8 or https://example.com/docs/*';
  return new Error(`${JSON.stringify(text.slice(0, 200))} is not a host or URL pattern such as ${examples}`);
}
