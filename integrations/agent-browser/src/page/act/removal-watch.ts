import { parentNode } from '../dom.js';
import { hostOf } from '../visibility/tree-scope.js';

/** Notices that an element is taken out of its document, also when it is put back at once. */
export class RemovalWatch {
  #wasRemoved = false;
  /** The element and all that is around it, shadow roots and their hosts included. */
  readonly #around = new Set<Node>();
  readonly #observer = new MutationObserver(records => this.#read(records));

  constructor(element: Element) {
    for (let node: Node | null = element; node !== null; node = parentNode(node) ?? hostOf(node)) {
      this.#around.add(node);
      // The root of a tree scope.
      if (parentNode(node) === null) this.#observer.observe(node, { subtree: true, childList: true });
    }
  }

  get wasRemoved(): boolean {
    this.#read(this.#observer.takeRecords());
    return this.#wasRemoved;
  }

  end(): void {
    this.#observer.disconnect();
  }

  #read(records: readonly MutationRecord[]): void {
    this.#wasRemoved ||= records.some(({ removedNodes }) => [...removedNodes].some(node => this.#around.has(node)));
  }
}
