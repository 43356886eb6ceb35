import {
  boxOf,
  closest,
  elementsAround,
  firstChild,
  firstElementChild,
  getAttribute,
  getAttributeNames,
  hasAttribute,
  localName,
  matches,
  nextElementSibling,
  nextSibling,
  nodeType,
  parentInFlatTree,
  parentNode,
  querySelector,
  querySelectorAll,
  tagName,
  textContent,
} from '../dom/dom.js';
import { getOrInsert } from '../dom/get-or-insert.js';
import { roleOf } from '../names/role.js';
import { type ElementFacts, Hears } from '../protocol.js';
import { hasWidgetRole } from './interactive.js';

/** HTML elements that come in series: they are alike without a common class. */
const ITEMS: ReadonlySet<string> = new Set(['li', 'tr', 'td', 'th', 'dd', 'dt']);
/** HTML and SVG elements that only serve layout. */
const NEUTRAL = new Set([
  'div',
  'span',
  'i',
  'img',
  'article',
  'section',
  'figure',
  'svg',
  'g',
  'rect',
  'circle',
  'ellipse',
  'path',
  'polygon',
  'text',
]);
/** Neutral elements within a line of text. */
const INLINE = new Set(['span', 'i', 'img', 'svg']);
const NO_CONTENT = new Set(['script', 'style', 'template', 'link', 'meta', 'br', 'wbr', 'hr', 'colgroup']);
/** Data attributes of frameworks and tests, which do not describe the page's behaviour. */
const FOREIGN_DATA =
  /^data-(v|react|reactid|reactroot|svelte|ng|astro|qa|cy|test|testid|test-id|src|srcset|lazy|ssr|s|n|aos)(-|$)/;
/** State classes, which come and go and differ among siblings. */
const CLASS_OF_STATE =
  /^(is-|has-|js-)?(active|selected|current|disabled|open|opened|closed|hover|focus|first|last|odd|even|today|old|new|on|off|checked|highlight(ed)?)$/i;

/** Siblings of one kind, for which a page has one delegated listener. */
interface Family {
  members: Element[];
  /** The author marked them as one kind by the element, a class or a data attribute. */
  isMarked: boolean;
}

function contentChildrenOf(element: Element): Element[] {
  const children: Element[] = [];
  for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child))
    if (!NO_CONTENT.has(localName(child)) && !isOnlySpace(firstChild(child))) children.push(child);
  return children;
}

/** Whether the first node of an element is white space and all of it, such as a non-breaking space between two words. */
export function isOnlySpace(first: Node | null): boolean {
  return first !== null && nodeType(first) === 3 && nextSibling(first) === null && !/\S/.test((first as Text).data);
}

/** The largest family among siblings. Inline elements form one only where `isRead` finds no other text around it. */
function familyOf(
  children: readonly Element[],
  isRead: (others: readonly Element[], members: readonly Element[]) => boolean,
): Family | undefined {
  let largest: Family | undefined;
  for (const [tag, alike] of Map.groupBy(children, localName)) {
    const family = familyOfTag(tag, alike);
    if (family === undefined) continue;
    const others = children.filter(child => !family.members.includes(child));
    if (INLINE.has(tag) && isRead(others, family.members)) continue;
    if (largest === undefined || family.members.length > largest.members.length) largest = family;
  }
  return largest;
}

function familyOfTag(tag: string, alike: Element[]): Family | undefined {
  if (ITEMS.has(tag)) return { members: alike, isMarked: true };
  if (alike.length < 2 || !(NEUTRAL.has(tag) || tag.includes('-'))) return undefined;
  const marked = largestGroup(alike);
  if (marked.length >= 2) return { members: marked, isMarked: true };
  const plain = alike.filter(element => familyMarksOf(element).length === 0);
  if (plain.length >= 3) return { members: plain, isMarked: false };
  const placed = alike.filter(isPlaced);
  return placed.length >= 2 ? { members: placed, isMarked: true } : undefined;
}

/** The elements that share the most frequent mark. */
function largestGroup(elements: readonly Element[]): Element[] {
  const groups = new Map<string, Element[]>();
  for (const element of elements)
    for (const mark of familyMarksOf(element)) getOrInsert(groups, mark, () => []).push(element);
  return [...groups.values()].reduce((most, group) => (group.length > most.length ? group : most), []);
}

