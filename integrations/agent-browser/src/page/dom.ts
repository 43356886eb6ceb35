/**
 * DOM accessors taken from the prototypes once. An isolated world keeps prototypes clean, but the named properties of
 * a form (`<input name="firstChild">`) hide its own accessors in every world.
 */
const { call } = Function.prototype;

type Bound<T, A extends unknown[], R> = (target: T, ...args: A) => R;

function getter<T extends object, K extends keyof T>(prototype: T, key: K): (target: T) => T[K] {
  const get = Object.getOwnPropertyDescriptor(prototype, key)?.get;
  if (get === undefined) throw new Error(`${String(key)} is no accessor here`);
  return call.bind(get) as (target: T) => T[K];
}

const title = getter(Document.prototype, 'title');
/** Longest title that is worth telling. */
const DOCUMENT_TITLE_LIMIT = 300;

/** The title of the document, whatever the page has put in its place (`<form name="title">`). */
export const titleNow = (): string => title(document).slice(0, DOCUMENT_TITLE_LIMIT);

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

export const getAttribute = call.bind(Element.prototype.getAttribute) as Bound<Element, [string], string | null>;
export const hasAttribute = call.bind(Element.prototype.hasAttribute) as Bound<Element, [string], boolean>;
export const hasAttributes = call.bind(Element.prototype.hasAttributes) as Bound<Element, [], boolean>;
export const getAttributeNames = call.bind(Element.prototype.getAttributeNames) as Bound<Element, [], string[]>;
export const matches = call.bind(Element.prototype.matches) as Bound<Element, [string], boolean>;
export const closest = call.bind(Element.prototype.closest) as Bound<Element, [string], Element | null>;
export const checkVisibility = call.bind(Element.prototype.checkVisibility) as Bound<
  Element,
  [options?: CheckVisibilityOptions],
  boolean
>;
/** The document that an `object` shows as a frame does, as far as it is of the same origin. */
export function objectDocument(element: Element): Document | null {
  if (!(element instanceof HTMLObjectElement)) return null;
  const shown = element.contentDocument;
  return shown?.contentType === 'text/html' ? shown : null;
}

/** Undefined in a Chromium that has none yet. */
const editContext = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'editContext')?.get as
  | (() => object | null)
  | undefined;

/** Whether an element takes its text through an EditContext, which leaves it to the page to show that text (W3C EditContext API). */
export function hasEditContext(element: Element): boolean {
  return element instanceof HTMLElement && editContext?.call(element) != null;
}

/** Whether so many elements and one more are inside an element; counts no further. */
export const hasMoreThan = (element: Element, count: number): boolean => elementsIn(element, '*').item(count) !== null;
export const elementsIn = call.bind(Element.prototype.getElementsByTagName) as Bound<Element, [string], HTMLCollection>;
export const boxOf = call.bind(Element.prototype.getBoundingClientRect) as Bound<Element, [], DOMRect>;
export const offsetWidth = getter(HTMLElement.prototype, 'offsetWidth');
export const offsetHeight = getter(HTMLElement.prototype, 'offsetHeight');

const namespaceGetter = Object.getOwnPropertyDescriptor(Element.prototype, 'namespaceURI')?.get as () => string | null;
const namespaceOf = call.bind(namespaceGetter) as (element: Element) => string | null;
/** The document or shadow root that ids, labels and style sheets of a node belong to. */
export const treeScopeOf = call.bind(Node.prototype.getRootNode) as (node: Node) => Node;

type ById = (scope: Node, id: string) => Element | null;
type Query = (scope: Node, selector: string) => ArrayLike<Element> & Iterable<Element>;
const documentById = call.bind(Document.prototype.getElementById) as ById;
const fragmentById = call.bind(DocumentFragment.prototype.getElementById) as ById;
const documentQuery = call.bind(Document.prototype.querySelectorAll) as Query;
const fragmentQuery = call.bind(DocumentFragment.prototype.querySelectorAll) as Query;

const XHTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';

/** `button` for HTML, `svg:a` for SVG, `xml:math` for the rest: an element merely named like an HTML one is none. */
export function tagOf(element: Element): string {
  const namespace = namespaceOf(element);
  if (namespace === XHTML) return localName(element);
  return `${namespace === SVG ? 'svg' : 'xml'}:${localName(element)}`;
}

/** Whether WAI-ARIA has a say: a role or any aria-* attribute. Most elements have none, which saves asking for each. */
export function hasAria(element: Element): boolean {
  if (!hasAttributes(element)) return false;
  for (const name of getAttributeNames(element)) if (name === 'role' || name.startsWith('aria-')) return true;
  return false;
}

type RootLookup = (host: Element) => ShadowRoot | null | undefined;
let closedRootOf: RootLookup = () => undefined;

/** Closed shadow roots are invisible to scripts; who learnt of them another way says so here. */
export function lookUpClosedRootsWith(lookup: RootLookup): void {
  closedRootOf = lookup;
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

/** The parent in the flat tree, if it is an element: slot before parent, host after shadow root. */
export function flatParentOf(element: Element): Element | null {
  const parent = assignedSlot(element) ?? parentNode(element);
  if (parent === null) return null;
  return nodeType(parent) === Node.ELEMENT_NODE ? (parent as Element) : shadowHostOf(parent);
}

/** `closest` that goes on from a shadow root to its host. */
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

/** Elements of a tree scope; none when the scope is a detached element. */
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

/** The first child element with a tag. */
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

/** A node and all that is in it across slots and shadow roots, in no order. Pages nest deeper than a call stack goes. */
export function* nodesInFlatTree(root: Node): Generator<Node> {
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    const tree = (node instanceof Element && shadowRootOf(node)) || node;
    for (let child = firstChild(tree); child !== null; child = nextSibling(child)) stack.push(child);
    if (node instanceof HTMLSlotElement) stack.push(...node.assignedNodes());
  }
}

