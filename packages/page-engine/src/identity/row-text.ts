import { BUTTON_TYPES, controlValue, isTextInput } from '../dom/control.js';
import {
  childOf,
  firstChild,
  getAttribute,
  getAttributeNames,
  hasAttribute,
  hasAttributes,
  nextSibling,
  nodeType,
  parentNode,
  previousSibling,
  shadowRootOf,
  tagName,
  textContent,
} from '../dom/dom.js';
import { labellersOf } from '../names/role.js';
import { DIALOG_ROLES, FIELD_ROLES } from '../names/roles.js';
import { isTextRendered, seenText } from '../visibility/seen-text.js';
import { hash, pathStep } from './element-record.js';

const UNIT = '(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|mos|months?|y|yrs?|years?)';
const SPAN = `(?:(?:\\d+|an?|one)\\s*${UNIT}\\b\\s*)+`;

/** Relative times: "2 min ago", "in 1h 5m", "30 seconds left". Times of day and dates do not change by themselves. */
const VOLATILE = new RegExp(
  `\\b${SPAN}ago\\b|\\bin\\s+${SPAN}|\\b${SPAN}(?:left|remaining|to go)\\b|\\bjust now\\b`,
  'giu',
);
/** One of these words is in every relative time; most texts have none. */
const MAY_CHANGE = /\b(?:ago|in|left|remaining|to go|now)\b/i;
const UNEVEN_SPACE = /\s\s|[^\S ]/;
const NUMBERS = /\p{Nd}+/gu;
const HAS_NUMBER = /\p{Nd}/u;

/** The text without its relative times, white space collapsed. */
function lasting(text: string): string {
  const trimmed = text.trim();
  const tidy = UNEVEN_SPACE.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed;
  return MAY_CHANGE.test(tidy) ? tidy.replace(VOLATILE, '~') : tidy;
}

export function hasWords(text: string): boolean {
  return /\p{L}/u.test(text);
}

/**
 * The text of a row without pieces that only count: "3", "$12.50" and "12:30:59", and "3 likes" where another row has
 * "5 likes". A number among words that its neighbours lack ("Order #17") stays.
 */
export function countless(pieces: readonly Piece[], others: readonly (readonly Piece[])[]): string {
  const isCounted = ({ counting }: Piece): boolean =>
    others.some(other => other.some(piece => piece.counting === counting));
  const isKept = (piece: Piece): boolean => piece.counting === '' || (piece.hasWords && !isCounted(piece));
  return pieces
    .filter(isKept)
    .map(({ text }) => text)
    .join(' ');
}

/** A piece of a row's text, with what comparisons need repeatedly. */
class Piece {
  readonly hasWords: boolean;
  /** The text with each number replaced by a zero; '' where it has none. */
  readonly counting: string;

  constructor(readonly text: string) {
    this.hasWords = /\p{L}/u.test(text);
    const counting = text.replace(NUMBERS, '0');
    this.counting = counting === text && !HAS_NUMBER.test(text) ? '' : counting;
  }
}

const ROW_TAGS = new Set(['LI', 'TR', 'ARTICLE', 'OPTION', 'DT', 'DD']);
const ROW_ROLES = new Set(['row', 'listitem', 'article', 'option', 'treeitem', 'menuitem']);
/** Elements that stand beside others of their kind without being rows. */
const NEVER_ROWS = new Set(['TD', 'TH', 'BODY', 'HEAD', 'HTML', 'DIALOG', 'SLOT']);

const BUTTON_ROLES = new Set(['button', 'switch', 'checkbox']);

/** Share of structure that two rows must have in common; parts such as an error or a badge come and go. */
const ALIKE = 0.5;
/** The same share for declared rows. */
const DECLARED_ALIKE = 0.25;

export function isDeclaredRow(element: Element): boolean {
  if (ROW_TAGS.has(tagName(element))) return true;
  const role = getAttribute(element, 'role');
  return role !== null && ROW_ROLES.has(role);
}

export function canBeRow(element: Element): boolean {
  return !NEVER_ROWS.has(tagName(element)) && !DIALOG_ROLES.has(getAttribute(element, 'role') ?? '');
}

export function isRowField(element: Element, tag = tagName(element)): boolean {
  if (tag === 'SELECT' || tag === 'TEXTAREA') return true;
  if (tag === 'INPUT') return isTextInput(element) || getAttribute(element, 'type') === 'range';
  const editable = getAttribute(element, 'contenteditable');
  if (editable !== null && editable !== 'false') return true;
  return FIELD_ROLES.has(getAttribute(element, 'role') ?? '') || getAttribute(element, 'aria-haspopup') === 'listbox';
}

