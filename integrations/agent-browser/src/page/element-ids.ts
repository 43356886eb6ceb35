import {
  firstChild,
  getAttribute,
  isConnected,
  matches,
  nextSibling,
  nodeType,
  parentInFlatTree,
  parentNode,
  shadowRootOf,
  tagName,
} from './dom.js';
import { type ElementRecord, hash, type KnownElement, stableAttributesHash } from './element-record.js';
import { describeNow, hasSameWords, isSameText, isStillIn, saidHash } from './identity.js';
import type { ElementNow, EngineRefusal, Target } from './protocol.js';
import { labellersOf } from './role.js';
import { Rows } from './rows.js';

/** Attributes that names are made of. */
const SPEAKING = ['role', 'aria-label', 'alt', 'title', 'value', 'placeholder'];
/** Nodes that are read of one element; what is larger counts as unknown. */
const MOST_NODES = 5000;

/** What the document itself says of an element, whatever its style sheets show of it. */
interface Matter {
  /** Hash of the element and its labels. */
  own: number;
  /** Hash of its row. */
  row: number;
  /** The nodes that were read. */
  nodes: WeakSet<Node>;
}

/**
 * What the document says of an element: a name that changes because the mouse is there (`:hover::after`, a tooltip inside
 * a link) is no other element. Undefined when it is too much to read.
 * @param among Elements that are not among these nodes are left out with all that is in them.
 */
function domContentHash(element: Element, among?: WeakSet<Node>): Matter | undefined {
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

/** Namesakes on either side that are looked at again. */
const NEARBY_SIBLINGS = 10;

/** The names of elements at each place of a list in the latest capture. Their fate tells the element's. */
class Namesakes {
  readonly #all: readonly KnownElement[];

  constructor(
    readonly known: KnownElement | undefined,
    captured: Iterable<KnownElement>,
  ) {
    this.#all = [...captured].filter(
      other => other.capture === known?.capture && other.said === known.said && other.path === known.path,
    );
  }

  /**
   * Whether an element of whose row nothing but numbers has changed is what it was: the rest of the row tells it from those
   * of all namesakes, and these say what they said. A list that is used for other items changes around the number.
   */
  othersUnchanged(now: number): boolean {
    const { known } = this;
    if (known === undefined || this.#others.some(other => hasSameWords(other.fingerprint, now))) return false;
    const at = this.#all.indexOf(known);
    const near = this.#all.slice(Math.max(0, at - NEARBY_SIBLINGS), at + NEARBY_SIBLINGS + 1);
    return near.every(other => {
      const element = connectedElement(other);
      if (other === known || element === undefined) return true;
      const { fingerprint } = describeNow(element);
      return isSameText(fingerprint, other.fingerprint) || hasSameWords(fingerprint, other.fingerprint);
    });
  }

  /**
   * Whether the values that alone tell a row came from that of a namesake, which holds others now: what is entered into a
   * field makes no other row of it, but a list whose rows have moved does.
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
   * Whether the rows of the element and of those near it have lost no word that told one of them from the others: a state
   * that changes in several rows ("queued") is said by several, and a list that is used for other items loses such words.
   */
  rowsKeptDistinguishingWords(): boolean {
    const { known } = this;
    const at = known === undefined ? -1 : this.#all.indexOf(known);
    if (known === undefined || at === -1) return false;
    const near = this.#all.slice(Math.max(0, at - NEARBY_SIBLINGS), at + NEARBY_SIBLINGS + 1).map(other => ({
      words: wordSet(other.row),
      element: connectedElement(other),
      said: other.said,
    }));
    const counts = new Map<string, number>();
    for (const { words } of near) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return near.every(({ words, element, said }) => {
      const telling = [...words].filter(word => counts.get(word) === 1);
      if (element === undefined || !telling.some(isPlainWord)) return false;
      const now = describeNow(element);
      const kept = wordSet(now.row);
      return saidHash(now) === said && telling.every(word => kept.has(word));
    });
  }

  get #others(): KnownElement[] {
    return this.#all.filter(other => other !== this.known);
  }
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Numbers count, and are the same in one row and the other by chance. */
function isPlainWord(word: string): boolean {
  return /\p{L}/u.test(word) && !/\p{Nd}/u.test(word);
}

function connectedElement({ node }: KnownElement): Element | undefined {
  const element = node.deref();
  return element instanceof Element && isConnected(element) ? element : undefined;
}

/** Candidates for what replaced an element that are worth telling. */
const MOST_CANDIDATES = 10;

/** The document as the latest capture saw it. */
interface CaptureScope {
  number: number;
  href: string;
  pathname: string;
  /** The modal dialog that hid the rest. */
  modal: WeakRef<Element> | undefined;
  /** Not all of it was seen. */
  cut: boolean;
}

/** An element as an action found it. */
interface FoundElement {
  now: ElementNow;
  /** Undefined when it is unknown. */
  matter: Matter | undefined;
  isPointedAt: boolean;
  isFocused: boolean;
}

/** Looks for all that can be acted on at this moment. */
export interface Newcomers {
  elements: readonly Element[];
  modal: Element | undefined;
}

