import { elementsIn, nextSibling, parentNode, previousSibling } from '../dom.js';

/** Siblings on either side whose row a change of an element may change. */
const NEIGHBOURS = 20;
/** Attributes that change often and say nothing of rows. */
const SILENT_ATTRIBUTE = /^(?:class|style|data-.*)$/;

/** The elements whose row mutations may have changed: those around what changed, with their neighbours. */
export class Touched {
  /** How many elements have been added. */
  added = 0;
  readonly #elements = new Set<Element>();
  readonly #climbed = new Set<Node>();

  constructor(records: readonly MutationRecord[]) {
    for (const record of records) this.#note(record);
  }

  has(element: Element): boolean {
    return this.#elements.has(element);
  }

  #note({ type, target, attributeName, previousSibling, nextSibling, addedNodes }: MutationRecord): void {
    if (type === 'attributes' && SILENT_ATTRIBUTE.test(attributeName ?? '')) return;
    this.#climb(target);
    if (type !== 'childList') return;
    for (const node of [previousSibling, nextSibling, ...addedNodes]) if (node !== null) this.#near(node);
    for (const node of addedNodes) if (node instanceof Element) this.added += 1 + elementsIn(node, '*').length;
  }

  /** What changes in a node changes what is around it. */
  #climb(from: Node): void {
    for (let node: Node | null = from; node !== null && !this.#climbed.has(node); node = nodeAround(node)) {
      this.#climbed.add(node);
      this.#near(node);
    }
  }

  #near(node: Node): void {
    if (node instanceof Element) this.#elements.add(node);
    // Whether a row begins with what is before it or behind it is told by the first of its siblings.
    const before = this.#addFrom(node, previousSibling, NEIGHBOURS);
    this.#addFrom(node, nextSibling, before === 0 ? Number.POSITIVE_INFINITY : NEIGHBOURS);
  }

  /** Adds the elements on one side of a node. Returns how many there were. */
  #addFrom(from: Node, step: (node: Node) => Node | null, most: number): number {
    let count = 0;
    for (let node = step(from); node !== null && count < most; node = step(node)) {
      if (!(node instanceof Element)) continue;
      this.#elements.add(node);
      count++;
    }
    return count;
  }
}

/** The node around another, out of shadow trees as well. */
function nodeAround(node: Node): Node | null {
  return node instanceof ShadowRoot ? node.host : parentNode(node);
}
