/** Which pages may use the live view: their origins (`https://app.example`), or a rule. */
export type OriginRule = readonly string[] | ((origin: string | undefined) => boolean);

/**
 * Whether a name or address is this machine itself (RFC 6761, section 6.3; RFC 1122, section 3.2.1.3; RFC 4291, section
 * 2.5.3). Takes `URL.hostname` and socket addresses.
 */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true;
  return /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name);
}

export interface OriginCheck {
  rule: OriginRule | undefined;
  /** The Origin header; browsers send it with every WebSocket and every POST. */
  origin: string | undefined;
  /** The url that was asked for, with the host of the Host header. */
  url: URL;
  /** The request comes from this machine. */
  isLocal: boolean;
}

/**
 * Whether the page that asks may do so. Without a rule: pages of the same host and port, by whatever name of this machine
 * when it is one. Without an Origin header no page asks: fine from this machine only.
 */
export function isOriginAllowed({ rule, origin, url, isLocal }: OriginCheck): boolean {
  if (typeof rule === 'function') return rule(origin);
  if (origin === undefined) return isLocal;
  if (rule !== undefined) return rule.includes(origin);
  const page = URL.parse(origin);
  if (page === null) return false;
  const isSameMachine = page.hostname === url.hostname || (isLoopback(page.hostname) && isLoopback(url.hostname));
  return isSameMachine && page.port === url.port && page.protocol === url.protocol.replace('ws', 'http');
}