interface ElementCandidate {
  id: number;
  element: Element;
  now: ElementNow;
}

/**
 * The elements of one document by id. An id is given once and never again, so that an old one fails
 * rather than means something else.
 */
export class ElementIds {
  /** Nobody guesses it: who knows it can ask about the document. */
  readonly doc = randomName();
  #ids = new WeakMap<Node, number>();
  #known = new Map<number, KnownElement>();
  /** Elements for look-ups by id alone. */
  #containers = new Map<number, WeakRef<Element>>();
  /** The descriptions of elements when the action under way found them, by id. */
  #found = new Map<number, FoundElement>();
  /** Elements that were there and not visible, by the number of the capture. */
  #unseen = new WeakMap<Element, number>();
  #captured: CaptureScope = { number: 0, href: '', pathname: '', modal: undefined, cut: true };
  #last = 0;

  get last(): number {
    return this.#last;
  }

  idOf(node: Node): number {
    let id = this.#ids.get(node);
    if (id === undefined) {
      id = ++this.#last;
      this.#ids.set(node, id);
    }
    return id;
  }

  /** The id of a node that has one. */
  known(node: Node): number | undefined {
    return this.#ids.get(node);
  }

  /** Whether this is the node of an id. */
  has(node: Node, id: number): boolean {
    return this.#ids.get(node) === id;
  }

