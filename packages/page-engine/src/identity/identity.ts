import { hiddenControl } from '../capture/interactive.js';
import {
  type ClosedRoots,
  elementsAround,
  firstChild,
  firstElementChild,
  getAttribute,
  hasAttribute,
  isConnected,
  matches,
  nextElementSibling,
  nextSibling,
  nodeType,
  objectDocument,
  parentNode,
  shadowRootOf,
  tagName,
  textContent,
} from '../dom/dom.js';
import { PDF_ROLE, pdfName, pdfUrlOf } from '../dom/pdf.js';
import { nameOf } from '../names/name.js';
import { labellersOf, roleOf } from '../names/role.js';
import { INLINE_TAGS } from '../names/roles.js';
import { ANY_FINGERPRINT, type ElementNow, type EngineRefusal, NO_FINGERPRINT, type Target } from '../protocol.js';
import { singleSpaced } from '../text/line-breaks.js';
import { seenText } from '../visibility/seen-text.js';
import { type ElementRecord, hash, type KnownElement, mix, stableAttributesHash } from './element-record.js';
import { type RowIdentity, Rows } from './rows.js';

/** The low 32 bits of a fingerprint hash the whole identity, the high ones the words of its row; 0 for no words. */
const ALL_BITS = 2 ** 32;

function wordBits(fingerprint: number): number {
  return Math.floor(fingerprint / ALL_BITS);
}

function isSameText(fingerprint: number, other: number): boolean {
  return fingerprint % ALL_BITS === other % ALL_BITS;
}

/** Whether two elements have the same role and name, in rows with the same words. */
function hasSameWords(fingerprint: number, other: number): boolean {
  return wordBits(fingerprint) !== 0 && wordBits(fingerprint) === wordBits(other);
}

/** The role in the snapshot for an element that reacts to clicks but has no role. */
export const CLICKABLE = 'clickable';
const IDENTITY_TEXT_LIMIT = 400;
const COMPARED_TEXT = 100_000;

function fingerprintOf(identity: number, row: Pick<RowIdentity, 'hash' | 'words'>): number {
  const words = row.words === 0 ? 0 : mix(row.words, identity);
  // Never 0, which stands for any fingerprint or for none.
  return (words >>> 12) * ALL_BITS + (mix(row.hash, identity) || 1);
}

/** Hash of role and name. A reported name may be cut, so that the whole text of a long one is compared. */
function wholeOf(element: Element, { role, name }: { role: string; name: string }): number {
  const own = identityHashOf({ role, name });
  return name.length < IDENTITY_TEXT_LIMIT ? own : hash((textContent(element) ?? '').slice(0, COMPARED_TEXT), own);
}

/** Hash of role and name, whatever the row. */
export function identityHashOf({ role, name }: { role: string; name: string }): number {
  return hash(name, hash('\0', hash(role)));
}

export type Identity = Pick<ElementNow, 'role' | 'name'>;

/** Role and name of an interactive element, as the snapshot lists them. `role` is the result of `roleOf`. */
export function identityOf(element: Element, role = roleOf(element)): Identity {
  const tag = tagName(element);
  if (tag === 'LABEL') {
    const control = hiddenControl(element);
    if (control !== undefined) return { role: roleOf(control) || 'button', name: labelOrText(element) };
  } else if (tag === 'IFRAME' || tag === 'FRAME' || objectDocument(element) !== null) {
    return { role: 'iframe', name: nameOf(element, role) || (getAttribute(element, 'name') ?? '') };
  }
  const pdf = pdfUrlOf(element, tag);
  if (pdf !== undefined) return { role: PDF_ROLE, name: pdfName(pdf) };
  if (role === '' || role === 'none') return { role: CLICKABLE, name: labelOrText(element) };
  const name = nameOf(element, role);
  // A clickable element whose role allows no name from content, such as a list item, is named by its text.
  return { role, name: name === '' && NAMED_BY_TEXT.has(role) ? labelOrText(element) : name };
}

const NAMED_BY_TEXT = new Set([
  'listitem',
  'article',
  'group',
  'paragraph',
  'definition',
  'term',
  'code',
  'figure',
  'row',
  'note',
]);

export function describeNow(element: Element): ElementNow {
  const identity = identityOf(element);
  return elementNow(element, identity, new Rows().of(element, identity.name));
}

export function elementNow(
  element: Element,
  { role, name }: { role: string; name: string },
  row: RowIdentity,
): ElementNow {
  const fingerprint = fingerprintOf(wholeOf(element, { role, name }), row);
  return { role, name, row: row.text, fingerprint, ...(row.isBeside && { isBeside: true }) };
}