/** Class names without state classes, and names of data attributes. */
function familyMarksOf(element: Element): string[] {
  const classes = (getAttribute(element, 'class') ?? '')
    .split(/\s+/)
    .filter(name => name !== '' && !CLASS_OF_STATE.test(name));
  return [...classes, ...dataOf(element)];
}

/** Names of the data attributes in which a page may keep the action of a press. */
function dataOf(element: Element): string[] {
  return getAttributeNames(element).filter(name => name.startsWith('data-') && !FOREIGN_DATA.test(name));
}

/** An element with longer text, in characters, is read and not pressed as a whole. */
const ITEM_TEXT = 300;
/** Longest text, in characters, of an element that its data attributes or class make a control. */
const CONTROL_TEXT = 60;
/** Cells with more characters are table columns, not fields of a board or days of a calendar. */
const FIELD_TEXT = 3;
/** Size of a control, in CSS pixels, that styles make invisible and leave to the keyboard and to screen readers. */
const HIDDEN_PX = 1;
/** Number of such cells that makes a board or a calendar, whatever its heading. */
const BOARD = 7;
const MOST_LISTENER_PARTS = 3_000;
const ICON_PART_CLASS =
  /(^|[\s_-])(icon|icons|glyph|glyphicon|fa|fas|far|close|prev|previous|next|arrow|remove|delete|handle|toggle|toggler|expand|expander|caret|chevron)([\s_-]|$)/i;
const BUTTON_CLASS = /(^|\s)(btn|button)(\s|$)/i;
/** Attributes in which pages with a listener at their root keep the action of a press. */
const ACTION_ATTRIBUTES = ['data-action', 'data-toggle', 'data-dismiss', 'data-bs-toggle', 'data-bs-dismiss'];
/** Class names that end in `btn` or `button`. A name that begins with it, such as `btn-group`, contains buttons. */
const NAMED_BUTTON = /(^|\s)([\w-]*[-_])?(btn|button)(\s|$)/i;
const NAMED_SIGN = /(^|[\s_-])(close|prev|previous|next|remove|delete|toggle|toggler)(\s|$)/i;
const WIDGETS =
  'a, button, input, label, select, summary, textarea, [role], [tabindex], [contenteditable], [draggable="true"]';
/** Symbols that pages use as buttons, except letters and punctuation of ordinary text. */
const SIGN = /^[+−×÷✕✖✗✘⨯❌▸▾▶▼▲△▽◀◂‹›«»❮❯←→↑↓⟨⟩⋮⋯☰★☆♥♡♦⚙🔍🗑✎✏⊕⊖⊗↺↻⏎⌫⌦xX<>-]+\ufe0f?$/u;
const CLOSE = /^[×✕✖✗✘⨯❌⊗xX]\ufe0f?$/u;

/** Finds what a person presses in an element with a delegated listener. */
class PartFinder {
  /** Some parts form a family. */
  hasFamily = false;
  /** Members of a family have their own listeners. */
  hasOwnFamily = false;
  /** There are widgets or elements with their own listeners, which may be the purpose of its listener. */
  hasWidgets = false;
  #left = MOST_LISTENER_PARTS;

  /** @param listens Whether an element has its own listener. */
  constructor(readonly listens: (element: Element) => boolean) {}

  /** @param inItem Whether `element` is a family member, in which similar children are lines of text. */
  partsIn(element: Element, inItem: boolean): Element[] {
    const children = contentChildrenOf(element);
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
    const { inner, holdsWidgets } = this.#inside(child, isMember);
    const isItem = isMember && !holdsWidgets && hasTextUpTo(child, ITEM_TEXT);
    if (holdsWidgets && isDrawnControl(child)) return [child];
    if (inner.length > 0) {
      // A sign in an item has an action of its own, but a close sign is the only action of its item.
      const isOpened = isItem && inner.every(isSign) && !inner.some(isClose);
      if (isOpened || isLikeItsParts(child, inner)) return this.#asFamily([child, ...inner]);
      const head = isMember ? headOfBranch(child, inner) : undefined;
      return head === undefined ? inner : this.#asFamily([head, ...inner]);
    }
    if (isItem) return this.#asFamily([child]);
    if (holdsWidgets) return [];
    const isControl = dataOf(child).length > 0 || BUTTON_CLASS.test(getAttribute(child, 'class') ?? '');
    return isSign(child) || (isControl && hasTextUpTo(child, CONTROL_TEXT)) ? [child] : [];
  }

