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
import { hash, mix } from './hash.js';
import { shadowRootOf } from './tree-scope.js';

/** How much of a row's text is told. */
const ROW_TEXT = 200;
/** How much of it is compared. */
const COMPARED_TEXT = 1000;
/** A row with more elements than this is a section of the page, whose text changes for reasons of its own. */
const ROW_ELEMENTS = 120;
/** Shadow trees inside a row are read this deep. */
const ROOTS_DEEP = 10;

const ROW_TAGS = new Set(['LI', 'TR', 'ARTICLE', 'OPTION', 'DT', 'DD']);
const ROW_ROLES = new Set(['row', 'listitem', 'article', 'option', 'treeitem', 'menuitem']);
/** Elements that stand beside others of their kind without being a row. */
const NEVER_ROWS = new Set(['TD', 'TH', 'TBODY', 'BODY', 'HEAD', 'SLOT']);
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
interface Row {
  /** It says itself that it is a row; else it only looks like what stands beside it. */
  readonly isDeclared: boolean;
  readonly text: string;
  readonly hash: number;
  readonly above: Row | null;
}

/** Among which others alike an element stands. */
export interface RowOf {
  /** What tells the row from its neighbours; '' when the element is in no row. */
  text: string;
  /** Differs where the rows around the element differ; 0 when it is in none. */
  hash: number;
}

const NO_ROW: RowOf = { text: '', hash: 0 };

/** Looks rows up for as long as the page stands still. */
export class Rows {
  #at = new Map<Node, Row | null>();

  /**
   * The row that holds the element and says more than the element's own name. A row that only looks like one may be a
   * part of the real one (the actions of a card), so what is around it is compared as well.
   */
  of(element: Element, ownName: string): RowOf {
    const nearest = telling(this.#rowAt(parentInFlatTree(element)), ownName);
    if (nearest === null) return NO_ROW;
    let around = nearest;
    while (!around.isDeclared && around.above !== null) around = around.above;
    if (!around.isDeclared || around.text === '') around = telling(nearest.above, nearest.text) ?? nearest;
    const shown = around.isDeclared ? around : nearest;
    const value = around === nearest ? nearest.hash : mix(around.hash, nearest.hash);
    return { text: shown.text.slice(0, ROW_TEXT), hash: value };
  }

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
      if (current instanceof Element) row = rowFrom(current, row);
      this.#at.set(current, row);
    }
    return row;
  }
}

/** The nearest row, this one or above it, that says anything but the given text. */
function telling(row: Row | null, known: string): Row | null {
  let at = row;
  while (at !== null && (at.text === '' || at.text === known)) at = at.above;
  return at;
}

/** The row that an element is; else the one above it. */
function rowFrom(element: Element, above: Row | null): Row | null {
  const isDeclared = isDeclaredRow(element);
  if (!isDeclared && !looksLikeRow(element)) return above;
  let text: string | undefined;
  let value: number | undefined;
  return {
    isDeclared,
    above,
    get text() {
      text ??= textOfRow(element);
      return text;
    },
    get hash() {
      value ??= hash(this.text);
      return value;
    },
  };
}

function isDeclaredRow(element: Element): boolean {
  if (ROW_TAGS.has(tagName(element))) return true;
  const role = getAttribute(element, 'role');
  return role !== null && ROW_ROLES.has(role);
}

/** A card: it looks like a sibling, or like the next but one, for rules and advertisements stand between cards. */
function looksLikeRow(element: Element): boolean {
  if (NEVER_ROWS.has(tagName(element)) || (firstElementChild(element) === null && shadowRootOf(element) == null)) {
    return false;
  }
  return hasTwin(element, nextElementSibling) || hasTwin(element, previousElementSibling);
}

function hasTwin(element: Element, step: (from: Element) => Element | null): boolean {
  const beside = step(element);
  if (beside === null) return false;
  if (areAlike(element, beside)) return true;
  const behind = step(beside);
  return behind !== null && areAlike(element, behind);
}

/** Alike in tag and class, or in what they begin with where the class tells rows apart (odd, even, active). */
function areAlike(a: Element, b: Element): boolean {
  const tag = tagName(a);
  if (tagName(b) !== tag) return false;
  const names = getAttribute(a, 'class');
  if (names !== null && names !== '' && names === getAttribute(b, 'class')) return true;
  if (tag.includes('-')) return true;
  const first = firstElementChild(a);
  const other = firstElementChild(b);
  return (
    first !== null &&
    other !== null &&
    tagName(first) === tagName(other) &&
    getAttribute(first, 'class') === getAttribute(other, 'class')
  );
}

/** Text of a row without its controls; '' when it is too large to be one. */
function textOfRow(row: Element): string {
  const reader = new RowReader();
  return reader.read(row, 0) ? reader.text.replace(/\s+/g, ' ').trim().slice(0, COMPARED_TEXT) : '';
}

class RowReader {
  text = '';
  #elements = 0;

  /** False when the row turns out to be larger than rows are. */
  read(root: Element | ShadowRoot, roots: number): boolean {
    let node: Node | null = firstChild(root);
    while (node !== null) {
      const type = nodeType(node);
      if (type === Node.TEXT_NODE) this.#add((node as Text).data);
      else if (type === Node.ELEMENT_NODE) {
        if (++this.#elements > ROW_ELEMENTS) return false;
        const inside = this.#enter(node as Element, roots);
        if (inside === false) return false;
        if (inside !== null) {
          node = inside;
          continue;
        }
      }
      node = following(node, root);
    }
    if (!(root instanceof Element)) return true;
    const shadow = shadowRootOf(root);
    return shadow == null || this.read(shadow, roots + 1);
  }

  /** What to read inside an element; null when there is nothing of interest, false when it is too much. */
  #enter(element: Element, roots: number): Node | null | false {
    if (isControl(element)) return null;
    if (tagName(element) === 'IMG') this.#add(getAttribute(element, 'alt') ?? '');
    const shadow = shadowRootOf(element);
    if (shadow != null && roots < ROOTS_DEEP && !this.read(shadow, roots + 1)) return false;
    return firstChild(element);
  }

  #add(text: string): void {
    if (this.text.length < COMPARED_TEXT) this.text += ` ${text.slice(0, 4 * COMPARED_TEXT).trim()}`;
  }
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