/**
 * Whether role and name are the same and a row around the element matches: rows come and go around the row, and a list
 * with one item left has no rows. An element in no row is identified by role and name only.
 */
function isStillIn(element: Element, { role, name }: ElementNow, fingerprint: number): boolean {
  const wholeHash = wholeOf(element, { role, name });
  for (const row of new Rows().possible(element, name))
    if (isSameText(fingerprintOf(wholeHash, { hash: row, words: 0 }), fingerprint)) return true;
  return false;
}

/** Whether a name covers all text of an element: a box that scrolls contains more text than its label. */
export function isNameOfWholeElement(element: Element, name: string): boolean {
  if (name.length >= IDENTITY_TEXT_LIMIT) return false;
  const isLabelled = hasAttribute(element, 'aria-label') || hasAttribute(element, 'title');
  return !isLabelled || !hasBlock(element);
}

function hasBlock(element: Element): boolean {
  for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child))
    if (!INLINE_TAGS.has(tagName(child)) && /\S/.test(textContent(child) ?? '')) return true;
  return false;
}

/** The label or text of an element without an accessible name, with white space collapsed, and cut. */
function labelOrText(element: Element): string {
  const label = getAttribute(element, 'aria-label')?.trim() || getAttribute(element, 'title')?.trim();
  return singleSpaced(label || seenText(element, 4 * IDENTITY_TEXT_LIMIT)).slice(0, IDENTITY_TEXT_LIMIT);
}

/** Attributes that contribute to names. */
const SPEAKING = ['role', 'aria-label', 'alt', 'title', 'value', 'placeholder'];
/** Nodes that are read of one element; a larger element counts as unknown. */
const MOST_NODES = 5000;

/** Hashes of the content of an element in the DOM, whatever style sheets show of it. */
interface DomContentHash {
  /** Hash of the element and its labels. */
  own: number;
  row: number;
  nodes: WeakSet<Node>;
}

/**
 * Hashes the DOM content of an element: a name that changes on hover (`:hover::after`, a tooltip inside a link) does
 * not make another element. Undefined when the element is too large.
 * @param among Elements outside this set are skipped with their content.
 */
function domContentHash(element: Element, among?: WeakSet<Node>): DomContentHash | undefined {
  const reader = new DomContentReader(among);
  reader.read(element);
  for (const label of (element as Partial<HTMLInputElement>).labels ?? []) reader.read(label);
  for (const labeller of labellersOf(element)) reader.read(labeller);
  if (reader.left <= 0) return undefined;
  return { own: reader.value, row: new Rows().of(element, '').hash, nodes: reader.nodes };
}

class DomContentReader {
  value = hash('');
  left = MOST_NODES;
  readonly nodes = new WeakSet<Node>();

  constructor(readonly among?: WeakSet<Node>) {}

  read(root: Node): void {
    this.#visit(root);
    // A filter of a TreeWalker is a callback, which Chromium refuses to run while it pauses a page.
    let node = firstChild(root);
    while (node !== null && this.left > 0) {
      const isLeftOut = node instanceof Element && this.among?.has(node) === false;
      if (!isLeftOut) this.#visit(node);
      node = (isLeftOut ? null : firstChild(node)) ?? nextSiblingOutside(node, root);
    }
  }

  #visit(node: Node): void {
    this.left--;
    this.nodes.add(node);
    if (nodeType(node) === Node.TEXT_NODE) this.#add((node as Text).data);
    else if (nodeType(node) === Node.ELEMENT_NODE) this.#element(node as Element);
  }

  #element(element: Element): void {
    this.#add(tagName(element));
    for (const attribute of SPEAKING) {
      const text = getAttribute(element, attribute);
      if (text !== null) this.#add(`${attribute}=${text}`);
    }
    const shadow = shadowRootOf(element);
    if (shadow != null) this.read(shadow);
  }

  #add(text: string): void {
    this.value = hash('\0', hash(text, this.value));
  }
}

function nextSiblingOutside(node: Node, root: Node): ChildNode | null {
  for (let current: Node | null = node; current !== null && current !== root; current = parentNode(current)) {
    const next = nextSibling(current);
    if (next !== null) return next;
  }
  return null;
}

/** Namesakes on each side that are read again. */
const NEARBY_SIBLINGS = 10;

/** Elements of one role, name and path in the latest capture, as in a list: their changes show whether rows moved. */
class Namesakes {
  #found: readonly KnownElement[] | undefined;

