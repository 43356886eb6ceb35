const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const PORT = /:(\d{1,5})$/;
const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** Hosts: one by name, or all below a domain (`*.`), on any port or on one. */
export interface HostPattern {
  host: string;
  below: boolean;
  port: string | undefined;
}

/** Parses `example.com`, `*.example.com` or `example.com:8443`; undefined when the text is none of these. */
export function parseHostPattern(text: string): HostPattern | undefined {
  const below = text.startsWith('*.');
  const rest = below ? text.slice(2) : text;
  const port = PORT.exec(rest)?.[1];
  const host = canonicalHost(port === undefined ? rest : rest.slice(0, -port.length - 1));
  // All of a top level domain is everybody's.
  if (host === undefined || (below && !host.includes('.') && host !== 'localhost')) return undefined;
  return { host, below, port };
}

/** Whether the origin of a document is on one of these hosts: over https, or on this machine. */
export function isOnHosts(origin: string, patterns: readonly HostPattern[]): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, port } = new URL(origin);
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.test(hostname))) return false;
  const actual = port || (protocol === 'https:' ? '443' : '80');
  return patterns.some(pattern => {
    if (pattern.port !== undefined && pattern.port !== actual) return false;
    return pattern.below ? hostname.endsWith(`.${pattern.host}`) : hostname === pattern.host;
  });
}

/** As a url parser writes it: in lower case, other scripts in punycode. */
function canonicalHost(text: string): string | undefined {
  if (text === '' || /[\s/?#@\\*%]/.test(text) || !URL.canParse(`https://${text}/`)) return undefined;
  const { hostname } = new URL(`https://${text}/`);
  const isAddress = hostname.startsWith('[');
  return isAddress || hostname.split('.').every(label => LABEL.test(label)) ? hostname : undefined;
}
