import { isIP } from 'node:net';
import { type HostAndPort, wildcardPattern } from './addresses.js';
import { lookup } from './system.js';

const SWITCH = /^--host-(?:resolver-)?rules=(.*)$/s;
/** The cache's size, and its lifetime in milliseconds. */
const CACHED_NAMES = 500;
const KEPT_FOR_MS = 10_000;

interface Rule {
  pattern: RegExp;
  /** Undefined for a name that is excluded from the other rules. */
  replacement?: string;
}

/** The real destination of a connection. */
export interface Resolved {
  addresses: string[];
  port: number;
}

/**
 * Resolves names for the browser, which resolves none itself; applies Chromium's `--host-resolver-rules`, since
 * Chromium ignores them for proxied connections.
 */
export class Resolver {
  readonly #rules: readonly Rule[];
  readonly #known = new Map<string, { until: number; addresses: Promise<string[]> }>();

  constructor(args: readonly string[]) {
    this.#rules = args.flatMap(arg => resolverRulesIn(SWITCH.exec(arg)?.[1] ?? ''));
  }

  /** Rejects when there is no such host. */
  async resolve({ host, port }: HostAndPort): Promise<Resolved> {
    const mapped = this.#map(host, port);
    return { addresses: await this.#addressesOf(mapped.host), port: mapped.port };
  }

  #map(host: string, port: number): HostAndPort {
    const texts = [host, `${host}:${port}`];
    const matching = this.#rules.filter(({ pattern }) => texts.some(text => pattern.test(text)));
    const [rule] = matching;
    if (rule === undefined || matching.some(({ replacement }) => replacement === undefined)) return { host, port };
    const to = rule.replacement ?? '';
    if (isIP(to) !== 0) return { host: to, port };
    const [, name = to, other] = /^(.*?)(?::(\d+))?$/.exec(to) ?? [];
    return { host: name.replace(/^\[|\]$/g, ''), port: other === undefined ? port : Number(other) };
  }

  async #addressesOf(host: string): Promise<string[]> {
    if (isIP(host) !== 0) return [host];
    if (host === '~NOTFOUND') throw new Error('the resolver rules say that there is no such host');
    // RFC 6761: these names never leave the machine.
    if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    const known = this.#known.get(host);
    if (known !== undefined && known.until > performance.now()) return known.addresses;
    const addresses = lookup(host);
    this.#keep(host, addresses);
    return addresses;
  }

  #keep(host: string, addresses: Promise<string[]>): void {
    this.#known.delete(host);
    this.#known.set(host, { until: performance.now() + KEPT_FOR_MS, addresses });
    // Failures are not cached: a missing name may appear at any moment.
    addresses.catch(() => this.#known.delete(host));
    const [oldest] = this.#known.keys();
    if (this.#known.size > CACHED_NAMES && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** Removes the switch that the resolver applies instead of the browser. */
export function withoutResolverRules(args: readonly string[]): string[] {
  return args.filter(arg => !SWITCH.test(arg));
}

/** https://source.chromium.org/chromium/chromium/src/+/main:net/base/host_mapping_rules.h */
function resolverRulesIn(text: string): Rule[] {
  return text.split(',').flatMap(entry => {
    const [verb = '', names = '', replacement] = entry.trim().split(/\s+/);
    if (names === '') return [];
    const pattern = wildcardPattern(names.toLowerCase());
    if (verb.toUpperCase() === 'EXCLUDE') return [{ pattern }];
    return verb.toUpperCase() === 'MAP' && replacement !== undefined ? [{ pattern, replacement }] : [];
  });
}