  #inside(element: Element, inItem: boolean): { inner: Element[]; holdsWidgets: boolean } {
    const hadWidgets = this.hasWidgets;
    this.hasWidgets = false;
    const inner = this.partsIn(element, inItem);
    const holdsWidgets = this.hasWidgets;
    this.hasWidgets ||= hadWidgets;
    return { inner, holdsWidgets };
  }

  #row(row: Element): Element[] {
    const { inner, holdsWidgets } = this.#inside(row, true);
    const isHead = contentChildrenOf(row).every(cell => localName(cell) === 'th');
    if (isHead) return inner;
    if (holdsWidgets) return inner.filter(part => !/^t[dh]$/.test(localName(part)));
    return hasTextUpTo(row, ITEM_TEXT) ? this.#asFamily([row]) : [];
  }

  #asFamily(items: Element[]): Element[] {
    this.hasFamily = true;
    return items;
  }
}

/** Whether its class or data attributes mark an element as a button, with no widget around or in it. */
function isButtonByMarkup(element: Element): boolean {
  const classes = getAttribute(element, 'class') ?? '';
  const isNamed = NAMED_BUTTON.test(classes) || (NAMED_SIGN.test(classes) && isSign(element));
  if (!isNamed && !ACTION_ATTRIBUTES.some(name => hasAttribute(element, name))) return false;
  const isFree = closest(element, WIDGETS) === null && querySelector(element, WIDGETS) === null;
  return isFree && hasTextUpTo(element, CONTROL_TEXT);
}

function isWidget(element: Element): boolean {
  return (
    getAttribute(element, 'draggable') === 'true' ||
    hasWidgetRole(element, tagName(element), roleOf(element)) ||
    // A negative tabindex only makes the element focusable by scripts.
    (hasAttribute(element, 'tabindex') && (element as HTMLElement).tabIndex >= 0) ||
    hasAttribute(element, 'contenteditable')
  );
}

/** Whether a row consists of board fields, calendar days or seats, which are pressed one by one. */
function hasFieldsOnly(row: Element): boolean {
  const cells = contentChildrenOf(row).filter(cell => localName(cell) === 'td');
  if (cells.length < 2) return cells.length === 0 && contentChildrenOf(row).some(isOperable);
  return cells.every(cell => hasTextUpTo(cell, FIELD_TEXT) || dataOf(cell).length > 0 || isReachedByKeys(cell));
}

/** Whether keys move the focus to a cell (ARIA Authoring Practices, grid): it is a field of a sheet. */
function isReachedByKeys(cell: Element): boolean {
  return getAttribute(cell, 'role') === 'gridcell' && hasAttribute(cell, 'tabindex');
}

/** Whether data, class or a sign marks a column heading as a control. */
function isOperable(cell: Element): boolean {
  if (dataOf(cell).length > 0 || hasAttribute(cell, 'aria-sort')) return true;
  return /sort|prev|next|switch/i.test(getAttribute(cell, 'class') ?? '') || isSign(cell);
}

/** Whether an element is a tree node that contains nodes of the same class. */
function isLikeItsParts(element: Element, parts: readonly Element[]): boolean {
  const own = getAttribute(element, 'class');
  return own !== null && own !== '' && hasOwnText(element) && parts.some(part => getAttribute(part, 'class') === own);
}

/** The part of a list item that a person presses to open or close its nested list. */
function headOfBranch(item: Element, parts: readonly Element[]): Element | undefined {
  const children = contentChildrenOf(item);
  if (localName(item) !== 'li' || !children.some(isListElement)) return undefined;
  if (hasOwnText(item)) return item;
  const head = children.find(child => !isListElement(child) && !isSign(child) && trimmedText(child) !== '');
  const isFree = head !== undefined && !isWidget(head) && contentChildrenOf(head).every(child => !isWidget(child));
  return isFree && !parts.includes(head) && hasTextUpTo(head, CONTROL_TEXT) ? head : undefined;
}