  /** Ids of those of some nodes that have one. */
  among(nodes: Iterable<Node>): number[] {
    return Array.from(nodes, node => this.#ids.get(node)).filter(id => id !== undefined);
  }

  /** Called before the walk of a capture, which is what agents are told. */
  beginCapture(modal: Element | undefined): void {
    const { href, pathname } = location;
    const number = this.#captured.number + 1;
    this.#captured = { number, href, pathname, modal: modal && new WeakRef(modal), cut: false };
    this.#sweep();
  }

  /** Called when a capture could not see the whole document. */
  noteCut(): void {
    this.#captured.cut = true;
  }

  /** Remembers an element that can be acted on, as a walk sees it. */
  remember(element: Element, id: number, sight: ElementRecord): KnownElement {
    let known = this.#known.get(id);
    if (known === undefined) {
      const { number: capture } = this.#captured;
      known = { ...sight, node: new WeakRef(element), capture, after: 0, marks: stableAttributesHash(element) };
      this.#known.set(id, known);
      return known;
    }
    if (known.fingerprint !== sight.fingerprint) known.marks = stableAttributesHash(element);
    known.fingerprint = sight.fingerprint;
    known.said = sight.said;
    known.row = sight.row;
    known.path = sight.path;
    known.heading = sight.heading;
    known.before = sight.before;
    known.after = 0;
    known.capture = this.#captured.number;
    return known;
  }

  /** Remembers an element for later look-ups by id alone. */
  rememberContainer(element: Element, id: number): void {
    if (!this.#known.has(id) && !this.#containers.has(id)) this.#containers.set(id, new WeakRef(element));
  }

  /** Remembers that an element was there, though a person could not see it: what shows up in it later is not new. */
  rememberUnseen(element: Element): void {
    this.#unseen.set(element, this.#captured.number);
  }

  element(id: number): Element | undefined {
    const node = (this.#known.get(id)?.node ?? this.#containers.get(id))?.deref();
    return node instanceof Element && isConnected(node) ? node : undefined;
  }

  /**
   * The element that a target names, or why it is not handed out.
   * Invariant: what is returned is the very element, with the role, name and row the agent was told.
   */
  find(target: Target, newcomers: () => Newcomers): Element | EngineRefusal {
    if (target.doc !== this.doc) return { code: 'stale', candidates: [] };
    const element = this.element(target.id);
    if (element === undefined) return this.#gone(target, newcomers);
    if (target.fingerprint === 0) return element;
    const now = describeNow(element);
    if (now.fingerprint === target.fingerprint) this.#note(element, target.id, now);
    else if (!this.#isStill(element, target, now)) return { code: 'changed', now };
    const { pathname } = this.#captured;
    if (pathname !== location.pathname) {
      return { code: 'changed', now: describeNow(element), went: { from: pathname, to: location.pathname } };
    }
    return element;
  }

  /** The change of an element; undefined while it is what the agent was told. */
  changeOf(element: Element, target: Pick<Target, 'id' | 'fingerprint'>): ElementNow | undefined {
    const now = describeNow(element);
    return this.#isStill(element, target, now) ? undefined : now;
  }

  /** Whether what an element says now means what the agent was told. */
  #isStill(element: Element, target: Pick<Target, 'id' | 'fingerprint'>, now: ElementNow): boolean {
    if (now.fingerprint === target.fingerprint || this.#isOnlyShown(element, target, now)) return true;
    const known = this.#known.get(target.id);
    const namesakes = new Namesakes(known, this.#known.values());
    const was = target.fingerprint;
    if (isSameText(now.fingerprint, was)) return !namesakes.tookValueFromAnother(now.fingerprint, was);
    if (isStillIn(element, now, was)) return true;
    if (hasSameWords(now.fingerprint, was) && namesakes.othersUnchanged(now.fingerprint)) return true;
    return known?.fingerprint === was && namesakes.rowsKeptDistinguishingWords();
  }

  /** Called when an action is over: what the mouse brought to light for it excuses no change that the next one meets. */
  endAction(): void {
    this.#found.clear();
  }

  #note(element: Element, id: number, now: ElementNow): void {
    if (this.#found.get(id)?.now.fingerprint === now.fingerprint) return;
    this.#found.set(id, { now, matter: domContentHash(element), ...attentionOn(element) });
  }

  /**
   * Whether all that is new of an element has come to light in it since the action found it, for the action brought the
   * mouse or the focus there: style sheets show a tooltip (`:hover`), or the page adds buttons or a calendar. What was
   * there to read must still be there.
   */
  #isOnlyShown(element: Element, { id, fingerprint }: Pick<Target, 'id' | 'fingerprint'>, now: ElementNow): boolean {
    const found = this.#found.get(id);
    if (found?.matter === undefined || found.now.fingerprint !== fingerprint) return false;
    const { role, name, row } = found.now;
    const hasGrown = name !== '' && role === now.role && isWithinText(name, now.name) && isWithinText(row, now.row);
    if (!hasGrown) return false;
    const { isPointedAt, isFocused } = attentionOn(element);
    const hasCome = (isPointedAt && !found.isPointedAt) || (isFocused && !found.isFocused);
    const matter = domContentHash(element, hasCome ? found.matter.nodes : undefined);
    return matter?.own === found.matter.own && matter.row === found.matter.row;
  }

  #gone(target: Target, newcomers: () => Newcomers): EngineRefusal {
    const gone = this.#known.get(target.id);
    const wasUnique = gone !== undefined && this.#wasUnique(gone, target);
    const { elements, modal } = newcomers();
    const candidates: ElementCandidate[] = [];
    for (const element of elements) {
      const id = this.idOf(element);
      if (isSameText(this.#known.get(id)?.fingerprint ?? 0, target.fingerprint)) {
        candidates.push({ id, element, now: describeNow(element) });
      }
    }
    const only = candidates.length === 1 ? candidates[0] : undefined;
    const isProven = wasUnique && only !== undefined && this.#isSamePage(modal) && this.#replaces(only, gone, target);
    // Else it would look like a namesake of its own replacement, should that be replaced in turn.
    if (isProven) this.#known.delete(target.id);
    return {
      code: 'stale',
      candidates: candidates.slice(0, MOST_CANDIDATES).map(({ id, now }) => ({ id, now })),
      ...(isProven && { replacement: { id: only.id, now: only.now } }),
    };
  }

  /** The agent was told of no other element like it. */
  #wasUnique(gone: KnownElement, { id, fingerprint, lastId }: Target): boolean {
    if (gone.fingerprint !== fingerprint || gone.capture !== this.#captured.number) return false;
    for (const [other, known] of this.#known) {
      const isAlike = isSameText(known.fingerprint, fingerprint) && known.capture === gone.capture;
      if (isAlike && other !== id && other <= lastId) return false;
    }
    return true;
  }

  /** An element that was rendered again is on the same page as before. */
  #isSamePage(modal: Element | undefined): boolean {
    const { href, cut, modal: before } = this.#captured;
    return !cut && href === location.href && before?.deref() === modal;
  }

  /**
   * A replacement must have come after the agent was told of the ref, and must stand at the same place: below the same
   * tags and the same heading, with the same stable attributes, in the same row or beside one of the same neighbours.
   */
  #replaces({ id, element, now }: ElementCandidate, gone: KnownElement, target: Target): boolean {
    const known = this.#known.get(id);
    if (known === undefined || id <= target.lastId || this.#wasThere(element)) return false;
    if (known.path !== gone.path || known.marks !== gone.marks || known.heading !== gone.heading) return false;
    if (now.row !== '') return true;
    return now.name !== '' && isBesideTheSame(known, gone);
  }

  #wasThere(element: Element): boolean {
    for (let node: Node | null = element; node !== null; node = parentInFlatTree(node)) {
      if (node instanceof Element && this.#unseen.get(node) === this.#captured.number) return true;
    }
    return false;
  }

  /** Forgets elements that were collected, when enough have come together. */
  #sweep(): void {
    if (this.#known.size + this.#containers.size < 2000) return;
    for (const [id, { node }] of this.#known) if (node.deref() === undefined) this.#known.delete(id);
    for (const [id, node] of this.#containers) if (node.deref() === undefined) this.#containers.delete(id);
  }
}

function attentionOn(element: Element): Pick<FoundElement, 'isPointedAt' | 'isFocused'> {
  return { isPointedAt: matches(element, ':hover'), isFocused: matches(element, ':focus-within') };
}

/** Whether the words of one text stand in another in the same order, among others. */
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
  if (known.before === 0 && known.after === 0) return gone.before === 0 && gone.after === 0;
  return (known.before !== 0 && known.before === gone.before) || (known.after !== 0 && known.after === gone.after);
}

function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), number => number.toString(36)).join('');
}