/**
 * What follows for an element from what follows for the element around it. It is found out once for each, and without
 * recursion: pages nest deeper than a call stack goes.
 */
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

/**
 * The element in whose box a person sees what an element holds: itself, but for what takes the keys of an editor by an
 * EditContext, a line without a width beside the text.
 */
export function shownIn(element: Element): Element {
  const around = hasEditContext(element) ? parentInFlatTree(element) : null;
  return around instanceof Element ? around : element;
}

/** Elements that may host a shadow tree (DOM, attachShadow) besides custom elements. */
const HOSTS = new Set(['DIV', 'SECTION', 'ARTICLE', 'ASIDE', 'MAIN', 'SPAN', 'P', 'NAV', 'HEADER', 'FOOTER']);
/** Smaller boxes, in CSS pixels, are icons and rules. */
const SMALLEST_HOST_PX = 12;

/** Closed shadow roots of one document: those that the DevTools protocol handed over, and who may have more. */
export class ClosedRoots {
  #roots = new WeakMap<Element, ShadowRoot>();
  /** Elements that were looked into, and whether their custom element was defined then. */
  #checked = new WeakMap<Element, boolean>();
  /** How many were found so far. */
  count = 0;
  /** Elements of the latest walk that nobody has looked into yet. */
  suspects: Element[] = [];

  static mayHost(tag: string): boolean {
    return tag.includes('-') || HOSTS.has(tag);
  }

  closed(element: Element): ShadowRoot | undefined {
    return this.#roots.get(element);
  }

  /** Notes an element that shows something and has nothing in it to show, as far as scripts can see. */
  consider(element: Element, tag: string): void {
    if (ClosedRoots.mayHost(tag) && this.isSuspect(element, tag)) this.suspects.push(element);
  }

  /** Whether nobody has looked yet into an element that may host a shadow tree. */
  isSuspect(element: Element, tag: string): boolean {
    if (this.#roots.has(element)) return false;
    const custom = tag.includes('-');
    const checked = this.#checked.get(element);
    if (checked !== undefined && (checked || !custom || !matches(element, ':defined'))) return false;
    if (custom) return true;
    const box = boxOf(element);
    return box.width > SMALLEST_HOST_PX && box.height > SMALLEST_HOST_PX;
  }

  beginWalk(): void {
    this.suspects = [];
  }

  /** Called over the DevTools protocol with a root that it found. */
  adopt(root: ShadowRoot): void {
    this.count++;
    this.#roots.set(root.host, root);
  }

  /** Called over the DevTools protocol when the first so many suspects were looked into. */
  settle(count: number): void {
    for (const element of this.suspects.splice(0, count)) this.#checked.set(element, matches(element, ':defined'));
  }
}

/** Longest name: a page that puts a book into a button costs no more than this. */
const RAW_NAME_LIMIT = 10_000;

/**
 * Characters that a clean string never has: white space other than single inner spaces, zero-width spaces, soft
 * hyphens.
 */
const UNTIDY = /[\t-\r\u00ad\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]| {2}|^ | $/;
const SOFT_CHARACTERS = /[\u00ad\u200b]/g;
/** A no-break space is content: AccName means ASCII white space. */
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

/** White space collapsed and trimmed, invisible characters dropped, cut at the longest name. */
export function normalizeSpace(raw: string): string {
  const text = raw.length > RAW_NAME_LIMIT ? shorten(raw) : raw;
  if (!UNTIDY.test(text)) return text;
  return text.replace(SOFT_CHARACTERS, '').replace(SPACE_RUN, ' ').replace(EDGE_SPACE, '');
}

/** No-break spaces alone name nothing: sprite links are often `<a title="Next">&nbsp;</a>`. */
export function isBlank(text: string | null): text is null | '' {
  return text === null || text === '' || text.trim() === '';
}

/**
 * Joins the pieces of a name. Pieces stay apart where the source has white space, where a reference ends, and at the
 * edge of anything that is not inline; the last needs a computed style, so it is asked only when two pieces touch.
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

  /** What was added since the text had this length. */
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

/** Text of these is for nobody to read. */
const UNREAD = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE']);

/**
 * The text in an element without more of it than somebody wants, whatever is shown of it at the moment. Unlike
 * `textContent` it keeps apart what stands apart: blocks, and lines.
 */
export function joinedText(element: Element, limit: number): string {
  const text = new NameText();
  let node: Node | null = firstChild(element);
  while (node !== null && text.length < limit) {
    const inside = enterNode(node, text);
    node = inside ?? nextTextNode(node, element, text);
  }
  return text.result();
}

/** Adds what a node itself says, and goes into it. */
function enterNode(node: Node, text: NameText): Node | null {
  if (nodeType(node) === Node.TEXT_NODE) text.add((node as Text).data);
  if (nodeType(node) !== Node.ELEMENT_NODE) return null;
  const element = node as Element;
  const tag = tagName(element);
  if (tag === 'BR') text.gap();
  if (UNREAD.has(tag)) return null;
  text.edge(element);
  return firstChild(element);
}

function nextTextNode(node: Node, root: Element, text: NameText): Node | null {
  for (let at: Node | null = node; at !== null && at !== root; at = parentNode(at)) {
    if (nodeType(at) === Node.ELEMENT_NODE) text.edge(at as Element);
    const next = nextSibling(at);
    if (next !== null) return next;
  }
  return null;
}
