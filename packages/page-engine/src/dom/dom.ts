import type { Size } from './geometry.js';

/**
 * DOM accessors, read from the prototypes once. An isolated world keeps prototypes clean, but the named controls of a
 * form (`<input name="firstChild">`) shadow its own accessors in every world.
 */
const { call } = Function.prototype;

type Bound<T, A extends unknown[], R> = (target: T, ...args: A) => R;

function getter<T extends object, K extends keyof T>(prototype: T, key: K): (target: T) => T[K] {
  const get = Object.getOwnPropertyDescriptor(prototype, key)?.get;
  if (get === undefined) throw new Error(`${String(key)} is no accessor here`);
  return call.bind(get) as (target: T) => T[K];
}

const title = getter(Document.prototype, 'title');
const DOCUMENT_TITLE_LIMIT = 300;

/** The title of the document, even where a named element shadows it (`<form name="title">`). */
export const titleNow = (): string => title(document).slice(0, DOCUMENT_TITLE_LIMIT);

const designMode = getter(Document.prototype, 'designMode');

/** Whether the document is edited as a whole (HTML, designMode): its body is the field. */
export const isDesigned = (): boolean => designMode(document) === 'on';

export const nodeType = getter(Node.prototype, 'nodeType');
export const parentNode = getter(Node.prototype, 'parentNode');
export const firstChild = getter(Node.prototype, 'firstChild');
export const nextSibling = getter(Node.prototype, 'nextSibling');
export const previousSibling = getter(Node.prototype, 'previousSibling');
export const textContent = getter(Node.prototype, 'textContent');
export const isConnected = getter(Node.prototype, 'isConnected');

export const tagName = getter(Element.prototype, 'tagName');
export const localName = getter(Element.prototype, 'localName');
export const shadowRoot = getter(Element.prototype, 'shadowRoot');
export const assignedSlot = getter(Element.prototype, 'assignedSlot');
export const firstElementChild = getter(Element.prototype, 'firstElementChild');
export const nextElementSibling = getter(Element.prototype, 'nextElementSibling');
export const previousElementSibling = getter(Element.prototype, 'previousElementSibling');

const ownAttribute = call.bind(Element.prototype.getAttribute) as Bound<Element, [string], string | null>;
const hasOwnAttribute = call.bind(Element.prototype.hasAttribute) as Bound<Element, [string], boolean>;
const hasOwnAttributes = call.bind(Element.prototype.hasAttributes) as Bound<Element, [], boolean>;
const ownAttributeNames = call.bind(Element.prototype.getAttributeNames) as Bound<Element, [], string[]>;

type Attributes = ReadonlyMap<string, string>;
/** ARIA attributes that custom elements have by default. Undefined in documents without any. */
let defaults: WeakMap<Element, Attributes> | undefined;

/** Sets the role and states of a custom element's ElementInternals: attributes that its author may override. */
export function setDefaultAttributes(element: Element, attributes: Attributes): void {
  defaults ??= new WeakMap();
  defaults.set(element, attributes);
}

export function defaultAttributesOf(element: Element): Attributes | undefined {
  return defaults?.get(element);
}

export function getAttribute(element: Element, name: string): string | null {
  const own = ownAttribute(element, name);
  return own !== null || defaults === undefined ? own : (defaults.get(element)?.get(name) ?? null);
}

export function hasAttribute(element: Element, name: string): boolean {
  return hasOwnAttribute(element, name) || defaults?.get(element)?.has(name) === true;
}

export function hasAttributes(element: Element): boolean {
  return hasOwnAttributes(element) || defaults?.has(element) === true;
}

export function getAttributeNames(element: Element): string[] {
  const own = ownAttributeNames(element);
  const more = defaults?.get(element);
  return more === undefined ? own : [...new Set([...own, ...more.keys()])];
}

export const matches = call.bind(Element.prototype.matches) as Bound<Element, [string], boolean>;
export const closest = call.bind(Element.prototype.closest) as Bound<Element, [string], Element | null>;
export const querySelector = call.bind(Element.prototype.querySelector) as Bound<Element, [string], Element | null>;
export const querySelectorAll = call.bind(Element.prototype.querySelectorAll) as Bound<
  Element,
  [string],
  NodeListOf<Element>
>;
export const checkVisibility = call.bind(Element.prototype.checkVisibility) as Bound<
  Element,
  [options?: CheckVisibilityOptions],
  boolean
>;
/** The document that an `object` shows as a frame does, if it is same-origin HTML. */
export function objectDocument(element: Element): Document | null {
  if (!(element instanceof HTMLObjectElement)) return null;
  const shown = element.contentDocument;
  return shown?.contentType === 'text/html' ? shown : null;
}

