import {
  closest,
  firstChild,
  getAttribute,
  hasAttribute,
  localName,
  nextSibling,
  nodeType,
  tagName,
  textContent,
} from '../dom.js';
import { hasWidgetRole } from '../role-and-name/interactive.js';
import { roleOf } from '../role-and-name/role.js';
import { childrenOf, dataOf, familyOf, ITEMS } from './families.js';

/** A thing that is pressed as a whole says no more than so many characters. */
const ITEM_TEXT = 300;
/** An element with data attached to it is a control of its own only where it says little. */
const CONTROL_TEXT = 60;
/** Cells that hold more than so many characters are columns of a table rather than fields of a board or days of a month. */
const FIELD_TEXT = 3;
/** So many of them make a board or a month, whatever heads it. */
const BOARD = 7;
const MOST_ELEMENTS = 3_000;
const ICON_CLASS =
  /(^|[\s_-])(icon|icons|glyph|glyphicon|fa|fas|far|close|prev|previous|next|arrow|remove|delete|handle|toggle|toggler|expand|expander|caret|chevron)([\s_-]|$)/i;
const BUTTON_CLASS = /(^|\s)(btn|button)(\s|$)/i;
/** Attributes in which pages that listen at their root keep what a press is for. */
const DEEDS = ['data-action', 'data-toggle', 'data-dismiss', 'data-bs-toggle', 'data-bs-dismiss'];
/** A class that ends so; what it begins, such as `btn-group`, holds buttons. */
const NAMED_BUTTON = /(^|\s)([\w-]*[-_])?(btn|button)(\s|$)/i;
const NAMED_SIGN = /(^|[\s_-])(close|prev|previous|next|remove|delete|toggle|toggler)(\s|$)/i;
const WIDGETS =
  'a, button, input, label, select, summary, textarea, [role], [tabindex], [contenteditable], [draggable="true"]';
/** Signs that people press, as far as they are no letters and no punctuation of a text. */
const SIGN = /^[+−×÷✕✖✗✘⨯❌▸▾▶▼▲△▽◀◂‹›«»❮❯←→↑↓⟨⟩⋮⋯☰★☆♥♡♦⚙🔍🗑✎✏⊕⊖⊗↺↻⏎⌫⌦xX<>-]+\ufe0f?$/u;
const CLOSE = /^[×✕✖✗✘⨯❌⊗xX]\ufe0f?$/u;

/** The parts of an element that listens for presses on all of it. */
export interface ListenerParts {
  /** The parts that a person presses. */
  parts: Element[];
  /** Some of them are things of one kind. */
  hasFamily: boolean;
  /** Things of one kind have listeners of their own. */
  hasOwnFamily: boolean;
  /** There are widgets, or elements with listeners of their own, which the listener may be there for. */
  hasWidgets: boolean;
}

/** Finds out what a person presses in an element that listens for all that is in it. */
export class PartFinder {
  hasFamily = false;
  hasOwnFamily = false;
  hasWidgets = false;
  #left = MOST_ELEMENTS;

  /** @param listens Whether an element has a listener of its own. */
  constructor(readonly listens: (element: Element) => boolean) {}

  inside(element: Element): ListenerParts {
    const parts = this.#partsIn(element, false);
    return { parts, hasFamily: this.hasFamily, hasOwnFamily: this.hasOwnFamily, hasWidgets: this.hasWidgets };
  }

  /** @param inItem Whether it is one of several things of a kind, so that what is alike in it are its lines. */
  #partsIn(element: Element, inItem: boolean): Element[] {
    const children = childrenOf(element);
    this.#left -= children.length;
    if (this.#left < 0) return [];
    const family = familyOf(
      children,
      (others, members) =>
        hasOwnText(element) || !(isBoard(members) || others.every(other => isSign(other) || isWidget(other))),
    );
    const isFamily = family !== undefined && (family.isMarked || !inItem);
    const members = new Set(isFamily ? family.members : []);
    return children.flatMap(child => this.#partsOf(child, members.has(child)));
  }

  #partsOf(child: Element, isMember: boolean): Element[] {
    if (isWidget(child) || this.listens(child)) {
      this.hasWidgets = true;
      this.hasOwnFamily ||= isMember;
      return [];
    }
    const tag = localName(child);
    if (tag === 'tr' && !hasFieldsOnly(child)) return this.#row(child);
    if (tag === 'th' && !isOperable(child)) return [];
    const hadWidgets = this.hasWidgets;
    this.hasWidgets = false;
    const inner = this.#partsIn(child, isMember);
    const holdsWidgets = this.hasWidgets;
    this.hasWidgets ||= hadWidgets;
    const isItem = isMember && !holdsWidgets && saysAtMost(child, ITEM_TEXT);
    if (inner.length > 0) {
      // A sign in a thing does something else than the thing; one that takes it away is what there is to press of it.
      const isOpened = isItem && inner.every(isSign) && !inner.some(isClose);
      if (isOpened || isLikeItsParts(child, inner)) return this.#asFamily([child, ...inner]);
      const head = isMember ? headOfBranch(child, inner) : undefined;
      return head === undefined ? inner : this.#asFamily([head, ...inner]);
    }
    if (isItem) return this.#asFamily([child]);
    if (holdsWidgets) return [];
    const isControl = dataOf(child).length > 0 || BUTTON_CLASS.test(getAttribute(child, 'class') ?? '');
    return isSign(child) || (isControl && saysAtMost(child, CONTROL_TEXT)) ? [child] : [];
  }

