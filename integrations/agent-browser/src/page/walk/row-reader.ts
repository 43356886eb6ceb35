import { valueKnownBy } from '../act/typed-values.js';
import {
  firstChild,
  getAttribute,
  hasAttribute,
  nextSibling,
  nodeType,
  parentNode,
  tagName,
  textContent,
} from '../dom.js';
import { controlValue, isTextInput } from '../role-and-name/control.js';
import { childOf } from '../role-and-name/native-name.js';
import { labellersOf } from '../role-and-name/references.js';
import { shadowRootOf } from '../visibility/tree-scope.js';
import { isNumber, lasting } from './row-words.js';

/** How much of a row is compared. */
const COMPARED_TEXT = 1000;
/** What a label or button says of a row is said in so many characters. */
const LABEL_TEXT = 200;
/** Shadow trees inside a row are read this deep. */
const ROOTS_DEEP = 10;

const SILENT = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT']);
/** What they say changes by itself. */
const LIVE_TAGS = new Set(['OUTPUT', 'PROGRESS', 'METER']);
const LIVE_ROLES = new Set(['timer', 'progressbar', 'meter', 'tooltip', 'status', 'alert', 'log', 'marquee']);
const BUTTON_INPUTS = new Set(['button', 'submit', 'reset', 'image']);
const HEADING = /^H[1-6]$/;

/** A text as it is told, and as it is compared. */
export class RowText {
  told = '';
  compared = '';
  #worded = '';
  #key: string | undefined;

  add(told: string, compared = told): void {
    if (this.compared.length >= COMPARED_TEXT) return;
    this.told += ` ${told.slice(0, 4 * COMPARED_TEXT).trim()}`;
    const piece = compared.slice(0, 4 * COMPARED_TEXT).trim();
    this.compared += ` ${piece}`;
    this.#worded += isNumber(piece) ? ' 0' : ` ${piece}`;
    this.#key = undefined;
  }

  /** What is compared, without what time makes of it. */
  get key(): string {
    this.#key ??= lasting(this.compared);
    return this.#key;
  }

  /** Likewise, with the pieces blotted out that are nothing but a number. */
  get words(): string {
    return lasting(this.#worded);
  }
}

export interface ReadOptions {
  /** Elements that are read before the row counts as large. */
  elements: number;
  /** Reads no further than the first field. */
  untilField?: boolean;
}

/** Reads what a row says: in text, by what its fields hold, and by what its buttons are called. */
export class RowReader {
  /** Text, pictures and labels. */
  readonly said = new RowText();
  /** Values of fields and drop-downs. */
  readonly held = new RowText();
  /** Names of buttons and check boxes. */
  readonly offered = new RowText();
  /** The first heading. */
  heading = '';
  /** It has more elements than were read. */
  isLarge = false;
  #elements = 0;
  #isDone = false;

  constructor(readonly options: ReadOptions) {}

  row(row: Element): this {
    this.#addLabel(row);
    this.read(row, 0);
    return this;
  }

  read(root: Node, roots: number): void {
    let node: Node | null = firstChild(root);
    while (node !== null && !this.#isDone) {
      node = (this.#visit(node, roots) ? firstChild(node) : null) ?? following(node, root);
    }
    if (!(root instanceof Element) || this.#isDone) return;
    const shadow = shadowRootOf(root);
    if (shadow != null && roots < ROOTS_DEEP) this.read(shadow, roots + 1);
  }

  /** Whether there is more to read inside a node. */
  #visit(node: Node, roots: number): boolean {
    const type = nodeType(node);
    if (type === Node.TEXT_NODE) this.said.add((node as Text).data);
    if (type !== Node.ELEMENT_NODE) return false;
    if (++this.#elements > this.options.elements) {
      this.isLarge = true;
      this.#isDone = true;
      return false;
    }
    return this.element(node as Element, roots);
  }

  /** Reads one element; tells whether what is inside is to be read as well. */
  element(element: Element, roots = 0): boolean {
    const tag = tagName(element).toUpperCase();
    if (SILENT.has(tag) || isLive(element, tag)) return false;
    if (isField(element, tag)) this.#addField(element);
    else if (isButton(element, tag)) this.#addButton(element);
    else if (tag === 'SVG' || tag === 'IMG') this.said.add(pictureText(element, tag));
    else if (hasAttribute(element, 'datetime')) this.#addTime(element);
    else {
      this.#addLabel(element);
      if (this.heading === '' && HEADING.test(tag)) this.heading = (textContent(element) ?? '').slice(0, LABEL_TEXT);
      const shadow = shadowRootOf(element);
      if (shadow != null && roots < ROOTS_DEEP) this.read(shadow, roots + 1);
      return true;
    }
    return false;
  }

  #addLabel(element: Element): void {
    const label = getAttribute(element, 'aria-label');
    if (label !== null) this.said.add(label.slice(0, LABEL_TEXT));
    for (const labeller of labellersOf(element)) this.said.add((textContent(labeller) ?? '').slice(0, LABEL_TEXT));
  }

  #addField(field: Element): void {
    if (this.options.untilField) this.#isDone = true;
    else this.held.add(controlValue(field), valueKnownBy(field));
  }

  /** A toggle is called after what it would do next, so it does not say which row this is. */
  #addButton(button: Element): void {
    if (hasAttribute(button, 'aria-pressed') || getAttribute(button, 'role') === 'switch') return;
    this.offered.add(buttonText(button).slice(0, LABEL_TEXT));
  }

  /** "2 minutes ago" is a moment that stays the same. */
  #addTime(element: Element): void {
    this.said.add((textContent(element) ?? '').slice(0, LABEL_TEXT), getAttribute(element, 'datetime') ?? '');
  }
}

function isLive(element: Element, tag: string): boolean {
  if (LIVE_TAGS.has(tag)) return true;
  const live = getAttribute(element, 'aria-live');
  return LIVE_ROLES.has(getAttribute(element, 'role') ?? '') || (live !== null && live !== 'off');
}

function isField(element: Element, tag: string): boolean {
  if (tag === 'SELECT' || tag === 'TEXTAREA') return true;
  if (tag === 'INPUT') return isTextInput(element);
  const editable = getAttribute(element, 'contenteditable');
  return editable !== null && editable !== 'false';
}

function isButton(element: Element, tag: string): boolean {
  if (tag === 'BUTTON' || tag === 'INPUT') return true;
  const role = getAttribute(element, 'role');
  return role === 'button' || role === 'switch' || role === 'checkbox';
}

function buttonText(button: Element): string {
  const label = getAttribute(button, 'aria-label');
  if (label !== null && label.trim() !== '') return label;
  if (button instanceof HTMLInputElement) return BUTTON_INPUTS.has(button.type) ? button.alt || button.value : '';
  const text = textContent(button) ?? '';
  return text.trim() === '' ? (getAttribute(button, 'title') ?? '') : text;
}

function pictureText(picture: Element, tag: string): string {
  const label = getAttribute(picture, 'aria-label') ?? getAttribute(picture, 'alt');
  if (label !== null && label !== '') return label;
  const title = tag === 'SVG' ? textContent(childOf(picture, 'svg:title') ?? picture) : getAttribute(picture, 'title');
  return title ?? '';
}

function following(node: Node, root: Node): Node | null {
  for (let current: Node | null = node; current !== null && current !== root; current = parentNode(current)) {
    const next = nextSibling(current);
    if (next !== null) return next;
  }
  return null;
}
