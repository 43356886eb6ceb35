import {
  boxOf,
  closest,
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
  tagName,
  textContent,
} from './dom.js';
import { hasWidgetRole } from './interactive.js';
import { Hears } from './protocol.js';
import { roleOf } from './role.js';

/** Elements that HTML has for things of which there are several: they need no class to be alike. */
const ITEMS: ReadonlySet<string> = new Set(['li', 'tr', 'td', 'th', 'dd', 'dt']);
/** Elements of HTML and SVG that only lay out a page. */
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
/** Neutral elements that stand within a line. */
const INLINE = new Set(['span', 'i', 'img', 'svg']);
const NO_CONTENT = new Set(['script', 'style', 'template', 'link', 'meta', 'br', 'wbr', 'hr', 'colgroup']);
/** Attributes of frameworks and tests, which say nothing of what the page does. */
const FOREIGN_DATA =
  /^data-(v|react|reactid|reactroot|svelte|ng|astro|qa|cy|test|testid|test-id|src|srcset|lazy|ssr|s|n|aos)(-|$)/;
/** Classes for a state come and go, and differ among siblings. */
const CLASS_OF_STATE =
  /^(is-|has-|js-)?(active|selected|current|disabled|open|opened|closed|hover|focus|first|last|odd|even|today|old|new|on|off|checked|highlight(ed)?)$/i;

/** Siblings that are alike, of which a page has one listener for all. */
interface Family {
  members: Element[];
  /** Their author has marked them as things of one kind: by the element, a class or data. */
  isMarked: boolean;
}

function contentChildrenOf(element: Element): Element[] {
  const children: Element[] = [];
  for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child))
    if (!NO_CONTENT.has(localName(child))) children.push(child);
  return children;
}

/**
 * The largest family among some siblings. Things in a line of text are one only where there is nothing else to read.
 * @param isRead Whether there is, in what does not belong to the family or around it.
 */
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
  const marked = largestGroup(alike, familyMarksOf);
  if (marked.length >= 2) return { members: marked, isMarked: true };
  const plain = alike.filter(element => familyMarksOf(element).length === 0);
  return plain.length >= 3 ? { members: plain, isMarked: false } : undefined;
}

/** Those that share the mark that most of them have. */
function largestGroup(elements: readonly Element[], marks: (element: Element) => string[]): Element[] {
  const groups = new Map<string, Element[]>();
  for (const element of elements) {
    for (const mark of marks(element)) groups.set(mark, [...(groups.get(mark) ?? []), element]);
  }
  return [...groups.values()].reduce((most, group) => (group.length > most.length ? group : most), []);
}

/** Classes, and names of data attributes. */
function familyMarksOf(element: Element): string[] {
  const classes = (getAttribute(element, 'class') ?? '')
    .split(/\s+/)
    .filter(name => name !== '' && !CLASS_OF_STATE.test(name));
  return [...classes, ...dataOf(element)];
}

/** Names of the attributes in which a page keeps what a press of the element is for. */
function dataOf(element: Element): string[] {
  return getAttributeNames(element).filter(name => name.startsWith('data-') && !FOREIGN_DATA.test(name));
}

/** A thing that is pressed as a whole says no more than so many characters. */
const ITEM_TEXT = 300;
/** An element with data attached to it is a control of its own only where it says little. */
const CONTROL_TEXT = 60;
/** Cells that hold more than so many characters are columns of a table rather than fields of a board or days of a month. */
const FIELD_TEXT = 3;
/** So many of them make a board or a month, whatever heads it. */
const BOARD = 7;
const MOST_LISTENER_PARTS = 3_000;
const ICON_PART_CLASS =
  /(^|[\s_-])(icon|icons|glyph|glyphicon|fa|fas|far|close|prev|previous|next|arrow|remove|delete|handle|toggle|toggler|expand|expander|caret|chevron)([\s_-]|$)/i;
