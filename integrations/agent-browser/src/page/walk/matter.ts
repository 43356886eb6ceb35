import { firstChild, getAttribute, nextSibling, nodeType, parentNode, tagName } from '../dom.js';
import { labellersOf } from '../role-and-name/references.js';
import { shadowRootOf } from '../visibility/tree-scope.js';
import { hash, mix } from './hash.js';
import { Rows } from './row.js';

/** Attributes that names are made of. */
const SPEAKING = ['role', 'aria-label', 'alt', 'title', 'value', 'placeholder'];
/** Nodes that are read of one element; what is larger counts as unknown. */
const MOST_NODES = 5000;

/**
 * Hash of what the document itself says of an element, whatever its style sheets show of it: a name that changes
 * because the mouse is there (`:hover::after`, a tooltip inside a link) is no other element. 0 when it is unknown.
 */
export function matterOf(element: Element): number {
  const reader = new MatterReader();
  reader.read(element);
  for (const label of (element as Partial<HTMLInputElement>).labels ?? []) reader.read(label);
  for (const labeller of labellersOf(element)) reader.read(labeller);
  return reader.left > 0 ? mix(new Rows().of(element, '').hash, reader.value) || 1 : 0;
}

class MatterReader {
  value = hash('');
  left = MOST_NODES;

  read(root: Node): void {
    this.#visit(root);
    let node = firstChild(root);
    while (node !== null && this.left > 0) {
      this.#visit(node);
      node = firstChild(node) ?? following(node, root);
    }
  }

  #visit(node: Node): void {
    this.left--;
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