function isListElement(element: Element): boolean {
  return localName(element) === 'ul' || localName(element) === 'ol';
}

function isBoard(elements: readonly Element[]): boolean {
  return elements.length >= BOARD && elements.every(element => hasTextUpTo(element, FIELD_TEXT));
}

function hasOwnText(element: Element): boolean {
  for (let node = firstChild(element); node !== null; node = nextSibling(node))
    if (nodeType(node) === 3 && /\S/.test((node as Text).data)) return true;
  return false;
}

function trimmedText(element: Element): string {
  return (textContent(element) ?? '').trim();
}

function hasTextUpTo(element: Element, length: number): boolean {
  return trimmedText(element).length <= length;
}

/** Whether an element only draws the check box or radio button in it, which has no size of its own to be seen. */
function isDrawnControl(element: Element): boolean {
  const [control, another] = querySelectorAll(element, 'input[type="checkbox"], input[type="radio"]');
  if (control === undefined || another !== undefined || trimmedText(element) !== '') return false;
  const { width, height } = boxOf(control);
  return width <= HIDDEN_PX && height <= HIDDEN_PX;
}

/** Whether an element is an icon or symbol without words. */
function isSign(element: Element): boolean {
  const words = trimmedText(element);
  if (words !== '') return SIGN.test(words) && contentChildrenOf(element).length === 0;
  const tag = localName(element);
  if (tag === 'img' || tag === 'svg') return true;
  const children = contentChildrenOf(element);
  if (children.length === 0) return ICON_PART_CLASS.test(getAttribute(element, 'class') ?? '');
  return children.length === 1 && isSign(children[0] as Element);
}

function isClose(element: Element): boolean {
  const words = trimmedText(element);
  return words === '' ? /close|remove|delete/i.test(getAttribute(element, 'class') ?? '') : CLOSE.test(words);
}

/** The nodes that listen for presses and input, as CDP reports them: scripts cannot list event listeners. */
export class Listeners {
  #nodes = new Map<number, WeakRef<Node>>();
  /** Names of the nodes that listen for presses. */
  #pressed = new Set<number>();
  /** {@link Hears} bits. */
  #heard = new WeakMap<Node, number>();
  /** SVG roots that contain such elements. */
  #drawings = new WeakSet<Element>();
  #met = new WeakSet<ShadowRoot>();
  #unasked: ShadowRoot[] = [];
  /** Number of shadow roots that walks have visited. */
  roots = 0;

  get areNone(): boolean {
    return this.#pressed.size === 0;
  }

  /** Whether the document itself has a listener for presses. */
  get hearsDocument(): boolean {
    return this.#hears(document, Hears.Presses);
  }

  has(element: Element): boolean {
    return this.#hears(element, Hears.Presses);
  }

