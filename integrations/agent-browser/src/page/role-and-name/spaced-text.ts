import { firstChild, firstElementChild, nextSibling, nodeType, tagName, textContent } from '../dom.js';
import { NameText } from './name-text.js';

const UNREAD_TAGS = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT']);

/** The text in an element up to about so many characters. What does not stand in one line of text is kept apart. */
export function spacedText(element: Element, limit: number): string {
  if (firstElementChild(element) === null) return collapse((textContent(element) ?? '').slice(0, 4 * limit), limit);
  const text = new NameText();
  add(element, text, limit);
  return collapse(text.result(), limit);
}

function add(element: Element, text: NameText, limit: number): void {
  for (let node = firstChild(element); node !== null && text.length < limit; node = nextSibling(node)) {
    if (nodeType(node) === 3) text.add((node as Text).data.slice(0, 4 * limit));
    else if (node instanceof Element && !UNREAD_TAGS.has(tagName(node))) {
      text.edge(node);
      if (tagName(node) === 'BR') text.gap();
      else add(node, text, limit);
      text.edge(node);
    }
  }
}

function collapse(text: string, limit: number): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, limit);
}