  constructor(
    readonly known: KnownElement | undefined,
    readonly captured: ReadonlyMap<number, KnownElement>,
  ) {}

  /** Computed on first use: most elements are as they were. */
  get #all(): readonly KnownElement[] {
    const { known, captured } = this;
    this.#found ??= [...captured.values()].filter(
      other => other.capture === known?.capture && other.identity === known.identity && other.path === known.path,
    );
    return this.#found;
  }

  /**
   * Whether an element is the same although numbers in its row changed: the other words distinguish its row from those
   * of all namesakes, whose rows are unchanged. A list that is reused for other items changes around the number.
   */
  othersUnchanged(now: number): boolean {
    const { known } = this;
    if (known === undefined || this.#others.some(other => hasSameWords(other.fingerprint, now))) return false;
    return this.#near.every(other => {
      const element = connectedElement(other);
      if (other === known || element === undefined) return true;
      const { fingerprint } = describeNow(element);
      return isSameText(fingerprint, other.fingerprint) || hasSameWords(fingerprint, other.fingerprint);
    });
  }

  /**
   * Whether the values that identify a row came from a namesake, which has others now: typing into a field does not
   * make another row of it, but a list whose rows have moved does.
   */
  tookValueFromAnother(now: number, was: number): boolean {
    if (hasSameWords(now, was)) return false;
    return this.#others.some(other => {
      if (!hasSameWords(other.fingerprint, now)) return false;
      const element = connectedElement(other);
      return element === undefined || describeNow(element).fingerprint !== other.fingerprint;
    });
  }

  /**
   * Whether the row of the element and those near it kept every word that only one of them had. A changing state
   * ("queued") occurs in several rows; a list that is reused for other items loses such words.
   */
  rowsKeptDistinguishingWords(): boolean {
    const near = this.#near.map(other => ({
      words: wordSet(other.row),
      element: connectedElement(other),
      identity: other.identity,
    }));
    const counts = new Map<string, number>();
    for (const { words } of near) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return near.every(({ words, element, identity }) => {
      const distinguishing = [...words].filter(word => counts.get(word) === 1);
      if (element === undefined || !distinguishing.some(isPlainWord)) return false;
      const now = describeNow(element);
      const kept = wordSet(now.row);
      return identityHashOf(now) === identity && distinguishing.every(word => kept.has(word));
    });
  }

  /** The element and those next to it. */
  get #near(): readonly KnownElement[] {
    const at = this.#all.indexOf(this.known as KnownElement);
    return this.#all.slice(Math.max(0, at - NEARBY_SIBLINGS), at + NEARBY_SIBLINGS + 1);
  }

  get #others(): KnownElement[] {
    return this.#all.filter(other => other !== this.known);
  }
}

