import { lookup } from 'node:dns';
import { isIP, isIPv4, type LookupFunction, type Socket } from 'node:net';
import { Server as HttpProxy, RequestError } from '#vendored/proxy-chain';
import { type HostAndPort, isIn, ranges, wildcardPattern } from './addresses.js';
import type { ConnectionPolicy } from './connection-policy.js';
import { type EgressProxy, isForeign } from './egress-proxy.js';

export interface Upstream {
  server: string;
  bypass?: string;
  username?: string;
  password?: string;
}

interface UpstreamRoute {
  upstreamProxyUrl?: string;
  dnsLookup?: typeof lookup;
}

/** An egress proxy that forwards to an upstream proxy, which resolves names itself. */
export class UpstreamProxy implements EgressProxy {
  connectionPolicy: ConnectionPolicy | undefined;
  readonly #proxy: HttpProxy;
  readonly #upstreamUrl: string;
  readonly #bypass: readonly ((place: HostAndPort) => boolean)[];

  constructor(
    upstream: Upstream,
    readonly onClose: (egressProxy: EgressProxy) => void,
  ) {
    this.#upstreamUrl = urlOf(upstream);
    this.#bypass = bypassRules(upstream.bypass ?? '');
    this.#proxy = new HttpProxy({
      host: '127.0.0.1',
      port: 0,
      prepareRequestFunction: async ({ request: { socket }, hostname, port, isHttp }) => {
        const { remotePort = 0, localPort = 0 } = socket;
        const place = { host: hostname, port };
        const way = (await isForeign(remotePort, localPort))
          ? undefined
          : await this.#wayTo(place, isHttp ? undefined : socket);
        if (way !== undefined) return way;
        // A page would take a response for the site's own.
        socket.destroy();
        throw new RequestError('refused', 403);
      },
    });
    // The browser gets the error for an unreachable host.
    this.#proxy.on('requestFailed', () => undefined);
  }

  get server(): string {
    return `http://127.0.0.1:${this.#proxy.port}`;
  }

  async open(): Promise<void> {
    await this.#proxy.listen();
    this.#proxy.server.unref();
  }

  async close(): Promise<void> {
    this.connectionPolicy = undefined;
    this.onClose(this);
    await this.#proxy.close(true);
  }

  /** @param tunnel The client socket of a CONNECT, whose content is hidden; plain requests are checked one by one. */
  async #wayTo(place: HostAndPort, tunnel: Socket | undefined): Promise<UpstreamRoute | undefined> {
    const { connectionPolicy } = this;
    const isDirect = this.#bypass.some(isMeant => isMeant(place));
    const admission = await connectionPolicy?.admit(place, { resolves: isDirect });
    if (connectionPolicy === undefined || connectionPolicy !== this.connectionPolicy || !admission?.admitted)
      return undefined;
    if (tunnel !== undefined && admission.isPrivate) connectionPolicy.hold(place, tunnel);
    if (!isDirect) return { upstreamProxyUrl: this.#upstreamUrl };
    const found = admission.addresses.map(address => ({ address, family: isIPv4(address) ? 4 : 6 }));
    return { dnsLookup: pinned(found) };
  }
}

/** A lookup function that returns addresses which have been checked. */
function pinned(found: { address: string; family: number }[]): typeof lookup {
  const answer: LookupFunction = (_host, options, callback) => {
    if (options.all) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
  return Object.assign(answer, { __promisify__: lookup.__promisify__ }) as typeof lookup;
}

function urlOf({ server, username, password }: Upstream): string {
  const url = new URL(/^[a-z\d]+:\/\//i.test(server) ? server : `http://${server}`);
  if (username !== undefined) url.username = encodeURIComponent(username);
  if (password !== undefined) url.password = encodeURIComponent(password);
  return url.href;
}

/** https://source.chromium.org/chromium/chromium/src/+/main:net/docs/proxy.md#Proxy-bypass-rules */
function bypassRules(text: string): ((place: HostAndPort) => boolean)[] {
  const entries = text.split(/[,;]/).map(entry => entry.trim().toLowerCase());
  return entries.filter(entry => entry !== '' && entry !== '<-loopback>').map(bypassRule);
}

function bypassRule(entry: string): (place: HostAndPort) => boolean {
  if (entry === '<local>') return ({ host }) => !host.includes('.') && isIP(host) === 0;
  if (/^[\da-f.:]+\/\d+$/.test(entry)) {
    const network = ranges([entry]);
    return ({ host }) => isIn(network, host);
  }
  const [, name = entry, port] = /^(?:[a-z]+:\/\/)?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const pattern = wildcardPattern(name.replace(/^\./, '*.'));
  return place => pattern.test(place.host) && (port === undefined || Number(port) === place.port);
}
