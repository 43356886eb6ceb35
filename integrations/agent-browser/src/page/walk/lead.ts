import { getAttribute, nodeType, parentNode, tagName, textContent } from '../dom.js';
import { RowReader } from './row-reader.js';
import { isDialog } from './row-shape.js';

/** How far up what stands before an element is looked for. */
const LEVELS = 4;
/** Nodes before it that are looked at on one level. */
const NEIGHBOURS = 12;
/** What is longer, or made of more elements, is a part of the page of its own. */
const LONGEST_LEAD = 120;
const MOST_ELEMENTS = 10;

/** Parts of a page: what stands in them stands beside each other for other reasons than that it belongs together. */
const PARTS = new Set(['BODY', 'HTML', 'MAIN', 'FORM', 'NAV', 'HEADER', 'FOOTER', 'ASIDE', 'SECTION', 'P', 'TABLE']);
const previousSibling = (node: Node): Node | null => node.previousSibling;

const CONTROLS = 'a, button, input, select, textarea';

/** What stands before an element. */
export interface Lead {
  read: RowReader;
  /** It is one piece of mere text, such as the first row of two that belong together. */
  isTitle: boolean;
}

/**
 * What stands right before an element that is in no row: of a row that is the only one of its kind, or that is made of
 * the children of a grid one after another, it is what says what the row is about. What stands behind is rather what came of an action.
 */
export function leadOf(element: Element): Lead | undefined {
  let at = element;
  for (let level = 0; level < LEVELS; level++) {
    const parent = parentNode(at);
    if (!(parent instanceof Element) || isDialog(parent)) return undefined;
    if (PARTS.has(tagName(parent)) && !isGrid(parent)) return undefined;
    const lead = before(at);
    if (lead === undefined || lead.read.said.key !== '' || lead.read.held.key !== '') return lead;
    at = parent;
  }
  return undefined;
}

/** Reads back to the namesake of the element, where the row before it ends; undefined when it is too much. */
function before(element: Element): Lead | undefined {
  const nodes: Node[] = [];
  for (let node = previousSibling(element); node !== null; node = previousSibling(node)) {
    if (node instanceof Element && isNamesake(node, element)) break;
    if (nodes.push(node) > NEIGHBOURS) break;
  }
  const reader = new RowReader({ elements: MOST_ELEMENTS });
  const telling = nodes.filter(node => textContent(node)?.trim() !== '');
  for (const node of nodes.reverse()) {
    if (nodeType(node) === Node.TEXT_NODE) reader.said.add((node as Text).data);
    else if (node instanceof Element && reader.element(node)) reader.read(node, 0);
  }
  if (reader.isLarge || reader.said.compared.length > LONGEST_LEAD) return undefined;
  return { read: reader, isTitle: telling.length === 1 && !hasControl(telling[0] as Node) };
}

function hasControl(node: Node): boolean {
  return node instanceof Element && (node.matches(CONTROLS) || node.querySelector(CONTROLS) !== null);
}

function isNamesake(a: Element, b: Element): boolean {
  return (
    tagName(a) === tagName(b) &&
    getAttribute(a, 'aria-label') === getAttribute(b, 'aria-label') &&
    textContent(a) === textContent(b)
  );
}

function isGrid(element: Element): boolean {
  return getComputedStyle(element).display.includes('grid');
}
