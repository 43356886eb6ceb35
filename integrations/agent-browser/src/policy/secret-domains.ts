import { isIP } from 'node:net';
import { hostOf, placeOf, splitPattern } from './host-pattern.js';

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/;

/**
 * Hosts that a secret is for: one by name, or all below a domain (`*.`), on any port or on one. The same is written as in
 * `urlPolicy`, but that a name is for itself alone: a subdomain may be another's.
 */
export interface SecretDomain {
  host: string;
  below: boolean;
  port: number | undefined;
}

/** Parses `example.com`, `*.example.com` or `example.com:8443`; undefined when the text is none of these. */
export function parseSecretDomain(text: string): SecretDomain | undefined {
  const { scheme, path, name, below, port } = splitPattern(text) ?? {};
  const host = name === undefined || name === '*' || /[%*]/.test(name) ? undefined : hostOf(name);
  if (host === undefined || below === undefined || (scheme ?? path) !== undefined) return undefined;
  if (isIP(host) === 0 && !host.split('.').every(label => LABEL.test(label))) return undefined;
  // All of a top level domain is everybody's.
  if (below && !host.includes('.') && host !== 'localhost') return undefined;
  return { host, below, port };
}

/** Whether the origin of a document is on one of these hosts: over https, or on this machine. */
export function isOnHosts(origin: string, domains: readonly SecretDomain[]): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  const { host, port } = placeOf(url);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(host))) return false;
  return domains.some(domain => {
    if (domain.port !== undefined && domain.port !== port) return false;
    return domain.below ? host.endsWith(`.${domain.host}`) : host === domain.host;
  });
}
