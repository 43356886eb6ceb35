import {
  checkVisibility,
  firstChild,
  hasAttribute,
  NameText,
  nextSibling,
  nodeType,
  parentNode,
  tagName,
} from '../dom/dom.js';
import { VISIBLE, visibilityOf } from './visibility.js';

/** Elements whose text is not rendered, whatever their style is. */
const UNREAD = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE']);

function isRendered(element: Element): boolean {
  return checkVisibility(element, VISIBLE) || visibilityOf(element) === 'boxless';
}

/** Whether a text is rendered; it may still be unreadable. */
export function isTextRendered(text: Text): boolean {
  const parent = parentNode(text);
  if (parent instanceof HTMLDetailsElement && !hasAttribute(parent, 'open')) return false;
  return !(parent instanceof Element) || isRendered(parent);
}

/** The rendered text of an element, cut near `limit`. Unlike `textContent` it separates blocks and lines. */
export function seenText(root: Element, limit: number): string {
  const text = new NameText();
  // An element that is not rendered itself has all of its text, as where a label names it (AccName 1.2, 2A).
  const isSeen = isRendered(root);
  let node: Node | null = firstChild(root);
  while (node !== null && text.length < limit) {
    const inside = enterNode(node, isSeen, text);
    node = inside ?? nextTextNode(node, root, text);
  }
  return text.result();
}

/** Adds the text of a node and returns its first child. */
function enterNode(node: Node, isSeen: boolean, text: NameText): Node | null {
  // Asked of texts alone: to ask it of each element costs their depth, for each clickable around them.
  if (node instanceof Text && (!isSeen || !/\S/.test(node.data) || isTextRendered(node))) text.add(node.data);
  if (!(node instanceof Element)) return null;
  const tag = tagName(node);
  if (tag === 'BR') text.gap();
  if (UNREAD.has(tag)) return null;
  text.edge(node);
  return firstChild(node);
}

function nextTextNode(node: Node, root: Element, text: NameText): Node | null {
  for (let at: Node | null = node; at !== null && at !== root; at = parentNode(at)) {
    if (nodeType(at) === Node.ELEMENT_NODE) text.edge(at as Element);
    const next = nextSibling(at);
    if (next !== null) return next;
  }
  return null;
}
