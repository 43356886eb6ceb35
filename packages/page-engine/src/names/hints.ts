import {
  boxOf,
  checkVisibility,
  closest,
  firstElementChild,
  getAttribute,
  getAttributeNames,
  isSized,
  localName,
  matches,
  nextElementSibling,
  nextSibling,
  parentNode,
  previousElementSibling,
  previousSibling,
  querySelector,
  querySelectorAll,
  textContent,
} from '../dom/dom.js';
import { cutText } from '../text/cut-text.js';
import { seenText } from '../visibility/seen-text.js';
import { asHint, descriptiveName, lettersOf } from './hint-words.js';

/** Attributes with a text for people. */
const TOOLTIP_ATTRIBUTES = [
  'data-tooltip',
  'data-original-title',
  'data-title',
  'data-tip',
  'data-label',
  'aria-description',
  'aria-roledescription',
  'title',
];
/** Attributes with a name for programs, which their authors chose to be readable. */
const HINT_ATTRIBUTES = [
  'data-icon',
  'data-lucide',
  'data-feather',
  'data-testid',
  'data-test',
  'data-cy',
  'data-qa',
  'data-action',
  'data-handler',
  'data-command',
  'data-cmd',
  'data-value',
  'data-id',
  'icon',
  'name',
  'id',
];
/** An icon is no deeper in its control, and among the first elements in it. */
const MOST_HINT_PARTS = 8;
/** Ancestors that are searched for a text near a field or link. */
const MOST_PARENTS = 4;
/** An element with more links is not a card. */
const MOST_LINKS = 12;
/** A longer text before a field is not only about that field. */
const LONGEST_LABEL = 60;
const MOST_LABEL_WORDS = 8;
const TITLES = 'h1, h2';
const LONGEST_TEXT = 80;
const ICONS = new Set(['i', 'svg', 'path', 'use']);
const TICKED = '[type="checkbox"], [type="radio"]';
const CONTROLS = 'input, select, textarea, button, a[href], [contenteditable], [role]';
const ENDS = 'form, fieldset, dialog, body, table, ul, ol, main, section, article, [role="dialog"]';

/** Words that identify a control without a name to a person or a developer. */
export function hintOf(element: Element, { isField, value }: { isField: boolean; value: string | undefined }): string {
  if (!isField) return isBesideNamed(element) ? '' : columnOf(element) || amongAlike(element) || aroundIcon(element);
  // A value identifies a field better than its `name`, which radio buttons share with their group.
  return labelBeside(element) || (value === undefined && !matches(element, TICKED) ? ownHint(element) : '');
}

const CELL = 'td, [role="gridcell" i], [role="cell" i]';

/** The heading of a cell's column, which distinguishes an empty cell from the others of its row; '' for anything else. */
function columnOf(cell: Element): string {
  if (!matches(cell, CELL)) return '';
  const table = closest(cell, 'table, [role="grid" i], [role="treegrid" i], [role="table" i]');
  if (table === null) return '';
  const index = getAttribute(cell, 'aria-colindex');
  const numbered =
    index === null ? null : querySelector(table, `[role="columnheader" i][aria-colindex="${CSS.escape(index)}"]`);
  const head = numbered ?? (cell instanceof HTMLTableCellElement ? headAt(table, cell.cellIndex) : undefined);
  return head === undefined || head === null ? '' : asHint(seenText(head, LONGEST_TEXT));
}

function headAt(table: Element, index: number): Element | undefined {
  if (!(table instanceof HTMLTableElement)) return undefined;
  const row = table.tHead?.rows[table.tHead.rows.length - 1] ?? table.rows[0];
  const head = row?.cells[index];
  return head !== undefined && localName(head) === 'th' ? head : undefined;
}

/** Siblings that are compared. */
const MOST_ALIKE = 60;
const LONGEST_VALUE = 24;
/** Attributes that frameworks and tests add, or that hints read already. */
const NO_VALUE =
  /^data-(v|react.*|svelte.*|ng.*|test.*|qa|cy|src.*|toggle|bs-.*|ripple.*|state|slot|index|key)$|^data-v-/;

/** Facts about an element whose only content is an icon: its author named that element, although the icon listens. */
function aroundIcon(element: Element): string {
  const around = parentNode(element);
  const isIcon = ICONS.has(localName(element)) || localName(element) === 'img';
  if (!isIcon || !(around instanceof Element) || /\S/.test(textContent(around) ?? '')) return '';
  const isAlone = nextElementSibling(element) === null && previousElementSibling(element) === null;
  return isAlone ? amongAlike(around) : '';
}

/** A hint that no other control in its row has: a value, its colour or its place distinguishes it from them. */
function amongAlike(element: Element): string {
  const hint = ownHint(element);
  const row = alikeInRow(element);
  const at = row.indexOf(element);
  const isShared =
    row.length > 1 && (hint === '' || [row[at - 1], row[at + 1]].some(other => other && ownHint(other) === hint));
  if (!isShared) return hint || backgroundHint(element) || descriptiveName(getAttribute(element, 'class') ?? '');
  const values = getAttributeNames(element).filter(name => name === 'value' || /^data-/.test(name));
  const parts = paintedParts(element).map((_, index) => index);
  const own =
    firstOf(values, name =>
      NO_VALUE.test(name) ? '' : distinctiveAmong(row, at, each => getAttribute(each, name) ?? ''),
    ) || firstOf(parts, index => distinctiveAmong(row, at, each => groundOf(paintedParts(each)[index])));
  return `${hint} ${own || `${at + 1} of ${row.length}`}`.trim();
}