function withoutNumbers(text: string): string {
  return text.replace(/\p{Nd}+/gu, '0');
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Whether a word can identify a row: numbers count up, and two rows may share one by chance. */
function isPlainWord(word: string): boolean {
  return /\p{L}/u.test(word) && !/\p{Nd}/u.test(word);
}

function connectedElement({ node }: KnownElement): Element | undefined {
  const element = node.deref();
  return element instanceof Element && isConnected(element) ? element : undefined;
}

const MOST_CANDIDATES = 10;

/** The document at the latest capture. */
interface CaptureScope {
  number: number;
  href: string;
  pathname: string;
  /** The modal dialog that hid the rest. */
  modal: WeakRef<Element> | undefined;
  /** The capture omits a part of it. */
  cut: boolean;
}

/** An element as an action resolved it. */
interface FoundElement {
  now: ElementNow;
  /** Undefined when the element is too large to read. */
  content: DomContentHash | undefined;
  isPointedAt: boolean;
  isFocused: boolean;
}

/** An element, and what the agent was given of it. */
interface Likeness {
  element: Element;
  /** Its fingerprint then. */
  was: number;
  now: ElementNow;
  found: FoundElement | undefined;
  known: KnownElement | undefined;
  namesakes: Namesakes;
}

/** The same thing, the same thing shown differently, or another one. */
type Sameness = 'same' | 'shown differently' | 'other';

/** Rules that decide whether an element is still what it was, each with its case. The first that applies decides. */
const SAME_THING: readonly [is: Sameness, applies: (likeness: Likeness) => boolean][] = [
  // Role, name, and the row with all of its words and values.
  ['same', ({ now, was }) => now.fingerprint === was],
  // The mouse or the focus that came for the action shows a tooltip, or adds buttons or a calendar.
  ['shown differently', hasOnlyGrown],
  // A list that is reused: the row has the text that it had, and the values of another one.
  [
    'other',
    ({ now, was, namesakes }) =>
      isSameText(now.fingerprint, was) && namesakes.tookValueFromAnother(now.fingerprint, was),
  ],
  // Typing into a field of the row has changed its values.
  ['same', ({ now, was }) => isSameText(now.fingerprint, was)],
  // Rows come and go around the row, or the list has one item left and no rows any more.
  ['shown differently', ({ element, now, was }) => isStillIn(element, now, was)],
  // A number counts on, and the other words of the row distinguish it from all others.
  [
    'shown differently',
    ({ now, was, namesakes }) => hasSameWords(now.fingerprint, was) && namesakes.othersUnchanged(now.fingerprint),
  ],
  // A state such as "queued" changes, and the words that only this row had are still there.
  [
    'shown differently',
    ({ known, was, namesakes }) => known?.fingerprint === was && namesakes.rowsKeptDistinguishingWords(),
  ],
];

function sameThing(likeness: Likeness): Sameness {
  return SAME_THING.find(([, applies]) => applies(likeness))?.[0] ?? 'other';
}

/** Whether an element has gained content since the action resolved it, and kept all that was there. */
function hasOnlyGrown({ element, was, now, found }: Likeness): boolean {
  if (found?.content === undefined || found.now.fingerprint !== was) return false;
  const { role, name, row } = found.now;
  const hasGrown = name !== '' && role === now.role && isWithinText(name, now.name) && isWithinText(row, now.row);
  if (!hasGrown) return false;
  const { isPointedAt, isFocused } = attentionOn(element);
  const hasCome = (isPointedAt && !found.isPointedAt) || (isFocused && !found.isFocused);
  const content = domContentHash(element, hasCome ? found.content.nodes : undefined);
  return content?.own === found.content.own && content.row === found.content.row;
}

/** Everything that is interactive now. */
export interface Newcomers {
  elements: readonly Element[];
  modal: Element | undefined;
}

interface ElementCandidate {
  id: number;
  element: Element;
  now: ElementNow;
}

/** The elements of a document by id, and the shadow roots that its scripts cannot reach. */
export interface DocumentNodes {
  readonly ids: ElementIds;
  readonly closedRoots: ClosedRoots;
}

/** The elements of one document by id. Ids are never reused: an old one fails and does not name another element. */
export class ElementIds {
  /** Unguessable, because it grants access to the engine of the document. */
  readonly doc = randomName();
  #ids = new WeakMap<Node, number>();
  #known = new Map<number, KnownElement>();
  /** Elements that are found by id only. */
  #containers = new Map<number, WeakRef<Element>>();
  /** Elements as the current action resolved them, by id. */
  #found = new Map<number, FoundElement>();
  /** The latest capture in which an element existed without being visible. */
  #unseen = new WeakMap<Element, number>();
  #captured: CaptureScope = { number: 0, href: '', pathname: '', modal: undefined, cut: true };
  #last = 0;
  #isAside = false;

  get last(): number {
    return this.#last;
  }

  idOf(node: Node): number {
    const known = this.#ids.get(node);
    if (known !== undefined) return known;
    this.#ids.set(node, ++this.#last);
    return this.#last;
  }

  known(node: Node): number | undefined {
    return this.#ids.get(node);
  }

  among(nodes: Iterable<Node>): number[] {
    return Array.from(nodes, node => this.#ids.get(node)).filter(id => id !== undefined);
  }

  /** Runs a capture that no agent is given now: elements are still compared with what agents were given before. */
  aside<T>(capture: () => T): T {
    const [known, captured] = [this.#known, this.#captured];
    this.#known = new Map(Array.from(known, ([id, element]) => [id, { ...element }]));
    this.#isAside = true;
    try {
      return capture();
    } finally {
      [this.#known, this.#captured] = [known, captured];
      this.#isAside = false;
    }
  }

  /** Called before the walk of a capture, which is what agents are given. */
  beginCapture(modal: Element | undefined): void {
    const { href, pathname } = location;
    const number = this.#captured.number + 1;
    this.#captured = { number, href, pathname, modal: modal && new WeakRef(modal), cut: false };
    this.#sweep();
  }

  /** Called when a capture could not read the whole document. */
  noteCut(): void {
    this.#captured.cut = true;
  }

  /** Records an interactive element, as a walk reads it. */
  remember(element: Element, id: number, record: ElementRecord): KnownElement {
    const latest = { ...record, capture: this.#captured.number, after: NO_FINGERPRINT };
    let known = this.#known.get(id);
    if (known === undefined) {
      known = { ...latest, node: new WeakRef(element), marks: stableAttributesHash(element) };
      this.#known.set(id, known);
      return known;
    }
    if (known.fingerprint !== record.fingerprint) known.marks = stableAttributesHash(element);
    return Object.assign(known, latest);
  }

  /** The id of an element that is found by it, although no walk has read the element as an interactive one. */
  rememberContainer(element: Element, id = this.idOf(element)): number {
    if (!this.#known.has(id) && !this.#containers.has(id)) this.#containers.set(id, new WeakRef(element));
    return id;
  }

  /** Records that an element exists without being visible: what appears in it later is not new. */
  rememberUnseen(element: Element): void {
    if (!this.#isAside) this.#unseen.set(element, this.#captured.number);
  }

  element(id: number): Element | undefined {
    const node = (this.#known.get(id)?.node ?? this.#containers.get(id))?.deref();
    return node instanceof Element && isConnected(node) ? node : undefined;
  }

  /** Resolves a target. Invariant: it returns the very element, with the role, name and row given to the agent. */
  find(target: Target, newcomers: () => Newcomers): Element | EngineRefusal {
    if (target.doc !== this.doc) return { code: 'stale', candidates: [] };
    const element = this.element(target.id);
    if (element === undefined) return this.#gone(target, newcomers);
    if (target.fingerprint === ANY_FINGERPRINT) return element;
    const now = describeNow(element);
    if (now.fingerprint === target.fingerprint) this.#note(element, target.id, now);
    else if (!this.#isStill(element, target, now)) return { code: 'changed', now };
    const { pathname } = this.#captured;
    if (pathname !== location.pathname)
      return { code: 'changed', now: describeNow(element), went: { from: pathname, to: location.pathname } };
    return element;
  }

  /** What an element is now, as the target of an action that begins here. */
  targetNow(element: Element): Target {
    const id = this.idOf(element);
    const now = describeNow(element);
    this.#note(element, id, now);
    return { doc: this.doc, id, fingerprint: now.fingerprint, lastId: this.#last };
  }

  /** The changed state of an element; undefined while it is what the agent was given. */
  changeOf(element: Element, target: Pick<Target, 'id' | 'fingerprint'>): ElementNow | undefined {
    const now = describeNow(element);
    return this.#isStill(element, target, now) ? undefined : now;
  }

  /**
   * Whether an element has only another name than the agent was given, as the action on it may make: it is called
   * `name`, or that with other numbers, as in "Cursor at row 4", and nothing else is called so.
   */
  isOnlyRenamed(element: Element, { id, fingerprint }: Target, was: Identity, name = was.name): boolean {
    const now = identityOf(element);
    const before = elementNow(element, was, new Rows().of(element, now.name));
    if (now.role !== was.role || !isSameText(before.fingerprint, fingerprint)) return false;
    if (now.name === name) return true;
    const words = withoutNumbers(now.name);
    return words === withoutNumbers(name) && !this.#isCalled(words, id);
  }

  /** Whether another element of the latest capture is so. */
  #isAnother(id: number, isSo: (known: KnownElement, id: number) => boolean): boolean {
    const { number } = this.#captured;
    for (const [other, known] of this.#known)
      if (other !== id && known.capture === number && isSo(known, other)) return true;
    return false;
  }

  /** Whether another element is called so, but for numbers. */
  #isCalled(words: string, id: number): boolean {
    return this.#isAnother(id, known => {
      const element = connectedElement(known);
      return element !== undefined && withoutNumbers(identityOf(element).name) === words;
    });
  }

  /** Whether an element is still the thing that the agent was given. */
  #isStill(element: Element, target: Pick<Target, 'id' | 'fingerprint'>, now: ElementNow): boolean {
    const known = this.#known.get(target.id);
    const namesakes = new Namesakes(known, this.#known);
    const found = this.#found.get(target.id);
    return sameThing({ element, was: target.fingerprint, now, found, known, namesakes }) !== 'other';
  }

  /** Called when an action is over: what hovering revealed for it excuses no change during the next one. */
  endAction(): void {
    this.#found.clear();
  }

  #note(element: Element, id: number, now: ElementNow): void {
    if (this.#found.get(id)?.now.fingerprint === now.fingerprint) return;
    this.#found.set(id, { now, content: domContentHash(element), ...attentionOn(element) });
  }

  /**
   * Takes an element for what a page drew in the place of a removed one that has been pressed: the agent has not seen
   * it, and it is in the same row, or was the only one called so.
   */
  succeeds(element: Element, target: Target): boolean {
    if ((this.#ids.get(element) ?? target.lastId + 1) <= target.lastId || this.#wasThere(element)) return false;
    const { role, name, fingerprint } = describeNow(element);
    const identity = identityHashOf({ role, name });
    const isOnly = !this.#isAnother(target.id, (known, id) => id <= target.lastId && known.identity === identity);
    if (!isOnly && !isSameText(fingerprint, target.fingerprint)) return false;
    this.#known.delete(target.id);
    this.rememberContainer(element);
    return true;
  }

  #gone(target: Target, newcomers: () => Newcomers): EngineRefusal {
    const gone = this.#known.get(target.id);
    const wasUnique = gone !== undefined && this.#wasUnique(gone, target);
    const { elements, modal } = newcomers();
    const candidates: ElementCandidate[] = [];
    for (const element of elements) {
      const id = this.idOf(element);
      if (isSameText(this.#known.get(id)?.fingerprint ?? NO_FINGERPRINT, target.fingerprint))
        candidates.push({ id, element, now: describeNow(element) });
    }
    const only = candidates.length === 1 ? candidates[0] : undefined;
    const isProven = wasUnique && only !== undefined && this.#isSamePage(modal) && this.#replaces(only, gone, target);
    // Otherwise it would count as a namesake of its replacement when that is replaced in turn.
    if (isProven) this.#known.delete(target.id);
    return {
      code: 'stale',
      candidates: candidates.slice(0, MOST_CANDIDATES).map(({ id, now }) => ({ id, now })),
      ...(isProven && { replacement: { id: only.id, now: only.now } }),
    };
  }

  /** Whether the agent was given no other element like it. */
  #wasUnique(gone: KnownElement, { id, fingerprint, lastId }: Target): boolean {
    if (gone.fingerprint !== fingerprint || gone.capture !== this.#captured.number) return false;
    return !this.#isAnother(id, (known, other) => other <= lastId && isSameText(known.fingerprint, fingerprint));
  }

  /** Whether this is still the page of the capture, as it is when an element is rendered again. */
  #isSamePage(modal: Element | undefined): boolean {
    const { href, cut, modal: before } = this.#captured;
    return !cut && href === location.href && before?.deref() === modal;
  }

  /**
   * A replacement must be newer than the ref and stand at the same place: below the same tags and the same heading,
   * with the same stable attributes, in the same row or beside one of the same neighbours.
   */
  #replaces({ id, element, now }: ElementCandidate, gone: KnownElement, target: Target): boolean {
    const known = this.#known.get(id);
    if (known === undefined || id <= target.lastId || this.#wasThere(element)) return false;
    if (known.path !== gone.path || known.marks !== gone.marks || known.heading !== gone.heading) return false;
    if (now.row !== '') return true;
    return now.name !== '' && isBesideTheSame(known, gone);
  }

  #wasThere(element: Element): boolean {
    for (const node of elementsAround(element)) if (this.#unseen.get(node) === this.#captured.number) return true;
    return false;
  }

  /** Drops elements that were garbage-collected, once the maps are large. */
  #sweep(): void {
    if (this.#known.size + this.#containers.size < 2000) return;
    for (const [id, { node }] of this.#known) if (node.deref() === undefined) this.#known.delete(id);
    for (const [id, node] of this.#containers) if (node.deref() === undefined) this.#containers.delete(id);
  }
}

function attentionOn(element: Element): Pick<FoundElement, 'isPointedAt' | 'isFocused'> {
  return { isPointedAt: matches(element, ':hover'), isFocused: matches(element, ':focus-within') };
}

/** Whether the words of one text occur in another in the same order, with others between them. */
function isWithinText(text: string, longer: string): boolean {
  const words = longer.split(' ');
  let at = 0;
  if (text === '') return true;
  return text.split(' ').every(word => {
    at = words.indexOf(word, at) + 1;
    return at > 0;
  });
}

function isBesideTheSame(known: KnownElement, gone: KnownElement): boolean {
  const sides = (['before', 'after'] as const).filter(side => known[side] !== NO_FINGERPRINT);
  if (sides.length === 0) return gone.before === NO_FINGERPRINT && gone.after === NO_FINGERPRINT;
  return sides.some(side => known[side] === gone[side]);
}

function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), number => number.toString(36)).join('');
}
