import { assignedSlot, getAttribute, hasAttribute, nodeType } from '../dom.js';
import { shadowRootOf } from '../visibility/tree-scope.js';
import { GeneratedIndex } from './generated-index.js';
import type { Pass } from './pass.js';
import { unescapeCss } from './selector-subjects.js';

/** Text before or after an element's content; `apart` when it does not stand in line with it. */
export interface PseudoText {
  text: string;
  apart: boolean;
}

/** Text that CSS adds to an element, or shows in its place. */
export interface GeneratedText {
  before: PseudoText | undefined;
  after: PseudoText | undefined;
  replacement: string | undefined;
}

/** Undefined when CSS adds nothing. `scope` is the element's tree scope. */
export function generatedTextOf(element: Element, scope: Node, pass: Pass): GeneratedText | undefined {
  let index = pass.generated.get(scope);
  if (index === undefined) {
    index = new GeneratedIndex(scope);
    pass.generated.set(scope, index);
  }
  if (!index.mayHave(element) && !isStyledFromElsewhere(element, scope)) return undefined;
  const before = pseudoText(element, getComputedStyle(element, '::before'));
  const after = pseudoText(element, getComputedStyle(element, '::after'));
  // So rare that it is not worth a third style of every element on pages whose style sheets cannot be read.
  const own = index.isBlind ? undefined : getComputedStyle(element);
  const replacement = own && replacementText(element, own);
  if (before === undefined && after === undefined && replacement === undefined) return undefined;
  return { before, after, replacement };
}

/** :host, ::slotted and ::part style elements of one tree from the sheets of another. */
function isStyledFromElsewhere(element: Element, scope: Node): boolean {
  if (shadowRootOf(element) || assignedSlot(element) !== null) return true;
  return nodeType(scope) === Node.DOCUMENT_FRAGMENT_NODE && hasAttribute(element, 'part');
}

function pseudoText(element: Element, style: CSSStyleDeclaration): PseudoText | undefined {
  const { content } = style;
  if (NO_TEXT.has(content)) return undefined;
  const { text } = textOfContent(element, content);
  if (text === '' || style.display === 'none' || style.visibility !== 'visible') return undefined;
  return { text, apart: style.display !== 'inline' };
}

/** The alternative text of an element that CSS replaces: `content: url(star.svg) / "Favourite"`. */
function replacementText(element: Element, { content }: CSSStyleDeclaration): string | undefined {
  if (NO_TEXT.has(content)) return undefined;
  const { text, isAlternative } = textOfContent(element, content);
  return isAlternative ? text : undefined;
}

const NO_TEXT = new Set(['', 'none', 'normal', '""']);
const LONGEST_CONTENT = 20_000;
/** Strings, the slash before the alternative, and functions, whose own strings are no text (CSS Content 3). */
const CONTENT_PART = /"((?:[^"\\]|\\.)*)"|(\/)|([\w-]+)\(((?:"(?:[^"\\]|\\.)*"|\([^()]*\)|[^()"])*)\)/gs;

function textOfContent(element: Element, content: string): { text: string; isAlternative: boolean } {
  let text = '';
  let isAlternative = false;
  for (const [, string, slash, name, argument] of content.slice(0, LONGEST_CONTENT).matchAll(CONTENT_PART)) {
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
