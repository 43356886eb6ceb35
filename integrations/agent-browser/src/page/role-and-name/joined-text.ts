import { firstChild, nextSibling, nodeType, parentNode, tagName } from '../dom.js';
import { NameText } from './name-text.js';

/** Text of these is for nobody to read. */
const UNREAD = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE']);

/**
 * The text in an element without more of it than somebody wants, whatever is shown of it at the moment. Unlike
 * `textContent` it keeps apart what stands apart: blocks, and lines.
 */
export function joinedText(element: Element, limit: number): string {
  const text = new NameText();
  let node: Node | null = firstChild(element);
  while (node !== null && text.length < limit) {
    const inside = enter(node, text);
    node = inside ?? following(node, element, text);
  }
  return text.result();
}

/** Adds what a node itself says, and goes into it. */
function enter(node: Node, text: NameText): Node | null {
  if (nodeType(node) === Node.TEXT_NODE) text.add((node as Text).data);
  if (nodeType(node) !== Node.ELEMENT_NODE) return null;
  const element = node as Element;
  const tag = tagName(element);
  if (tag === 'BR') text.gap();
  if (UNREAD.has(tag)) return null;
  text.edge(element);
  return firstChild(element);
}

function following(node: Node, root: Element, text: NameText): Node | null {
  for (let at: Node | null = node; at !== null && at !== root; at = parentNode(at)) {
    if (nodeType(at) === Node.ELEMENT_NODE) text.edge(at as Element);
    const next = nextSibling(at);
    if (next !== null) return next;
  }
  return null;
}
