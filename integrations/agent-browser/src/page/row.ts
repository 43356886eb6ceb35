import {
  firstChild,
  firstElementChild,
  getAttribute,
  nextElementSibling,
  nextSibling,
  nodeType,
  parentNode,
  previousElementSibling,
  tagName,
} from './dom.js';
import { parentInFlatTree } from './flat-tree.js';

/** How much of a row's text tells it from its neighbours. */
const ROW_TEXT = 200;
/** A row with more elements than this is a section of the page, whose text changes for reasons of its own. */
const ROW_ELEMENTS = 120;

const ROW_TAGS = new Set(['LI', 'TR', 'ARTICLE', 'OPTION', 'DT', 'DD']);
const ROW_ROLES = new Set(['row', 'listitem', 'article', 'option', 'treeitem', 'menuitem']);
/** Their text is the control's own state or changes by itself, so it does not say which row this is. */
const NOT_ROW_TEXT = new Set([
  'BUTTON',
  'SELECT',
  'TEXTAREA',
  'SCRIPT',
  'STYLE',
  'TIME',
  'TEMPLATE',
  'NOSCRIPT',
  'SVG',
]);
const NOT_ROW_ROLES = new Set(['button', 'timer', 'switch', 'progressbar', 'tooltip']);

/** A row of the page: one of several alike, such as a list item, a table row or a card. */
export interface Row {
  readonly element: Element;
  readonly text: string;
  readonly above: Row | null;
}

/** Looks rows up for as long as the page stands still. */
export class Rows {
  #at = new Map<Node, Row | null>();

  /** The nearest row at or above a node. */
  #rowAt(node: Node | null): Row | null {
    const path: Node[] = [];
    let row: Row | null = null;
    for (let current = node; current !== null; current = parentInFlatTree(current)) {
      const seen = this.#at.get(current);
      if (seen !== undefined) {
        row = seen;
        break;
      }
      path.push(current);
    }
    for (let i = path.length - 1; i >= 0; i--) {
      const current = path[i] as Node;
      if (current instanceof Element && isRow(current)) row = makeRow(current, row);
      this.#at.set(current, row);
    }
    return row;
  }

  /** Text of the nearest row that holds the element and says more than the element's own name; '' when there is none. */
  textFor(element: Element, ownName: string): string {
    let row = this.#rowAt(parentInFlatTree(element));
    while (row !== null && (row.text === '' || row.text === ownName)) row = row.above;
    return row === null ? '' : row.text;
  }
}

function makeRow(element: Element, above: Row | null): Row {
  let text: string | undefined;
  return {
    element,
    above,
    get text() {
      text ??= textOfRow(element);
      return text;
    },
  };
}

function isRow(element: Element): boolean {
  const tag = tagName(element);
  if (ROW_TAGS.has(tag)) return true;
  const role = getAttribute(element, 'role');
  if (role !== null) return ROW_ROLES.has(role);
  return tag === 'DIV' && hasTwin(element);
}

/** A card: a sibling has the same tag and the same class. */
function hasTwin(element: Element): boolean {
  const names = getAttribute(element, 'class');
  if (names === null || names === '' || firstElementChild(element) === null) return false;
  const next = nextElementSibling(element);
  if (next !== null && tagName(next) === 'DIV' && getAttribute(next, 'class') === names) return true;
  const previous = previousElementSibling(element);
  return previous !== null && tagName(previous) === 'DIV' && getAttribute(previous, 'class') === names;
}

function textOfRow(row: Element): string {
  let text = '';
  let elements = 0;
  let node: Node | null = firstChild(row);
  while (node !== null) {
    if (nodeType(node) === Node.TEXT_NODE) {
      if (text.length < ROW_TEXT) text += ` ${(node as Text).data.slice(0, 4 * ROW_TEXT).trim()}`;
    } else if (nodeType(node) === Node.ELEMENT_NODE) {
      if (++elements > ROW_ELEMENTS) return '';
      const child = firstChild(node);
      if (child !== null && !isControl(node as Element)) {
        node = child;
        continue;
      }
    }
    node = following(node, row);
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, ROW_TEXT);
}

function isControl(element: Element): boolean {
  if (NOT_ROW_TEXT.has(tagName(element).toUpperCase())) return true;
  const role = getAttribute(element, 'role');
  return role !== null && NOT_ROW_ROLES.has(role);
}

function following(node: Node, root: Node): Node | null {
  for (let current: Node | null = node; current !== null && current !== root; current = parentNode(current)) {
    const next = nextSibling(current);
    if (next !== null) return next;
  }
  return null;
}