/** Distinguishes a control without text from one beside it with the same label: by its colour, else its place. */
export function hintBesideNamesake(element: Element): string {
  const label = getAttribute(element, 'aria-label') ?? getAttribute(element, 'title');
  if (label === null) return '';
  const isNamesake = (other: Element | null): boolean =>
    other !== null && (getAttribute(other, 'aria-label') ?? getAttribute(other, 'title')) === label;
  if (![previousElementSibling(element), nextElementSibling(element)].some(isNamesake)) return '';
  const row = alikeInRow(element).filter(isNamesake);
  const at = row.indexOf(element);
  return at < 0 || row.length < 2 ? '' : colourAmong(row, at) || `${at + 1} of ${row.length}`;
}

/** The sibling controls without text that are built like an element, with itself. */
function alikeInRow(element: Element): Element[] {
  const row: Element[] = [];
  const parent = parentNode(element);
  const kind = makeOf(element);
  let child = parent instanceof Element ? firstElementChild(parent) : element;
  for (; child !== null && row.length < MOST_ALIKE; child = nextElementSibling(child))
    if (makeOf(child) === kind && checkVisibility(child)) row.push(child);
  return row.includes(element) ? row : [element];
}

/** The tag of a control and its first class, which those of one row share. */
function makeOf(element: Element): string {
  const [first = ''] = (getAttribute(element, 'class') ?? '').trim().split(/\s+/);
  return /\S/.test(textContent(element) ?? '') ? '' : `${localName(element)}.${first}`;
}

/** What one of a row has, where not all have the same. */
function distinctiveAmong(row: readonly Element[], at: number, read: (element: Element) => string): string {
  const own = asHint(read(row[at] as Element));
  const isDistinctive = own !== '' && own.length <= LONGEST_VALUE && row.some(other => asHint(read(other)) !== own);
  return isDistinctive ? own : '';
}

function colourAmong(row: readonly Element[], at: number): string {
  return firstOf(PAINTED, part => distinctiveAmong(row, at, each => groundColourOf(each, part)));
}

/** The picture of a sprite, or the colour that the markup gives to a swatch: that of other controls is only style. */
function backgroundHint(element: Element): string {
  return firstOf(paintedParts(element), part => {
    const ground = groundOf(part);
    const isPainted = /background|fill/.test(getAttribute(part, 'style') ?? '');
    return ground.startsWith('#') && !isPainted ? '' : ground;
  });
}

/** The name of the picture behind an element, or its colour. */
function groundOf(element: Element | undefined): string {
  if (element === undefined) return '';
  const [, url = null] = /^url\("([^"]*)"/.exec(getComputedStyle(element).backgroundImage) ?? [];
  return pathName(url) || groundColourOf(element);
}

function paintedParts(element: Element): Element[] {
  return [element, ...hintPartsOf(element).slice(0, MOST_PAINTED_PARTS)];
}

/** The elements of a control whose background is read. */
const MOST_PAINTED_PARTS = 2;
const OPAQUE_COLOUR = /^rgb\((\d+), (\d+), (\d+)\)$/;

/** An element, and what its style sheet draws in it. */
const PAINTED = ['', '::before', '::after'];

/** `#e60000`; '' for a colour that lets through what is behind it. */
function groundColourOf(element: Element, part = ''): string {
  const { backgroundColor, fill, content } = getComputedStyle(element, part || null);
  if (part !== '' && content === 'none') return '';
  const [, ...parts] = OPAQUE_COLOUR.exec(element instanceof SVGElement ? fill : backgroundColor) ?? [];
  return parts.length === 0 ? '' : `#${parts.map(part => Number(part).toString(16).padStart(2, '0')).join('')}`;
}

/** The visible text of a control with another accessible name; '' where the name contains it. */
export function hiddenText(element: Element, name: string): string {
  if (getAttribute(element, 'aria-label') === null && getAttribute(element, 'aria-labelledby') === null) return '';
  const text = cutText(seenText(element, LONGEST_TEXT).replace(/\s+/g, ' ').trim(), LONGEST_TEXT);
  const [named, shown] = [lettersOf(name), lettersOf(text)];
  return shown.length < 2 || named.includes(shown) ? '' : text;
}

/** The text right before a field, or right after a checkbox or radio button. */
function labelBeside(field: Element): string {
  const isTicked = matches(field, TICKED);
  return (isTicked && labelFrom(field, nextSibling)?.text) || textBefore(field);
}

/** The nearest sibling on one side that shows something. */
function labelFrom(from: Node, step: (from: Node) => Node | null): { node: Node; text: string } | undefined {
  for (let node = step(from); node !== null; node = step(node)) {
    const text = labelIn(node);
    if (text !== undefined) return { node, text };
  }
  return undefined;
}