  #row(row: Element): Element[] {
    const hadWidgets = this.hasWidgets;
    this.hasWidgets = false;
    const inner = this.#partsIn(row, true);
    const holdsWidgets = this.hasWidgets;
    this.hasWidgets ||= hadWidgets;
    const isHead = childrenOf(row).every(cell => localName(cell) === 'th');
    if (isHead || holdsWidgets) return inner.filter(part => !isCell(part) || isHead);
    return saysAtMost(row, ITEM_TEXT) ? this.#asFamily([row]) : [];
  }

  #asFamily(items: Element[]): Element[] {
    this.hasFamily = true;
    return items;
  }
}

/** Whether any element of the document is a button by its look. */
export function hasButtonsByLook(): boolean {
  return [...document.querySelectorAll('*')].some(isButtonByLook);
}

/** An element that says by its class or its data that it is pressed, with no widget around or in it. */
export function isButtonByLook(element: Element): boolean {
  const classes = getAttribute(element, 'class') ?? '';
  const isNamed = NAMED_BUTTON.test(classes) || (NAMED_SIGN.test(classes) && isSign(element));
  if (!isNamed && !DEEDS.some(name => hasAttribute(element, name))) return false;
  const isFree = closest(element, WIDGETS) === null && element.querySelector(WIDGETS) === null;
  return isFree && saysAtMost(element, CONTROL_TEXT);
}

function isWidget(element: Element): boolean {
  return (
    getAttribute(element, 'draggable') === 'true' ||
    hasWidgetRole(element, tagName(element), roleOf(element)) ||
    // What scripts alone can focus does nothing by itself.
    (hasAttribute(element, 'tabindex') && (element as HTMLElement).tabIndex >= 0) ||
    hasAttribute(element, 'contenteditable')
  );
}

function isCell(element: Element): boolean {
  return ITEMS.has(localName(element)) && /^t[dh]$/.test(localName(element));
}

/** The fields of a board, the days of a month, seats: cells that are nothing but themselves. */
export function hasFieldsOnly(row: Element): boolean {
  const cells = childrenOf(row).filter(cell => localName(cell) === 'td');
  if (cells.length < 2) return cells.length === 0 && childrenOf(row).some(isOperable);
  return cells.every(cell => saysAtMost(cell, FIELD_TEXT) || dataOf(cell).length > 0);
}

/** A heading of a column that does something when it is pressed says so. */
function isOperable(cell: Element): boolean {
  if (dataOf(cell).length > 0 || hasAttribute(cell, 'aria-sort')) return true;
  return /sort|prev|next|switch/i.test(getAttribute(cell, 'class') ?? '') || isSign(cell);
}

/** A node of a tree, with those below it. */
function isLikeItsParts(element: Element, parts: readonly Element[]): boolean {
  const own = getAttribute(element, 'class');
  return own !== null && own !== '' && hasOwnText(element) && parts.some(part => getAttribute(part, 'class') === own);
}

/** What a person presses of a list item to open or close the list in it. */
function headOfBranch(item: Element, parts: readonly Element[]): Element | undefined {
  const children = childrenOf(item);
  if (localName(item) !== 'li' || !children.some(isList)) return undefined;
  if (hasOwnText(item)) return item;
  const head = children.find(child => !isList(child) && !isSign(child) && wordsOf(child) !== '');
  const isFree = head !== undefined && !isWidget(head) && childrenOf(head).every(child => !isWidget(child));
  return isFree && !parts.includes(head) && saysAtMost(head, CONTROL_TEXT) ? head : undefined;
}

function isList(element: Element): boolean {
  return localName(element) === 'ul' || localName(element) === 'ol';
}

/** Many things of a letter or two. */
function isBoard(elements: readonly Element[]): boolean {
  return elements.length >= BOARD && elements.every(element => saysAtMost(element, FIELD_TEXT));
}

function hasOwnText(element: Element): boolean {
  for (let node = firstChild(element); node !== null; node = nextSibling(node))
    if (nodeType(node) === 3 && /\S/.test((node as Text).data)) return true;
  return false;
}

function wordsOf(element: Element): string {
  return (textContent(element) ?? '').trim();
}

function saysAtMost(element: Element, length: number): boolean {
  return wordsOf(element).length <= length;
}

/** A picture or a sign without words. */
export function isSign(element: Element): boolean {
  const words = wordsOf(element);
  if (words !== '') return SIGN.test(words) && childrenOf(element).length === 0;
  const tag = localName(element);
  if (tag === 'img' || tag === 'svg') return true;
  const children = childrenOf(element);
  if (children.length === 0) return ICON_CLASS.test(getAttribute(element, 'class') ?? '');
  return children.length === 1 && isSign(children[0] as Element);
}

export function isClose(element: Element): boolean {
  const words = wordsOf(element);
  return words === '' ? /close|remove|delete/i.test(getAttribute(element, 'class') ?? '') : CLOSE.test(words);
}
