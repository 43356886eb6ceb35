import { type EgressProxy, openEgressProxy } from './egress-proxy.js';
import type { openUpstreamProxy, Upstream } from './upstream-proxy.js';

/** The ways out of one browser's contexts: one each, closed together. */
export class EgressProxyPool {
  readonly #open = new Set<EgressProxy>();
  #isClosed = false;

  /** @param upstream A proxy that all traffic goes on to. */
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

  /** Cuts all connections; one that is opened later is shut. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map(egressProxy => egressProxy.close()));
  }
}

/** Few have a proxy, and its library takes its time to load. */
async function openUpstream(...given: Parameters<typeof openUpstreamProxy>): Promise<EgressProxy> {
  const { openUpstreamProxy } = await import('./upstream-proxy.js');
  return openUpstreamProxy(...given);
}
