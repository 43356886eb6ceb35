import { type Door, openDoor } from './door.js';
import { openUpstreamDoor, type Upstream } from './upstream.js';

/** The ways out of one browser's contexts: one each, closed together. */
export class Doors {
  readonly #open = new Set<Door>();

  /** @param upstream A proxy that all traffic goes on to. */
  constructor(readonly upstream?: Upstream) {}

  async open(): Promise<Door> {
    const onClose = (closed: Door): void => void this.#open.delete(closed);
    const door = await (this.upstream === undefined ? openDoor(onClose) : openUpstreamDoor(this.upstream, onClose));
    this.#open.add(door);
    return door;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map(door => door.close()));
  }
}