function isButton(element: Element, tag: string): boolean {
  return tag === 'BUTTON' || tag === 'INPUT' || BUTTON_ROLES.has(getAttribute(element, 'role') ?? '');
}

function isRowControl(element: Element, tag: string): boolean {
  if (tag === 'A' || isButton(element, tag) || getAttribute(element, 'role') === 'option') return true;
  return tag === 'OPTION' || hasAttribute(element, 'tabindex') || getAttribute(element, 'draggable') === 'true';
}

/** Whether an element could be another row beside this one, judged without its content. */
export function isOfKind(element: Element, other: Element): boolean {
  return tagName(other) === tagName(element) && getAttribute(other, 'role') === getAttribute(element, 'role');
}

interface RowShape {
  readonly element: Element;
  /** Hashes of the paths to its elements. */
  readonly shape: ReadonlySet<number>;
  readonly fields: ReadonlySet<string>;
}

/** Whether two rows have the same kinds of fields, and most of their structure in common. */
function areAlike(row: RowShape, other: RowShape): boolean {
  if (row.fields.size !== other.fields.size || [...row.fields].some(kind => !other.fields.has(kind))) return false;
  let common = 0;
  for (const step of row.shape) if (other.shape.has(step)) common++;
  const share = (2 * common) / (row.shape.size + other.shape.size);
  return share >= (isDeclaredRow(row.element) ? DECLARED_ALIKE : ALIKE);
}

/** The parent element, or the host of the shadow tree. */
export function rowHolderOf(element: Element): Element | null {
  const parent = parentNode(element);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}

const MOST_ROW_ELEMENTS = 300;
/** Characters of a row that are reported and compared. */
const MOST_TEXT = 1000;
/** Characters that a label or button contributes to its row. */
const LABEL_TEXT = 200;

const ROW_SILENT_TAGS = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'DATALIST']);
/** Elements whose text changes by itself, or lies over the row rather than in it. */
const PASSING_TAGS = new Set(['OUTPUT', 'PROGRESS', 'METER', 'DIALOG']);
const PASSING_ROLES = new Set(
  'timer progressbar meter tooltip status alert log marquee dialog alertdialog menu listbox'.split(' '),
);
/** Elements that contribute only their content, unless an attribute adds to it. */
const PLAIN_ROW_TAGS = new Set(
  'DIV SPAN P B I EM STRONG SMALL SECTION UL OL DL TD TH TBODY H1 H2 H3 H4 H5 H6'.split(' '),
);
const CONTRIBUTING_ATTRIBUTE = /^(?:role|aria-.*|contenteditable|tabindex|draggable|datetime|popover)$/;

/** A text in pieces, as it is reported and as it is compared: style sheets may hide and show some of it at any time. */
export class RowText {
  readonly reported: string[] = [];
  readonly pieces: Piece[] = [];
  /** False when it can change without a mutation of the nodes that it was read from. */
  isLasting = true;
  #length = 0;
  #key: string | undefined;
  #hash: number | undefined;
  #shown: string | undefined;

  /** The text that is compared, without white space. */
  get key(): string {
    this.#key ??= solid(this.pieces.map(({ text }) => text).join(''));
    return this.#key;
  }

  get hash(): number {
    this.#hash ??= hash(this.key);
    return this.#hash;
  }

  get shown(): string {
    this.#shown ??= this.reported.join(' ').replace(/\s+/g, ' ').trim().slice(0, MOST_TEXT);
    return this.#shown;
  }

  get hasWords(): boolean {
    return this.pieces.some(piece => piece.hasWords);
  }