/** The nodes of one level of a walk: siblings, or the assigned nodes of a slot, which need not be siblings. */
export interface NodeRun {
  next: Node | null;
  list: readonly Node[] | null;
  index: number;
}

export function nextNodeOf(run: NodeRun): Node | null {
  if (run.list !== null) return run.list[run.index++] ?? null;
  const node = run.next;
  if (node !== null) run.next = nextSibling(node);
  return node;
}

/** Undefined in Chromium versions without the EditContext API. */
const editContext = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'editContext')?.get as
  | (() => object | null)
  | undefined;

/** Whether an EditContext receives the text input; the page then renders that text itself (W3C EditContext API). */
export function hasEditContext(element: Element): boolean {
  return element instanceof HTMLElement && editContext?.call(element) != null;
}

/** Whether an element has more than `count` descendants, without counting all of them. */
export const hasMoreThan = (element: Element, count: number): boolean => elementsIn(element, '*').item(count) !== null;
export const elementsIn = call.bind(Element.prototype.getElementsByTagName) as Bound<Element, [string], HTMLCollection>;
export const boxOf = call.bind(Element.prototype.getBoundingClientRect) as Bound<Element, [], DOMRect>;
/** Whether a box is larger than the pixel to which pages shrink what nobody is to see. */
export const isSized = ({ width, height }: Size): boolean => width > 1 && height > 1;
export const offsetParent = getter(HTMLElement.prototype, 'offsetParent');
export const offsetWidth = getter(HTMLElement.prototype, 'offsetWidth');
export const offsetHeight = getter(HTMLElement.prototype, 'offsetHeight');

const namespaceGetter = Object.getOwnPropertyDescriptor(Element.prototype, 'namespaceURI')?.get as () => string | null;
const namespaceOf = call.bind(namespaceGetter) as (element: Element) => string | null;
/** The document or shadow root that scopes the ids, labels and style sheets of a node. */
export const treeScopeOf = call.bind(Node.prototype.getRootNode) as (node: Node) => Node;

type ById = (scope: Node, id: string) => Element | null;
type Query = (scope: Node, selector: string) => ArrayLike<Element> & Iterable<Element>;
const documentById = call.bind(Document.prototype.getElementById) as ById;
const fragmentById = call.bind(DocumentFragment.prototype.getElementById) as ById;
const documentQuery = call.bind(Document.prototype.querySelectorAll) as Query;
const fragmentQuery = call.bind(DocumentFragment.prototype.querySelectorAll) as Query;

const XHTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';

/** `button` for HTML, `svg:a` for SVG, `xml:math` for the rest, where a name has no HTML semantics. */
export function tagOf(element: Element): string {
  const namespace = namespaceOf(element);
  if (namespace === XHTML) return localName(element);
  return `${namespace === SVG ? 'svg' : 'xml'}:${localName(element)}`;
}

/** Whether an element has a role or any aria-* attribute. Most have none, which saves a query for each. */
export function hasAria(element: Element): boolean {
  if (!hasAttributes(element)) return false;
  for (const name of getAttributeNames(element)) if (name === 'role' || name.startsWith('aria-')) return true;
  return false;
}

type RootFinder = (host: Element) => ShadowRoot | null | undefined;
let closedRootOf: RootFinder = () => undefined;

/** Sets the function that finds closed shadow roots: scripts cannot see them, CDP can. */
export function setClosedRootFinder(finder: RootFinder): void {
  closedRootOf = finder;
}

export function shadowRootOf(host: Element): ShadowRoot | null | undefined {
  return shadowRoot(host) ?? closedRootOf(host);
}

function isFragment(node: Node): node is DocumentFragment {
  return nodeType(node) === Node.DOCUMENT_FRAGMENT_NODE;
}

export function shadowHostOf(scope: Node): Element | null {
  return isFragment(scope) ? ((scope as Partial<ShadowRoot>).host ?? null) : null;
}

/** The parent element in the flat tree: the slot before the parent, the host after the shadow root. */
export function flatParentOf(element: Element): Element | null {
  const parent = parentInFlatTree(element);
  return parent instanceof Element ? parent : null;
}

/** `closest` that continues from a shadow root at its host. */
export function closestAcrossShadows(element: Element | null, selector: string): Element | null {
  for (let from = element; from !== null; from = shadowHostOf(treeScopeOf(from))) {
    const found = closest(from, selector);
    if (found !== null) return found;
  }
  return null;
}

export function elementById(scope: Node, id: string): Element | null {
  if (nodeType(scope) === Node.DOCUMENT_NODE) return documentById(scope, id);
  return isFragment(scope) ? fragmentById(scope, id) : null;
}

/** The elements of a tree scope that match; none when the scope is a detached element. */
export function queryAll(scope: Node, selector: string): ReturnType<Query> {
  if (nodeType(scope) === Node.DOCUMENT_NODE) return documentQuery(scope, selector);
  return isFragment(scope) ? fragmentQuery(scope, selector) : [];
}

