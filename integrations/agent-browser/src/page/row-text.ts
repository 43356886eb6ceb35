import { controlValue, isTextInput } from './control.js';
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
} from './dom.js';
import { hash, pathStep } from './element-record.js';
import { labellersOf } from './role.js';
import { DIALOG_ROLES, FIELD_ROLES } from './roles.js';

const UNIT = '(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|mos|months?|y|yrs?|years?)';
const SPAN = `(?:(?:\\d+|an?|one)\\s*${UNIT}\\b\\s*)+`;

/**
 * Texts that change with time alone: "2 min ago", "in 1h 5m", "30 seconds left". Moments and dates stay what they are.
 */
const VOLATILE = new RegExp(
  `\\b${SPAN}ago\\b|\\bin\\s+${SPAN}|\\b${SPAN}(?:left|remaining|to go)\\b|\\bjust now\\b`,
  'giu',
);
/** A word that all of them contain; most texts have none. */
const MAY_CHANGE = /\b(?:ago|in|left|remaining|to go|now)\b/i;
/** White space that is not one space. */
const UNEVEN_SPACE = /\s\s|[^\S ]/;
const NUMBERS = /\p{Nd}+/gu;
const HAS_NUMBER = /\p{Nd}/u;

/** A text without what time makes of it, white space collapsed. */
function lasting(text: string): string {
  const trimmed = text.trim();
  const tidy = UNEVEN_SPACE.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed;
  return MAY_CHANGE.test(tidy) ? tidy.replace(VOLATILE, '~') : tidy;
}

export function hasWords(text: string): boolean {
  return /\p{L}/u.test(text);
}

/**
 * What is left of a row's texts without what only counts: "3", "$12.50" and "12:30:59", and "3 likes" where another row
 * says "5 likes". A number that stands in other words than those of its neighbours ("Order #17") belongs to them.
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

/** A part of a row's text, and what is asked of it again and again. */
class Piece {
  readonly hasWords: boolean;
  /** The text with zeros for its numbers; '' where it has none. */
  readonly counting: string;

  constructor(readonly text: string) {
    this.hasWords = /\p{L}/u.test(text);
    const counting = text.replace(NUMBERS, '0');
    this.counting = counting === text && !HAS_NUMBER.test(text) ? '' : counting;
  }
}

const ROW_TAGS = new Set(['LI', 'TR', 'ARTICLE', 'OPTION', 'DT', 'DD']);
const ROW_ROLES = new Set(['row', 'listitem', 'article', 'option', 'treeitem', 'menuitem']);
/** Elements that stand beside others of their kind without being a row. */
const NEVER_ROWS = new Set(['TD', 'TH', 'BODY', 'HEAD', 'HTML', 'DIALOG', 'SLOT']);

const BUTTON_ROLES = new Set(['button', 'switch', 'checkbox']);

/** How much of their structure two rows share: parts come and go, such as an error or a badge. */
const ALIKE = 0.5;
/** The same for what says itself that it is a row. */
const DECLARED_ALIKE = 0.25;

/** An element that says itself that it is a row. */
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

/** Something to act on by itself. */
function isRowControl(element: Element, tag: string): boolean {
  if (tag === 'A' || isButton(element, tag) || getAttribute(element, 'role') === 'option') return true;
  return tag === 'OPTION' || hasAttribute(element, 'tabindex') || getAttribute(element, 'draggable') === 'true';
}

/** Whether an element could be another row beside this one, as far as can be told without a look inside. */
export function isOfKind(element: Element, other: Element): boolean {
  return tagName(other) === tagName(element) && getAttribute(other, 'role') === getAttribute(element, 'role');
}

/** How a row is built. */
interface RowShape {
  readonly element: Element;
  /** Ways down to its elements. */
  readonly shape: ReadonlySet<number>;
  /** Kinds of its fields. */
  readonly fields: ReadonlySet<string>;
}

/** Whether two rows are built alike: they have the same kinds of fields, and most of their structure in common. */
function areAlike(row: RowShape, other: RowShape): boolean {
  if (row.fields.size !== other.fields.size || [...row.fields].some(kind => !other.fields.has(kind))) return false;
  let common = 0;
  for (const step of row.shape) if (other.shape.has(step)) common++;
  const share = (2 * common) / (row.shape.size + other.shape.size);
  return share >= (isDeclaredRow(row.element) ? DECLARED_ALIKE : ALIKE);
}

/** The element around another, out of shadow trees as well. */
export function rowHolderOf(element: Element): Element | null {
  const parent = parentNode(element);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}