  /** What the page listens for on an element, or on others around it that serve it. */
  hearing(element: Element): Pick<ElementFacts, 'heedsInput' | 'heedsHover'> {
    const heedsInput = this.#hears(element, Hears.Input) ? 'itself' : this.#hearsAround(element) ? 'around' : undefined;
    return { ...(heedsInput && { heedsInput }), ...(this.#hearsHover(element) && { heedsHover: true }) };
  }

  #hears(node: Node, events: number): boolean {
    return ((this.#heard.get(node) ?? 0) & events) !== 0;
  }

  #hearsAround(element: Element): boolean {
    for (let node: Node | null = element; node !== null; node = parentInFlatTree(node))
      if (this.#hears(node, Hears.InputWithin)) return true;
    return false;
  }

  /** A listener at the root of a page hears every hover, and is no evidence for this one. */
  #hearsHover(element: Element): boolean {
    for (const node of elementsAround(element)) {
      if (isGround(node)) return false;
      if (this.#hears(node, Hears.Hovers)) return true;
    }
    return false;
  }

  hasIn(drawing: Element): boolean {
    return this.#drawings.has(drawing);
  }

  /** Whether a press of a link only follows it: no script hears the press, on its parts or around it. */
  leaveToBrowser(link: Element): boolean {
    if (!(link instanceof HTMLAnchorElement) || !/^https?:$/.test(link.protocol) || this.hearsDocument) return false;
    return ![...elementsAround(link), ...querySelectorAll(link, '*')].some(each => this.has(each));
  }

  /** Records a shadow root, whose listeners CDP must list separately. */
  meet(root: ShadowRoot): void {
    if (this.#met.has(root)) return;
    this.#met.add(root);
    this.#unasked.push(root);
    this.roots++;
  }

  /** Called over CDP. Returns the shadow roots that it does not know yet. */
  takeRoots(): ShadowRoot[] {
    return this.#unasked.splice(0);
  }

  /**
   * Called over CDP with the events that nodes started to listen for ({@link Hears}), and the names of nodes that
   * stopped. Returns how many of these changes concern this document.
   */
  note(gone: readonly number[], came: readonly [name: number, heard: number][], nodes: readonly unknown[]): number {
    for (const name of gone) this.#forget(name);
    let relevant = gone.length;
    for (const [index, node] of nodes.entries()) {
      const [name, heard] = came[index] ?? [];
      if (name === undefined || heard === undefined) continue;
      if (!(node instanceof Node)) continue;
      this.#forget(name);
      this.#nodes.set(name, new WeakRef(node));
      this.#heard.set(node, heard);
      // Most pages have such a listener, but it counts only where the markup of elements makes them buttons.
      if (node === document && heard & Hears.Presses && [...document.querySelectorAll('*')].some(isButtonByMarkup))
        relevant++;
      if (!(node instanceof Element)) continue;
      if (heard & Hears.Presses) {
        this.#pressed.add(name);
        noteDrawingOf(node, this.#drawings);
      }
      if (heard !== Hears.Hovers) relevant++;
    }
    return relevant;
  }

  #forget(name: number): void {
    const node = this.#nodes.get(name)?.deref();
    if (node !== undefined) this.#heard.delete(node);
    this.#nodes.delete(name);
    this.#pressed.delete(name);
  }
}

/** An element that takes a larger part of the viewport is a container and not a control. */
const GROUND = 0.6;
const LANDMARK_SELECTOR = 'main, nav, footer, [role="main"], [role="navigation"], [role="contentinfo"]';

/** What a person presses of a listening element. */
type Judgement = 'self' | 'parts' | 'nothing';

/**
 * Decides what a person presses where a page listens: the element with the listener, or parts of it that share the
 * listener. A listener at the root of a page counts only for elements that are buttons by their markup.
 */
export class Reactions {
  #judged = new Map<Element, Judgement>();
  /** Family members with their own listeners, by parent. */
  #listening = new Map<Element, ReadonlySet<Element>>();
  /** Elements that are pressed inside elements that listen. */
  #parts = new WeakSet<Element>();
  /** An element that contains the whole page listens. */
  #hearsRoot = false;
  /** SVG roots that contain such parts. */
  #drawings = new WeakSet<Element>();

  constructor(readonly listeners: Listeners) {}

  beginWalk(): void {
    this.#judged = new Map();
    this.#listening = new Map();
    this.#parts = new WeakSet();
    this.#drawings = new WeakSet();
    this.#hearsRoot = false;
  }

  /** Whether a press of the element has an effect. Callers go through the elements in document order. */
  reacts(element: Element, declares: boolean): boolean {
    const { areNone, hearsDocument } = this.listeners;
    if (!declares && areNone && !hearsDocument) return false;
    const isPart = this.#parts.has(element);
    if (!declares && !this.listeners.has(element))
      return isPart || ((hearsDocument || this.#hearsRoot) && isButtonByMarkup(element));
    if (this.#isFace(element)) return false;
    const judgement = getOrInsert(this.#judged, element, () => this.#judge(element));
    // A listener attribute is meant for the element that has it.
    return isPart || judgement === 'self' || (declares && judgement === 'nothing');
  }

  /** Whether it is an icon of a drawn check box or radio button, which is pressed as a whole. */
  #isFace(element: Element): boolean {
    const around = parentNode(element);
    if (!(around instanceof Element)) return false;
    return (this.#parts.has(around) || this.#judged.get(around) === 'self') && isDrawnControl(around);
  }

  /** Whether it listens for its parts, so that its cursor style is meant for them. */
  passesOn(element: Element): boolean {
    return this.#judged.get(element) === 'parts';
  }

  reactsIn(drawing: Element): boolean {
    return this.#drawings.has(drawing) || this.listeners.hasIn(drawing);
  }

  #judge(element: Element): Judgement {
    if (isPageRoot(element)) {
      this.#hearsRoot = true;
      return 'nothing';
    }
    if (localName(element) === 'canvas') return 'self';
    const finder = new PartFinder(other => this.listeners.has(other));
    const parts = finder.partsIn(element, false);
    const { hasFamily, hasOwnFamily, hasWidgets } = finder;
    const isCard = !hasOwnFamily && this.#isOneOfMany(element) && !isAllFamily(element) && !areMostPlaced(parts);
    const isItself = isPlainRow(element) || isCard || isDrawnIcon(element) || isDrawnControl(element);
    const only = parts.length === 1 ? parts[0] : undefined;
    // A single sign is the icon of its element, unless it closes the element.
    const isItsSign = !hasFamily && only !== undefined && isSign(only) && !isClose(only);
    if (parts.length > 0 && !isItself && !isItsSign) {
      for (const part of parts) {
        this.#parts.add(part);
        noteDrawingOf(part, this.#drawings);
      }
      return 'parts';
    }
    if (hasWidgets) return isItself ? 'self' : 'nothing';
    return hasTextUpTo(element, ITEM_TEXT) && !isGround(element) ? 'self' : 'nothing';
  }

  /** Whether it is one of several similar siblings with their own listeners. */
  #isOneOfMany(element: Element): boolean {
    const parent = parentNode(element);
    if (!(parent instanceof Element)) return false;
    const listening = getOrInsert(this.#listening, parent, () => {
      const members = familyOf(contentChildrenOf(parent), () => false)?.members ?? [];
      return new Set(members.filter(each => this.listeners.has(each)));
    });
    return listening.size > 1 && listening.has(element);
  }
}

/** Adds the SVG root around a shape. */
function noteDrawingOf(element: Element, drawings: WeakSet<Element>): void {
  const drawing = element instanceof SVGElement ? closest(element, 'svg') : null;
  if (drawing !== null) drawings.add(drawing);
}

/** Whether scripts place parts with text, as those of a timeline or a chart: the lines of a card flow. */
function areMostPlaced(parts: readonly Element[]): boolean {
  const withText = parts.filter(part => trimmedText(part) !== '');
  return withText.length > 1 && withText.filter(isPlaced).length > withText.length / 2;
}

function isPlaced(element: Element): boolean {
  return trimmedText(element) !== '' && getComputedStyle(element).position === 'absolute';
}

/** In CSS pixels: two targets of the smallest size (WCAG 2.2, 2.5.8). */
const TWO_TARGETS_PX = 48;

/** Whether an element is an icon, whose parts are its shapes. */
function isDrawnIcon(element: Element): boolean {
  if (localName(element) !== 'svg') return false;
  const { width, height } = boxOf(element);
  return width < TWO_TARGETS_PX && height < TWO_TARGETS_PX;
}

/** A table row is pressed as a whole, unless it consists of fields or column headings. */
function isPlainRow(element: Element): boolean {
  return localName(element) === 'tr' && !hasFieldsOnly(element) && querySelector(element, 'td') !== null;
}

function isAllFamily(element: Element): boolean {
  const children = contentChildrenOf(element);
  return children.length > 1 && familyOf(children, () => false)?.members.length === children.length;
}

function isPageRoot(element: Element): boolean {
  return matches(element, 'html, body') || querySelector(element, LANDMARK_SELECTOR) !== null;
}

function isGround(element: Element): boolean {
  const { width, height } = boxOf(element);
  return width * height > GROUND * window.innerWidth * window.innerHeight && contentChildrenOf(element).length > 0;
}
