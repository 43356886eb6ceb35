import { closest } from '../dom.js';

/** Elements that listen for presses, as the DevTools protocol tells: no script can see the listeners of others. */
export class Listeners {
  #elements = new Map<number, WeakRef<Element>>();
  #listening = new WeakSet<Element>();
  /** Drawings that have such elements in them. */
  #drawings = new WeakSet<Element>();
  #met = new WeakSet<ShadowRoot>();
  #unasked: ShadowRoot[] = [];
  /** Shadow roots that walks have come to. */
  roots = 0;

  /** @param onNews Called when there are others than before. */
  constructor(readonly onNews: () => void) {}

  get areNone(): boolean {
    return this.#elements.size === 0;
  }

  has(element: Element): boolean {
    return this.#listening.has(element);
  }

  hasIn(drawing: Element): boolean {
    return this.#drawings.has(drawing);
  }

  /** Notes a shadow root: the protocol is asked for the listeners in each by itself. */
  meet(root: ShadowRoot): void {
    if (this.#met.has(root)) return;
    this.#met.add(root);
    this.#unasked.push(root);
    this.roots++;
  }

  /** Called over the DevTools protocol. Returns the shadow roots that it does not know yet. */
  takeRoots(): ShadowRoot[] {
    return this.#unasked.splice(0);
  }

  /**
   * Called over the DevTools protocol with the nodes that have begun to listen, and the names of those that have ceased to.
   * Returns how many of them are of this document.
   */
  note(gone: readonly number[], came: readonly number[], nodes: readonly unknown[]): number {
    for (const name of gone) {
      const element = this.#elements.get(name)?.deref();
      if (element !== undefined) this.#listening.delete(element);
      this.#elements.delete(name);
    }
    const before = this.#elements.size;
    for (const [index, node] of nodes.entries()) {
      const name = came[index];
      if (name === undefined || !(node instanceof Element)) continue;
      this.#elements.set(name, new WeakRef(node));
      this.#listening.add(node);
      const drawing = node instanceof SVGElement ? closest(node, 'svg') : null;
      if (drawing !== null) this.#drawings.add(drawing);
    }
    const news = gone.length + this.#elements.size - before;
    if (news > 0) this.onNews();
    return news;
  }
}