const BUTTON_CLASS = /(^|\s)(btn|button)(\s|$)/i;
/** Attributes in which pages that listen at their root keep what a press is for. */
const ACTION_ATTRIBUTES = ['data-action', 'data-toggle', 'data-dismiss', 'data-bs-toggle', 'data-bs-dismiss'];
/** A class that ends so; what it begins, such as `btn-group`, holds buttons. */
const NAMED_BUTTON = /(^|\s)([\w-]*[-_])?(btn|button)(\s|$)/i;
const NAMED_SIGN = /(^|[\s_-])(close|prev|previous|next|remove|delete|toggle|toggler)(\s|$)/i;
const WIDGETS =
  'a, button, input, label, select, summary, textarea, [role], [tabindex], [contenteditable], [draggable="true"]';
/** Signs that people press, as far as they are no letters and no punctuation of a text. */
const SIGN = /^[+−×÷✕✖✗✘⨯❌▸▾▶▼▲△▽◀◂‹›«»❮❯←→↑↓⟨⟩⋮⋯☰★☆♥♡♦⚙🔍🗑✎✏⊕⊖⊗↺↻⏎⌫⌦xX<>-]+\ufe0f?$/u;
const CLOSE = /^[×✕✖✗✘⨯❌⊗xX]\ufe0f?$/u;

/** The parts of an element that listens for presses on all of it. */
interface ListenerParts {
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
class PartFinder {
  hasFamily = false;
  hasOwnFamily = false;
  hasWidgets = false;
  #left = MOST_LISTENER_PARTS;

  /** @param listens Whether an element has a listener of its own. */
  constructor(readonly listens: (element: Element) => boolean) {}

  inside(element: Element): ListenerParts {
    const parts = this.#partsIn(element, false);
    return { parts, hasFamily: this.hasFamily, hasOwnFamily: this.hasOwnFamily, hasWidgets: this.hasWidgets };
  }

  /** @param inItem Whether it is one of several things of a kind, so that what is alike in it are its lines. */
  #partsIn(element: Element, inItem: boolean): Element[] {
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
    const isHead = contentChildrenOf(row).every(cell => localName(cell) === 'th');
    if (isHead || holdsWidgets) return inner.filter(part => !isCell(part) || isHead);
    return saysAtMost(row, ITEM_TEXT) ? this.#asFamily([row]) : [];
  }

  #asFamily(items: Element[]): Element[] {
    this.hasFamily = true;
    return items;
  }
}

/** Whether any element of the document is a button by its look. */
function hasButtonsByLook(): boolean {
  return [...document.querySelectorAll('*')].some(isButtonByLook);
}

