import { firstChild, getAttribute, nextSibling, nodeType, parentNode, tagName } from '../dom.js';
import { labellersOf } from '../role-and-name/references.js';
import { shadowRootOf } from '../visibility/tree-scope.js';
import { hash } from './hash.js';
import { Rows } from './row.js';

/** Attributes that names are made of. */
const SPEAKING = ['role', 'aria-label', 'alt', 'title', 'value', 'placeholder'];
/** Nodes that are read of one element; what is larger counts as unknown. */
const MOST_NODES = 5000;

/** What the document itself says of an element, whatever its style sheets show of it. */
export interface Matter {
  /** Hash of the element and its labels. */
  own: number;
  /** Hash of its row. */
  row: number;
  /** The nodes that were read. */
  nodes: WeakSet<Node>;
}

/**
 * What the document says of an element: a name that changes because the mouse is there (`:hover::after`, a tooltip inside
 * a link) is no other element. Undefined when it is too much to read.
 * @param among Elements that are not among these nodes are left out with all that is in them.
 */
export function matterOf(element: Element, among?: WeakSet<Node>): Matter | undefined {
  const reader = new MatterReader(among);
  reader.read(element);
  for (const label of (element as Partial<HTMLInputElement>).labels ?? []) reader.read(label);
  for (const labeller of labellersOf(element)) reader.read(labeller);
  if (reader.left <= 0) return undefined;
  return { own: reader.value, row: new Rows().of(element, '').hash, nodes: reader.nodes };
}

class MatterReader {
  value = hash('');
  left = MOST_NODES;
  readonly nodes = new WeakSet<Node>();

  constructor(readonly among?: WeakSet<Node>) {}

  read(root: Node): void {
    this.#visit(root);
    let node = firstChild(root);
    while (node !== null && this.left > 0) {
      const isLeftOut = node instanceof Element && this.among?.has(node) === false;
      if (!isLeftOut) this.#visit(node);
      node = (isLeftOut ? null : firstChild(node)) ?? following(node, root);
    }
  }

  #visit(node: Node): void {
    this.left--;
    this.nodes.add(node);
    if (nodeType(node) === Node.TEXT_NODE) this.#add((node as Text).data);
    else if (nodeType(node) === Node.ELEMENT_NODE) this.#element(node as Element);
  }

  #element(element: Element): void {
    this.#add(tagName(element));
    for (const attribute of SPEAKING) {
      const text = getAttribute(element, attribute);
      if (text !== null) this.#add(`${attribute}=${text}`);
    }
    const shadow = shadowRootOf(element);
    if (shadow != null) this.read(shadow);
  }

  #add(text: string): void {
    this.value = hash('\0', hash(text, this.value));
  }
}

function following(node: Node, root: Node): ChildNode | null {
  for (let current: Node | null = node; current !== null && current !== root; current = parentNode(current)) {
    const next = nextSibling(current);
    if (next !== null) return next;
  }
  return null;
}