/** Elements of a row that are read. */
const MOST_ROW_ELEMENTS = 300;
/** How much of a row is told and compared. */
const MOST_TEXT = 1000;
/** A label or button tells its row in so many characters. */
const LABEL_TEXT = 200;

const ROW_SILENT_TAGS = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'DATALIST']);
/** Their text changes by itself, or lies over the row rather than in it. */
const PASSING_TAGS = new Set(['OUTPUT', 'PROGRESS', 'METER', 'DIALOG']);
const PASSING_ROLES = new Set(
  'timer progressbar meter tooltip status alert log marquee dialog alertdialog menu listbox'.split(' '),
);
/** They say nothing but their content unless an attribute does. */
const PLAIN_ROW_TAGS = new Set(
  'DIV SPAN P B I EM STRONG SMALL SECTION UL OL DL TD TH TBODY H1 H2 H3 H4 H5 H6'.split(' '),
);
const SAYING = /^(?:role|aria-.*|contenteditable|tabindex|draggable|datetime|popover)$/;
const BUTTON_INPUTS = new Set(['button', 'submit', 'reset', 'image']);

/** A text in pieces, as it is told and as it is compared. */
export class RowText {
  readonly told: string[] = [];
  readonly pieces: Piece[] = [];
  /** It is the same as long as the nodes that it was read of are. */
  isLasting = true;
  #length = 0;
  #key: string | undefined;
  #hash: number | undefined;
  #shown: string | undefined;

  /** The text that is compared. */
  get key(): string {
    this.#key ??= solid(this.pieces.map(({ text }) => text).join(''));
    return this.#key;
  }

  /** Hash of what is compared. */
  get hash(): number {
    this.#hash ??= hash(this.key);
    return this.#hash;
  }

  /** The text that is told of the row. */
  get shown(): string {
    this.#shown ??= this.told.join(' ').replace(/\s+/g, ' ').trim().slice(0, MOST_TEXT);
    return this.#shown;
  }

  get hasWords(): boolean {
    return this.pieces.some(piece => piece.hasWords);
  }

  add(told: string, compared = told): void {
    const piece = lasting(compared);
    if (piece === '' || this.#length >= MOST_TEXT) return;
    this.#push(told.slice(0, MOST_TEXT), new Piece(piece.slice(0, MOST_TEXT)));
  }

  addAll({ told, pieces, isLasting }: RowText, isLeftOut?: (piece: string) => boolean): void {
    this.isLasting &&= isLasting;
    for (const [i, piece] of pieces.entries()) {
      if (this.#length >= MOST_TEXT) return;
      if (!isLeftOut?.(piece.text)) this.#push(told[i] ?? piece.text, piece);
    }
  }

  #push(told: string, piece: Piece): void {
    this.told.push(told);
    this.pieces.push(piece);
    this.#length += piece.text.length;
    this.#key = undefined;
    this.#hash = undefined;
    this.#shown = undefined;
  }

  /** This text and another behind it. */
  with(other: RowText | undefined): RowText {
    const both = new RowText();
    both.addAll(this);
    if (other !== undefined) both.addAll(other);
    return both;
  }
}

export type IsObserved = (root: ShadowRoot) => boolean;

/** Reads what a row says: in text, by what its fields hold, and by what its buttons are called. */
export class RowReader {
  /** Text, pictures and labels. */
  readonly said = new RowText();
  /** The text in inner rows that have controls of their own. */
  readonly inner = new RowText();
  /** Names of buttons and check boxes. */
  readonly offered = new RowText();
  /** Values of fields. */
  readonly held = new RowText();
  /** Ways down to its elements. */
  readonly shape = new Set<number>();
  readonly fields = new Set<string>();
  /** Names of buttons, and of fields as far as they stand in no text. */
  readonly #called: string[] = [];
  readonly #likes = new Map<RowReader, boolean>();
  #controls = 0;
  #reachesElsewhere = false;
  #left = MOST_ROW_ELEMENTS;
  #whole: string | undefined;
  #text: RowText | undefined;

  /** @param isObserved Whether mutations in a shadow root are told. */
  constructor(
    readonly element: Element,
    readonly isObserved?: IsObserved,
  ) {}

  row(): this {
    this.#addLabel(this.element, this.said);
    this.#children(this.element, 0, this.said);
    return this;
  }

  /** Reads some neighbours one after another. */
  nodes(nodes: readonly Node[]): this {
    for (const node of nodes) this.#node(node, 0, this.said);
    return this;
  }