const ATTRIBUTE_TOKEN = /[^\t\n\f\r ]+/g;
const LONGEST_LIST = 10_000;

/** The tokens of a space-separated attribute (HTML, ASCII white space). */
export function attributeTokens(value: string): readonly string[] {
  return value.slice(0, LONGEST_LIST).match(ATTRIBUTE_TOKEN) ?? [];
}

/** The elements that an attribute of an element references by their ids. */
export function referencedElements(element: Element, ids: string): Element[] {
  const scope = treeScopeOf(element);
  return attributeTokens(ids).flatMap(id => elementById(scope, id) ?? []);
}

export function childOf(element: Element, tag: string): Element | undefined {
  for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child)) {
    if (tagOf(child) === tag) return child;
  }
  return undefined;
}

/** The parent across slots and shadow roots (CSS Scoping, flat tree). */
export function parentInFlatTree(node: Node): Node | null {
  if (node instanceof Element) {
    const slot = assignedSlot(node);
    if (slot !== null) return slot;
  }
  const parent = parentNode(node);
  return parent instanceof ShadowRoot ? parent.host : parent;
}

/** An element, or what a node is in, and everything around it in the flat tree, from the inside out. */
export function* elementsAround(from: Node | null): Generator<Element> {
  for (let node = from; node !== null; node = parentInFlatTree(node)) if (node instanceof Element) yield node;
}

/** As {@link elementsAround}, and through the closed shadow trees into which an element is slotted, as events go. */
export function* elementsPressed(hit: Element): Generator<Element> {
  for (let node: Node | null = hit; node !== null; node = closedSlotOf(node) ?? parentInFlatTree(node))
    if (node instanceof Element) yield node;
}

/** `assignedSlot` is null for the slots of closed shadow trees. */
function closedSlotOf(node: Node): Element | undefined {
  const parent = parentNode(node);
  const root = parent instanceof Element ? closedRootOf(parent) : undefined;
  const slots = root ? [...queryAll(root, 'slot')] : [];
  return slots.find(slot => (slot as HTMLSlotElement).assignedNodes().includes(node));
}

/** A node and its flat-tree descendants, in no order. Not recursive: pages nest deeper than the call stack. */
export function* nodesInFlatTree(root: Node): Generator<Node> {
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    const tree = (node instanceof Element && shadowRootOf(node)) || node;
    for (let child = firstChild(tree); child !== null; child = nextSibling(child)) stack.push(child);
    if (node instanceof HTMLSlotElement) stack.push(...node.assignedNodes());
  }
}

/** Derives a fact of an element from that of its parent, once per element. Not recursive: pages nest too deep. */
export function fromAround<Fact extends object>(
  element: Element,
  known: Map<Node, Fact>,
  atRoot: () => Fact,
  inside: (element: Element, around: Fact) => Fact,
): Fact {
  const path: Element[] = [];
  let node: Node | null = element;
  let fact: Fact | undefined;
  while (node !== null) {
    fact = known.get(node);
    if (fact !== undefined) break;
    if (node instanceof Element) path.push(node);
    node = parentInFlatTree(node);
  }
  fact ??= atRoot();
  for (let at = path.length - 1; at >= 0; at--) {
    const inner = path[at] as Element;
    fact = inside(inner, fact);
    known.set(inner, fact);
  }
  return fact;
}

/** Built-in elements that may host a shadow tree (DOM, attachShadow). */
const HOSTS = new Set(['DIV', 'SECTION', 'ARTICLE', 'ASIDE', 'MAIN', 'SPAN', 'P', 'NAV', 'HEADER', 'FOOTER']);
/** Boxes smaller than this are icons and rules. */
const SMALLEST_HOST_PX = 12;
const MOST_BOXLESS_HOSTS = 100;

/** Closed shadow roots of one document: those that CDP found, and the elements that may host more. */
export class ClosedRoots {
  #roots = new WeakMap<Element, ShadowRoot>();
  /** Elements that CDP checked, and whether their custom element was defined then. */
  #checked = new WeakMap<Element, boolean>();
  count = 0;
  /** Elements without a box that count as possible hosts, deep in the page: a page can have thousands. */
  readonly #outside = new WeakSet<Element>();
  #outsideLeft = MOST_BOXLESS_HOSTS;
  /** Possible hosts in the latest walk that CDP has not checked. */
  suspects: Element[] = [];

  closed(element: Element): ShadowRoot | undefined {
    return this.#roots.get(element);
  }

  /** Records a visible element without content that scripts can see: a closed shadow root may render it. */
  consider(element: Element, tag: string): void {
    const mayHost = tag.includes('-') || HOSTS.has(tag);
    if (mayHost && this.isSuspect(element, tag)) this.suspects.push(element);
  }