  add(reported: string, compared = reported): void {
    const piece = lasting(compared);
    if (piece === '' || this.#length >= MOST_TEXT) return;
    this.#push(reported.slice(0, MOST_TEXT), new Piece(piece.slice(0, MOST_TEXT)));
  }

  addAll({ reported, pieces, isLasting }: RowText, isLeftOut?: (piece: string) => boolean): void {
    this.isLasting &&= isLasting;
    for (const [i, piece] of pieces.entries()) {
      if (this.#length >= MOST_TEXT) return;
      if (!isLeftOut?.(piece.text)) this.#push(reported[i] ?? piece.text, piece);
    }
  }

  #push(reported: string, piece: Piece): void {
    this.reported.push(reported);
    this.pieces.push(piece);
    this.#length += piece.text.length;
    this.#key = undefined;
    this.#hash = undefined;
    this.#shown = undefined;
  }

  /** This text followed by another. */
  with(other: RowText | undefined): RowText {
    const both = new RowText();
    both.addAll(this);
    if (other !== undefined) both.addAll(other);
    return both;
  }
}

export type IsObserved = (root: ShadowRoot) => boolean;

/** Reads the text of a row: its text nodes, the values of its fields and the names of its buttons. */
export class RowReader {
  /** Text, pictures and labels. */
  readonly own = new RowText();
  /** Text of inner rows that have controls of their own. */
  readonly inner = new RowText();
  /** Names of buttons and check boxes. */
  readonly offered = new RowText();
  /** Values of fields. */
  readonly held = new RowText();
  readonly shape = new Set<number>();
  readonly fields = new Set<string>();
  /** Names of buttons, and labels of fields that are not in the text. */
  readonly #called: string[] = [];
  readonly #likes = new Map<RowReader, boolean>();
  #controls = 0;
  #reachesElsewhere = false;
  #left = MOST_ROW_ELEMENTS;
  #whole: string | undefined;
  #text: RowText | undefined;

  /** @param isObserved Whether mutations in a shadow root are observed. */
  constructor(
    readonly element: Element,
    readonly isObserved?: IsObserved,
  ) {}

  row(): this {
    this.#addLabel(this.element, this.own);
    this.#children(this.element, 0, this.own);
    return this;
  }

  nodes(nodes: readonly Node[]): this {
    for (const node of nodes) this.#node(node, 0, this.own);
    return this;
  }

  /** Whether another row is built alike and has an element at a path of this one. */
  isLike(other: RowReader, path: number): boolean {
    let isLike = this.#likes.get(other);
    if (isLike === undefined) {
      isLike = areAlike(this, other);
      this.#likes.set(other, isLike);
    }
    return isLike && other.shape.has(path);
  }

  /** Whether it contains a text, ignoring white space. */
  contains(text: string): boolean {
    this.#whole ??= solid([...this.own.reported, ...this.inner.reported, ...this.#called].join(''));
    return this.#whole.includes(solid(text));
  }

  /** The text that may identify the row; that of inner rows only where there are no other words. */
  get text(): RowText {
    this.#text ??= this.#identifyingText();
    return this.#text;
  }

  /** False where a field value or a label elsewhere can change without a mutation in the row. */
  get isLasting(): boolean {
    return this.fields.size === 0 && !this.#reachesElsewhere;
  }

  #identifyingText(): RowText {
    const text = new RowText();
    text.isLasting = this.isLasting;
    // Text that repeats the value of a field, such as the number beside a slider, changes with it.
    const isEcho = (text: string): boolean => this.held.pieces.some(piece => piece.text === text);
    text.addAll(this.own, isEcho);
    if (!text.hasWords) text.addAll(this.inner, isEcho);
    return text;
  }

  #children(parent: Node, path: number, into: RowText | undefined): void {
    for (let node: Node | null = firstChild(parent); node !== null && this.#left > 0; node = nextSibling(node))
      this.#node(node, path, into);
    const shadow = parent instanceof Element ? shadowRootOf(parent) : null;
    if (shadow == null) return;
    this.#reachesElsewhere ||= this.isObserved?.(shadow) !== true;
    this.#children(shadow, path, into);
  }

