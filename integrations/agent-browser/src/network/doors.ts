import { type Door, openDoor } from './egress-proxy.js';
import type { openUpstreamDoor, Upstream } from './upstream-proxy.js';

/** The ways out of one browser's contexts: one each, closed together. */
export class Doors {
  readonly #open = new Set<Door>();
  #isClosed = false;

  /** @param upstream A proxy that all traffic goes on to. */
  constructor(readonly upstream?: Upstream) {}

  async open(): Promise<Door> {
    const onClose = (closed: Door): void => void this.#open.delete(closed);
    const door = await (this.upstream === undefined ? openDoor(onClose) : openUpstream(this.upstream, onClose));
    this.#open.add(door);
    if (this.#isClosed) await door.close();
    return door;
  }

  /** Cuts all connections; one that is opened later is shut. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map(door => door.close()));
  }
}

/** Few have a proxy, and its library takes its time to load. */
async function openUpstream(...given: Parameters<typeof openUpstreamDoor>): Promise<Door> {
  const { openUpstreamDoor } = await import('./upstream-proxy.js');
  return openUpstreamDoor(...given);
}
