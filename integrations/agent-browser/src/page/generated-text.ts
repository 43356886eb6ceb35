import { unescapeCss } from './css-escape.js';
import { assignedSlot, getAttribute, hasAttribute, nodeType } from './dom.js';
import { GeneratedIndex } from './generated-index.js';
import type { Pass } from './pass.js';
import { shadowRootOf } from './tree-scope.js';

/** Text that CSS puts before or after an element's content; `apart` when it does not stand in line with it. */
export interface GeneratedText {
  text: string;
  apart: boolean;
}

/** Whether it can pay to look for generated text. `scope` is the element's tree scope. */
export function mayHaveGeneratedText(element: Element, scope: Node, pass: Pass): boolean {
  // :host, ::slotted and ::part style elements of one tree from the sheets of another.
  if (shadowRootOf(element) || assignedSlot(element) !== null) return true;
  if (nodeType(scope) === Node.DOCUMENT_FRAGMENT_NODE && hasAttribute(element, 'part')) return true;
  let index = pass.generated.get(scope);
  if (index === undefined) {
    index = new GeneratedIndex(scope);
    pass.generated.set(scope, index);
  }
  return index.mayHave(element);
}

export function pseudoText(element: Element, pseudo: '::before' | '::after'): GeneratedText | undefined {
  const style = getComputedStyle(element, pseudo);
  const { content } = style;
  if (content === 'none' || content === 'normal' || content === '""' || content === '') return undefined;
  const text = textOfContent(element, content).text;
  if (text === '' || style.display === 'none' || style.visibility !== 'visible') return undefined;
  return { text, apart: style.display !== 'inline' };
}

/** The alternative text of an element that CSS replaces: `content: url(star.svg) / "Favourite"`. */
export function replacementText(element: Element): string | undefined {
  const { content } = getComputedStyle(element);
  if (content === 'normal' || content === 'none') return undefined;
  const { text, isAlternative } = textOfContent(element, content);
  return isAlternative ? text : undefined;
}

/** Strings, the slash before the alternative, and functions, whose own strings are no text (CSS Content 3). */
const CONTENT_PART = /"((?:[^"\\]|\\.)*)"|(\/)|([\w-]+)\(((?:"(?:[^"\\]|\\.)*"|\([^()]*\)|[^()"])*)\)/gs;

function textOfContent(element: Element, content: string): { text: string; isAlternative: boolean } {
  let text = '';
  let isAlternative = false;
  for (const [, string, slash, name, argument] of content.matchAll(CONTENT_PART)) {
    if (slash !== undefined) {
      text = '';
      isAlternative = true;
    } else if (string !== undefined) {
      text += unescapeCss(string);
    } else if (name === 'attr') {
      text += getAttribute(element, /[^\s,]+/.exec(argument ?? '')?.[0] ?? '') ?? '';
    }
  }
  return { text, isAlternative };
}