  /** Whether another row is built alike and has something in the place of what can be reached by a path in this one. */
  isLike(other: RowReader, path: number): boolean {
    let isLike = this.#likes.get(other);
    if (isLike === undefined) {
      isLike = areAlike(this, other);
      this.#likes.set(other, isLike);
    }
    return isLike && other.shape.has(path);
  }

  /** Whether it has a text in it, whatever white space there is. */
  says(text: string): boolean {
    this.#whole ??= solid([...this.said.told, ...this.inner.told, ...this.#called].join(''));
    return this.#whole.includes(solid(text));
  }

  /** The texts that may tell the row: those of rows inside it only where there are no other words. */
  get text(): RowText {
    this.#text ??= this.#tellingText();
    return this.#text;
  }

  /** Fields change their values, and labels that stand elsewhere their text, without a mutation in the row. */
  get isLasting(): boolean {
    return this.fields.size === 0 && !this.#reachesElsewhere;
  }

  #tellingText(): RowText {
    const text = new RowText();
    text.isLasting = this.isLasting;
    // A text that repeats the value of a field, such as the number beside a slider, changes with it.
    const isEcho = (text: string): boolean => this.held.pieces.some(piece => piece.text === text);
    text.addAll(this.said, isEcho);
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
    if (PLAIN_ROW_TAGS.has(tag) && !hasAnySaying(element)) {
      this.#children(element, path, into);
      return;
    }
    if (isRowControl(element, tag)) this.#controls++;
    if (isRowField(element, tag)) this.#addField(element, tag);
    else if (tag === 'SVG' || tag === 'IMG') into?.add(pictureText(element, tag));
    else if (isDeclaredRow(element)) this.#addInner(element, path, into);
    else this.#children(element, path, this.#partFor(element, tag, into));
  }

  /** Where the texts in an element belong. */
  #partFor(element: Element, tag: string, into: RowText | undefined): RowText | undefined {
    if (into === undefined || isPassingText(element, tag)) return undefined;
    if (isButton(element, tag)) {
      this.#addButton(element, into === this.said ? this.offered : undefined);
      return undefined;
    }
    if (hasAttribute(element, 'datetime')) {
      // "2 minutes ago" is a moment that stays the same.
      into.add((textContent(element) ?? '').slice(0, LABEL_TEXT), getAttribute(element, 'datetime') ?? '');
      return undefined;
    }
    this.#addLabel(element, into);
    return into;
  }

  /** A row inside the row says something of this one unless it is there to be acted on by itself. */
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
      into.add((textContent(labeller) ?? '').slice(0, LABEL_TEXT));
    }
  }

  #addField(field: Element, tag: string): void {
    this.#controls++;
    this.fields.add(`${tag} ${tag === 'INPUT' ? getAttribute(field, 'type') : getAttribute(field, 'role')}`);
    this.held.add(controlValue(field));
    for (const name of ['aria-label', 'placeholder', 'title']) this.#called.push(getAttribute(field, name) ?? '');
  }

  /** A toggle is called after what it would do next, so it does not say which row this is. */
  #addButton(button: Element, into: RowText | undefined): void {
    const name = buttonText(button).slice(0, LABEL_TEXT);
    this.#called.push(name);
    if (!hasAttribute(button, 'aria-pressed') && getAttribute(button, 'role') !== 'switch') into?.add(name);
  }
}

/** A text without its white space, which comes and goes with the markup around it. */
export function solid(text: string): string {
  return text.replace(/\s+/g, '');
}

/** Adds the text that begins with a node: frameworks cut one into several, with comments between. */
function addTextFrom(start: Text, into: RowText): void {
  if (isTextNode(previousSibling(start))) return;
  let text = start.data;
  for (let node = nextSibling(start); isTextNode(node); node = nextSibling(node))
    if (nodeType(node) === Node.TEXT_NODE) text += node.data;
  if (/\S/.test(text)) into.add(text);
}

function isTextNode(node: Node | null): node is CharacterData {
  if (node === null) return false;
  const type = nodeType(node);
  return type === Node.TEXT_NODE || type === Node.COMMENT_NODE;
}

function hasAnySaying(element: Element): boolean {
  return hasAttributes(element) && getAttributeNames(element).some(name => SAYING.test(name));
}

function isPassingText(element: Element, tag: string): boolean {
  if (PASSING_TAGS.has(tag) || hasAttribute(element, 'popover')) return true;
  const live = getAttribute(element, 'aria-live');
  return PASSING_ROLES.has(getAttribute(element, 'role') ?? '') || (live !== null && live !== 'off');
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
