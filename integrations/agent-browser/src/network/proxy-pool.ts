import { type EgressProxy, openEgressProxy } from './egress-proxy.js';
import type { openUpstreamProxy, Upstream } from './upstream-proxy.js';

/** The egress proxies of one browser, one per context, which are closed together. */
export class EgressProxyPool {
  readonly #open = new Set<EgressProxy>();
  #isClosed = false;

  constructor(readonly upstream?: Upstream) {}

  async open(): Promise<EgressProxy> {
    const onClose = (closed: EgressProxy): void => void this.#open.delete(closed);
    const egressProxy = await (this.upstream === undefined
      ? openEgressProxy(onClose)
      : openUpstream(this.upstream, onClose));
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
async function openUpstream(...given: Parameters<typeof openUpstreamProxy>): Promise<EgressProxy> {
  const { openUpstreamProxy } = await import('./upstream-proxy.js');
  return openUpstreamProxy(...given);
}
