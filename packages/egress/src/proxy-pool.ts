import { type EgressProxy, SocksProxy } from './egress-proxy.js';
import type { Upstream, UpstreamProxy } from './upstream-proxy.js';

/** The egress proxies of one browser, one per context, which are closed together. */
export class EgressProxyPool {
  readonly #open = new Set<EgressProxy>();
  #isClosed = false;

  constructor(readonly upstream?: Upstream) {}

  async open(): Promise<EgressProxy> {
    const onClose = (closed: EgressProxy): void => void this.#open.delete(closed);
    const { upstream } = this;
    const egressProxy = upstream === undefined ? new SocksProxy(onClose) : await upstreamProxy(upstream, onClose);
    await egressProxy.open();
    this.#open.add(egressProxy);
    if (this.#isClosed) await egressProxy.close();
    return egressProxy;
  }

  /** Cuts all connections; a proxy opened later is closed at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map(egressProxy => egressProxy.close()));
  }
}

/** Loads the proxy library on demand: few users have an upstream proxy, and it loads slowly. */
async function upstreamProxy(...given: ConstructorParameters<typeof UpstreamProxy>): Promise<UpstreamProxy> {
  const { UpstreamProxy } = await import('./upstream-proxy.js');
  return new UpstreamProxy(...given);
}