  #node(node: Node, path: number, into: RowText | undefined): void {
    const type = nodeType(node);
    if (type === Node.TEXT_NODE && into !== undefined) addTextFrom(node as Text, into);
    else if (type === Node.ELEMENT_NODE) this.#element(node as Element, path, into);
  }

  #element(element: Element, around: number, into: RowText | undefined): void {
    this.#left--;
    const tag = tagName(element).toUpperCase();
    if (ROW_SILENT_TAGS.has(tag)) return;
    const path = pathStep(around, element);
    this.shape.add(path);
    if (PLAIN_ROW_TAGS.has(tag) && !hasContributingAttribute(element)) {
      this.#children(element, path, into);
      return;
    }
    if (isRowControl(element, tag)) this.#controls++;
    if (isRowField(element, tag)) this.#addField(element, tag);
    else if (tag === 'SVG' || tag === 'IMG') into?.add(pictureText(element, tag));
    else if (isDeclaredRow(element)) this.#addInner(element, path, into);
    else this.#children(element, path, this.#partFor(element, tag, into));
  }

  /** The text to which the content of an element is added, if any. */
  #partFor(element: Element, tag: string, into: RowText | undefined): RowText | undefined {
    if (into === undefined || isPassingText(element, tag)) return undefined;
    if (isButton(element, tag)) {
      this.#addButton(element, into === this.own ? this.offered : undefined);
      return undefined;
    }
    if (hasAttribute(element, 'datetime')) {
      // "2 minutes ago" changes, but its moment does not.
      into.add(seenText(element, LABEL_TEXT), getAttribute(element, 'datetime') ?? '');
      return undefined;
    }
    this.#addLabel(element, into);
    return into;
  }

  /** An inner row is part of this row's text, unless it can be acted on by itself. */
  #addInner(element: Element, path: number, into: RowText | undefined): void {
    const before = this.#controls;
    const text = new RowText();
    this.#addLabel(element, text);
    this.#children(element, path, text);
    if (into !== undefined) (this.#controls > before || isRowControl(element, '') ? this.inner : into).addAll(text);
  }

  #addLabel(element: Element, into: RowText): void {
    const label = getAttribute(element, 'aria-label');
    if (label !== null) into.add(label.slice(0, LABEL_TEXT));
    for (const labeller of labellersOf(element)) {
      this.#reachesElsewhere = true;
      into.add(seenText(labeller, LABEL_TEXT), (textContent(labeller) ?? '').slice(0, LABEL_TEXT));
    }
  }

  #addField(field: Element, tag: string): void {
    this.#controls++;
    this.fields.add(`${tag} ${tag === 'INPUT' ? getAttribute(field, 'type') : getAttribute(field, 'role')}`);
    this.held.add(controlValue(field));
    for (const name of ['aria-label', 'placeholder', 'title']) this.#called.push(getAttribute(field, name) ?? '');
  }

  /** The name of a toggle depends on its state, so it does not identify the row. */
  #addButton(button: Element, into: RowText | undefined): void {
    const label = buttonLabel(button)?.slice(0, LABEL_TEXT);
    const name = label ?? seenText(button, LABEL_TEXT);
    this.#called.push(name);
    const compared = label ?? (textContent(button) ?? '').slice(0, LABEL_TEXT);
    if (!hasAttribute(button, 'aria-pressed') && getAttribute(button, 'role') !== 'switch') into?.add(name, compared);
  }
}

/** The text without white space, which depends on the markup around it. */
export function solid(text: string): string {
  return text.replace(/\s+/g, '');
}

/** Adds the text that starts at a node: frameworks split one text into several nodes, with comments between them. */
function addTextFrom(start: Text, into: RowText): void {
  if (isTextNode(previousSibling(start))) return;
  let text = start.data;
  for (let node = nextSibling(start); isTextNode(node); node = nextSibling(node))
    if (nodeType(node) === Node.TEXT_NODE) text += node.data;
  if (/\S/.test(text)) into.add(isTextRendered(start) ? text : '', text);
}

function isTextNode(node: Node | null): node is CharacterData {
  if (node === null) return false;
  const type = nodeType(node);
  return type === Node.TEXT_NODE || type === Node.COMMENT_NODE;
}

function hasContributingAttribute(element: Element): boolean {
  return hasAttributes(element) && getAttributeNames(element).some(name => CONTRIBUTING_ATTRIBUTE.test(name));
}

function isPassingText(element: Element, tag: string): boolean {
  if (PASSING_TAGS.has(tag) || hasAttribute(element, 'popover')) return true;
  const live = getAttribute(element, 'aria-live');
  return PASSING_ROLES.has(getAttribute(element, 'role') ?? '') || (live !== null && live !== 'off');
}

/** What its author calls a button; undefined where its text does. */
function buttonLabel(button: Element): string | undefined {
  const label = getAttribute(button, 'aria-label');
  if (label !== null && label.trim() !== '') return label;
  if (button instanceof HTMLInputElement) return BUTTON_TYPES.has(button.type) ? button.alt || button.value : '';
  return textContent(button)?.trim() === '' ? (getAttribute(button, 'title') ?? '') : undefined;
}

function pictureText(picture: Element, tag: string): string {
  const label = getAttribute(picture, 'aria-label') ?? getAttribute(picture, 'alt');
  if (label !== null && label !== '') return label;
  const title = tag === 'SVG' ? textContent(childOf(picture, 'svg:title') ?? picture) : getAttribute(picture, 'title');
  return title ?? '';
}