/** An element that says by its class or its data that it is pressed, with no widget around or in it. */
function isButtonByLook(element: Element): boolean {
  const classes = getAttribute(element, 'class') ?? '';
  const isNamed = NAMED_BUTTON.test(classes) || (NAMED_SIGN.test(classes) && isSign(element));
  if (!isNamed && !ACTION_ATTRIBUTES.some(name => hasAttribute(element, name))) return false;
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
function hasFieldsOnly(row: Element): boolean {
  const cells = contentChildrenOf(row).filter(cell => localName(cell) === 'td');
  if (cells.length < 2) return cells.length === 0 && contentChildrenOf(row).some(isOperable);
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
  const children = contentChildrenOf(item);
  if (localName(item) !== 'li' || !children.some(isListElement)) return undefined;
  if (hasOwnText(item)) return item;
  const head = children.find(child => !isListElement(child) && !isSign(child) && trimmedText(child) !== '');
  const isFree = head !== undefined && !isWidget(head) && contentChildrenOf(head).every(child => !isWidget(child));
  return isFree && !parts.includes(head) && saysAtMost(head, CONTROL_TEXT) ? head : undefined;
}

function isListElement(element: Element): boolean {
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

function trimmedText(element: Element): string {
  return (textContent(element) ?? '').trim();
}

function saysAtMost(element: Element, length: number): boolean {
  return trimmedText(element).length <= length;
}

/** A picture or a sign without words. */
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

/** Nodes that listen for presses and for input, as the DevTools protocol tells: no script can see the listeners of others. */
export class Listeners {
  #nodes = new Map<number, WeakRef<Node>>();
  /** Names of those that listen for presses. */
  #pressed = new Set<number>();
  #listening = new WeakSet<Node>();
  #hearInput = new WeakSet<Node>();
  #hearInputWithin = new WeakSet<Node>();
  /** Drawings that have such elements in them. */
  #drawings = new WeakSet<Element>();
  /** The name of the document, where that listens for presses. */
  #document: number | undefined;
  #met = new WeakSet<ShadowRoot>();
  #unasked: ShadowRoot[] = [];
  /** Shadow roots that walks have come to. */
  roots = 0;

  get areNone(): boolean {
    return this.#pressed.size === 0;
  }

  /** Whether the document itself listens for presses, of whatever is in it. */
  get hearsDocument(): boolean {
    return this.#document !== undefined;
  }

  has(element: Element): boolean {
    return this.#listening.has(element);
  }

  /** Whether anybody listens for what is put into an element: itself, or what it stands in, as frameworks do. */
  hearsInput(element: Element): boolean {
    if (this.#hearInput.has(element)) return true;
    for (let node: Node | null = element; node !== null; node = parentInFlatTree(node))
      if (this.#hearInputWithin.has(node)) return true;
    return false;
  }

  hasIn(drawing: Element): boolean {
    return this.#drawings.has(drawing);
  }

  /** Notes a shadow root: the protocol is asked for the listeners in each by itself. */
  meet(root: ShadowRoot): void {
    if (this.#met.has(root)) return;
    this.#met.add(root);
    this.#unasked.push(root);
    this.roots++;
  }

  /** Called over the DevTools protocol. Returns the shadow roots that it does not know yet. */
  takeRoots(): ShadowRoot[] {
    return this.#unasked.splice(0);
  }

  /**
   * Called over the DevTools protocol with what nodes have begun to listen for ({@link Hears}), and the names of those that
   * have ceased to. Returns how many of them are of this document.
   */
  note(gone: readonly number[], came: readonly [name: number, heard: number][], nodes: readonly unknown[]): number {
    for (const name of gone) this.#forget(name);
    let news = gone.length;
    for (const [index, node] of nodes.entries()) {
      const [name, heard] = came[index] ?? [];
      if (name === undefined || heard === undefined) continue;
      if (!(node instanceof Node)) continue;
      this.#forget(name);
      this.#nodes.set(name, new WeakRef(node));
      if (heard & Hears.Input) this.#hearInput.add(node);
      if (heard & Hears.InputWithin) this.#hearInputWithin.add(node);
      if (node === document && heard & Hears.Presses) {
        this.#document = name;
        // Most pages have such a listener: few have anything that is another thing for it.
        if (hasButtonsByLook()) news++;
      }
      if (!(node instanceof Element)) continue;
      if (heard & Hears.Presses) this.#notePress(name, node);
      news++;
    }
    return news;
  }

  #notePress(name: number, element: Element): void {
    this.#pressed.add(name);
    this.#listening.add(element);
    const drawing = element instanceof SVGElement ? closest(element, 'svg') : null;
    if (drawing !== null) this.#drawings.add(drawing);
  }

  #forget(name: number): void {
    const node = this.#nodes.get(name)?.deref();
    if (node !== undefined)
      for (const set of [this.#listening, this.#hearInput, this.#hearInputWithin]) set.delete(node);
    if (this.#document === name) this.#document = undefined;
    this.#nodes.delete(name);
    this.#pressed.delete(name);
  }
}

/** An element with more characters is read rather than pressed. */
const SELF_TEXT = 300;
/** A larger part of the viewport is a place in which things are, rather than a thing. */
const GROUND = 0.6;
const LANDMARK_SELECTOR = 'main, nav, footer, [role="main"], [role="navigation"], [role="contentinfo"]';

/** The part of a listening element that a person presses. */
type Judgement = 'self' | 'parts' | 'nothing';

/**
 * Decides what a person presses where a page listens: the element with the listener, or things in it that share the
 * listener. One at the root of a page is there for what looks like a button, and says nothing about anything else in it.
 */
export class Reactions {
  #judged = new Map<Element, Judgement>();
  /** Members of families that listen each for itself, by their parents. */
  #listening = new Map<Element, ReadonlySet<Element>>();
  /** Elements that are pressed inside elements that listen. */
  #parts = new WeakSet<Element>();
  /** An element that holds the whole page listens. */
  #hearsRoot = false;
  /** Drawings with such parts. */
  #drawings = new WeakSet<Element>();

  constructor(readonly listeners: Listeners) {}

  /** Forgets what was found out in another state of the document. */
  beginWalk(): void {
    this.#judged = new Map();
    this.#listening = new Map();
    this.#parts = new WeakSet();
    this.#drawings = new WeakSet();
    this.#hearsRoot = false;
  }

  /** Whether a press of the element does something. Asked of elements in document order. */
  reacts(element: Element, declares: boolean): boolean {
    const { areNone, hearsDocument } = this.listeners;
    if (!declares && areNone && !hearsDocument) return false;
    const isPart = this.#parts.has(element);
    if (!declares && !this.listeners.has(element))
      return isPart || ((hearsDocument || this.#hearsRoot) && isButtonByLook(element));
    const judgement = this.#judgementOf(element);
    // An attribute that says so was written for this very element.
    return isPart || judgement === 'self' || (declares && judgement === 'nothing');
  }

  /** Whether it listens for its parts, so that the mouse pointer over it is about them. */
  passesOn(element: Element): boolean {
    return this.#judged.get(element) === 'parts';
  }

  /** Whether something in a drawing reacts. */
  reactsIn(drawing: Element): boolean {
    return this.#drawings.has(drawing) || this.listeners.hasIn(drawing);
  }

  #judgementOf(element: Element): Judgement {
    let judgement = this.#judged.get(element);
    if (judgement === undefined) {
      judgement = this.#judge(element);
      this.#judged.set(element, judgement);
    }
    return judgement;
  }

  #judge(element: Element): Judgement {
    if (isPageRoot(element)) {
      this.#hearsRoot = true;
      return 'nothing';
    }
    if (localName(element) === 'canvas') return 'self';
    const finder = new PartFinder(other => this.listeners.has(other));
    const { parts, hasFamily, hasOwnFamily, hasWidgets } = finder.inside(element);
    const isItself = isPlainRow(element) || (!hasOwnFamily && this.#isOneOfMany(element) && !isAllFamily(element));
    const only = parts.length === 1 ? parts[0] : undefined;
    // A single sign is what its element looks like, unless it takes the element away.
    const isItsSign = !hasFamily && only !== undefined && isSign(only) && !isClose(only);
    if (parts.length > 0 && !isItself && !isItsSign) {
      this.#note(parts);
      return 'parts';
    }
    if (hasWidgets) return isItself ? 'self' : 'nothing';
    return (textContent(element) ?? '').trim().length <= SELF_TEXT && !isGround(element) ? 'self' : 'nothing';
  }

  #note(parts: readonly Element[]): void {
    for (const part of parts) {
      this.#parts.add(part);
      const drawing = part instanceof SVGElement ? closest(part, 'svg') : null;
      if (drawing !== null) this.#drawings.add(drawing);
    }
  }

  /** It is one of several siblings alike that listen each for itself. */
  #isOneOfMany(element: Element): boolean {
    const parent = parentNode(element);
    if (!(parent instanceof Element)) return false;
    let listening = this.#listening.get(parent);
    if (listening === undefined) {
      const members = familyOf(contentChildrenOf(parent), () => false)?.members ?? [];
      listening = new Set(members.filter(each => this.listeners.has(each)));
      this.#listening.set(parent, listening);
    }
    return listening.size > 1 && listening.has(element);
  }
}

/** A row of a table is pressed as a whole, unless it is made of fields or heads the columns. */
function isPlainRow(element: Element): boolean {
  return localName(element) === 'tr' && !hasFieldsOnly(element) && element.querySelector('td') !== null;
}

/** Nothing but things of one kind. */
function isAllFamily(element: Element): boolean {
  const children = contentChildrenOf(element);
  return children.length > 1 && familyOf(children, () => false)?.members.length === children.length;
}

function isPageRoot(element: Element): boolean {
  return matches(element, 'html, body') || element.querySelector(LANDMARK_SELECTOR) !== null;
}

function isGround(element: Element): boolean {
  const { width, height } = boxOf(element);
  return width * height > GROUND * window.innerWidth * window.innerHeight && contentChildrenOf(element).length > 0;
}