  /** Whether an element may host a shadow root and has not been checked since it was defined. */
  isSuspect(element: Element, tag: string): boolean {
    if (this.#roots.has(element)) return false;
    const custom = tag.includes('-');
    const checked = this.#checked.get(element);
    if (checked !== undefined && (checked || !custom || !matches(element, ':defined'))) return false;
    if (custom) return true;
    const { width, height } = boxOf(element);
    if (width > SMALLEST_HOST_PX && height > SMALLEST_HOST_PX) return true;
    return (width === 0 || height === 0) && this.#mayHostOutside(element);
  }

  /** Whether a host without a box may show content outside of it, such as a banner that is fixed to the viewport. */
  #mayHostOutside(element: Element): boolean {
    const parent = parentNode(element);
    if (parent === document.body || this.#outside.has(element)) return true;
    if (this.#outsideLeft === 0) return false;
    this.#outsideLeft--;
    this.#outside.add(element);
    return true;
  }

  beginWalk(): void {
    this.suspects = [];
  }

  /** Called over CDP with a shadow root that it found. */
  adopt(root: ShadowRoot): void {
    this.count++;
    this.#roots.set(root.host, root);
  }

  /** Called over CDP after the first `count` suspects were checked. */
  settle(count: number): void {
    for (const element of this.suspects.splice(0, count)) this.#checked.set(element, matches(element, ':defined'));
  }
}

/** In characters: a button that contains a book costs no more than this. */
const RAW_NAME_LIMIT = 10_000;

/** What normalized text never has: white space except single inner spaces, zero-width spaces, soft hyphens. */
const UNTIDY = /[\t-\r\u00ad\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]| {2}|^ | $/;
const SOFT_CHARACTERS = /[\u00ad\u200b]/g;
/** A no-break space is content: AccName collapses ASCII white space only. */
const SPACE_RUN = /[^\S\u00a0]+/g;
const EDGE_SPACE = /^ | $/g;
const SPACE_CHARACTER = /[^\S\u00a0]/;

function isSpaceAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code > 32 && code < 0x1680) return false;
  return SPACE_CHARACTER.test(text.charAt(index));
}

function shorten(text: string): string {
  const last = text.charCodeAt(RAW_NAME_LIMIT - 1);
  const splitsPair = last >= 0xd800 && last < 0xdc00;
  return text.slice(0, splitsPair ? RAW_NAME_LIMIT - 1 : RAW_NAME_LIMIT);
}

/** Collapses and trims white space, drops invisible characters and limits the length. */
export function normalizeSpace(raw: string): string {
  const text = raw.length > RAW_NAME_LIMIT ? shorten(raw) : raw;
  if (!UNTIDY.test(text)) return text;
  return text.replace(SOFT_CHARACTERS, '').replace(SPACE_RUN, ' ').replace(EDGE_SPACE, '');
}

/** No-break spaces are not a name: sprite links are often `<a title="Next">&nbsp;</a>`. */
export function isBlank(text: string | null): text is null | '' {
  return text === null || text === '' || text.trim() === '';
}

/**
 * Joins the pieces of an accessible name. They stay apart where the source has white space, where a reference ends, and
 * at the edge of an element that is not inline; a style is computed for that only when two pieces touch.
 */
export class NameText {
  #text = '';
  #spaced = false;
  readonly #edges: Element[] = [];

  get length(): number {
    return this.#text.length;
  }

  get isFull(): boolean {
    return this.#text.length >= RAW_NAME_LIMIT;
  }

  add(raw: string): void {
    if (raw === '') return;
    const piece = normalizeSpace(raw);
    if (piece === '') {
      if (isSpaceAt(raw, 0)) this.#spaced = true;
      return;
    }
    if (this.#text !== '' && (this.#spaced || isSpaceAt(raw, 0) || this.#hasBlockEdge())) this.#text += ' ';
    this.#text += piece;
    this.#spaced = isSpaceAt(raw, raw.length - 1);
    this.#edges.length = 0;
  }

  gap(): void {
    this.#spaced = true;
  }

  /** Marks that an element begins or ends here. */
  edge(element: Element): void {
    if (this.#spaced || this.#text === '') return;
    if (this.#edges[this.#edges.length - 1] !== element) this.#edges.push(element);
  }

  /** The text added after it had this length. */
  since(length: number): string {
    return normalizeSpace(this.#text.slice(length));
  }

  result(): string {
    return isBlank(this.#text) ? '' : normalizeSpace(this.#text);
  }

  #hasBlockEdge(): boolean {
    for (const element of this.#edges) if (getComputedStyle(element).display !== 'inline') return true;
    return false;
  }
}