function textBefore(field: Element): string {
  let node: Node = field;
  for (let height = 0; height < MOST_PARENTS; height++) {
    const label = labelFrom(node, previousSibling);
    if (label !== undefined)
      return isSentence((textContent(label.node) ?? '').trim()) || isTitle(label.node) ? '' : label.text;
    const parent: Node | null = parentNode(node);
    if (!(parent instanceof Element) || matches(parent, ENDS)) return '';
    node = parent;
  }
  return '';
}

/** A sentence above a form, such as what to do with it, is no label of its first field. */
function isSentence(text: string): boolean {
  const words = text.split(/\s+/).length;
  return words > MOST_LABEL_WORDS || (words > 3 && /[.!]$/.test(text));
}

function isTitle(node: Node): boolean {
  return node instanceof Element && (matches(node, TITLES) || querySelector(node, TITLES) !== null);
}

/** The text of a node as a label; '' where it contains something else, undefined where it shows nothing. */
function labelIn(node: Node): string | undefined {
  const text = node instanceof Element ? seenText(node, LONGEST_TEXT) : (textContent(node) ?? '').trim();
  if (node instanceof Element) {
    // A widget of the page often stands beside the native control that it replaces.
    if (matches(node, 'select, input') && !isSized(boxOf(node))) return undefined;
    if (matches(node, CONTROLS) || querySelector(node, CONTROLS) !== null) return '';
    if (!checkVisibility(node) || matches(node, 'script, style, template')) return undefined;
  }
  if (text === '' || node.nodeType === Node.COMMENT_NODE) return undefined;
  return text.length > LONGEST_LABEL ? '' : asHint(text.replace(/[\s:*]+$/, ''));
}

/** Whether a link with text near a picture link has the same URL and so already identifies it. */
function isBesideNamed(link: Element): boolean {
  const url = localName(link) === 'a' ? getAttribute(link, 'href') : null;
  if (url === null || url.startsWith('#')) return false;
  let around = parentNode(link);
  for (let height = 0; height < MOST_PARENTS && around instanceof Element; height++) {
    const links = [...querySelectorAll(around, 'a[href]')];
    if (links.length > MOST_LINKS) return false;
    if (links.some(other => getAttribute(other, 'href') === url && (textContent(other) ?? '').trim() !== ''))
      return true;
    around = parentNode(around);
  }
  return false;
}

function ownHint(element: Element): string {
  const parts = [element, ...hintPartsOf(element)];
  return (
    firstOf(parts, part => firstOf(TOOLTIP_ATTRIBUTES, name => asHint(getAttribute(part, name) ?? ''))) ||
    firstOf(parts, part => descriptiveName(getAttribute(part, HINT_ATTRIBUTES[0] as string) ?? '')) ||
    firstOf(parts.slice(1), part =>
      descriptiveName(getAttribute(part, 'class') ?? '', ICONS.has(localName(part)) ? 1 : 3),
    ) ||
    firstOf(parts, pictureName) ||
    descriptiveName(getAttribute(element, 'class') ?? '', localName(element) === 'a' ? 3 : 2) ||
    firstOf(parts, part => firstOf(HINT_ATTRIBUTES, name => descriptiveName(getAttribute(part, name) ?? ''))) ||
    pathName(getAttribute(element, 'href'))
  );
}

function firstOf<T>(values: readonly T[], hint: (value: T) => string): string {
  for (const value of values) {
    const found = hint(value);
    if (found !== '') return found;
  }
  return '';
}

function hintPartsOf(element: Element): Element[] {
  const parts: Element[] = [];
  const queue = [element];
  for (let at = 0; at < queue.length && parts.length < MOST_HINT_PARTS; at++) {
    const around = queue[at] as Element;
    for (let child = firstElementChild(around); child !== null; child = nextElementSibling(child)) {
      parts.push(child);
      queue.push(child);
    }
  }
  return parts.slice(0, MOST_HINT_PARTS);
}

/** The file name of a picture, or the symbol of an SVG `use`. */
function pictureName(element: Element): string {
  const tag = localName(element);
  if (tag === 'use')
    return descriptiveName(
      (getAttribute(element, 'href') ?? getAttribute(element, 'xlink:href') ?? '').replace(/^.*#/, ''),
    );
  return tag === 'img' || tag === 'input' ? pathName(getAttribute(element, 'src')) : '';
}

/** Words that are layout in a class, and what a file of that name shows. */
const DIRECTIONS = new Set(['left', 'right', 'top', 'bottom', 'first', 'last', 'new']);

/** The last segment of a URL's path, if it is descriptive. */
function pathName(url: string | null): string {
  if (url === null || url.startsWith('data:')) return '';
  const path = url.replace(/[?#].*$/, '').replace(/\/+$/, '');
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
  // Build tools append a content hash to file names.
  const plain = name.replace(/[-_][0-9a-f]{6,}$/i, '');
  return descriptiveName(plain) || (DIRECTIONS.has(plain.toLowerCase()) ? plain : '');
}
