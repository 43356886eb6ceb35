import {
  assignedSlot,
  call,
  closest,
  firstElementChild,
  getAttributeNames,
  hasAttributes,
  localName,
  nextElementSibling,
  nodeType,
  parentNode,
  shadowRoot,
} from '../dom.js';

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

export function hostOf(scope: Node): Element | null {
  return isFragment(scope) ? ((scope as Partial<ShadowRoot>).host ?? null) : null;
}

/** The parent in the flat tree, if it is an element: slot before parent, host after shadow root. */
export function flatParentOf(element: Element): Element | null {
  const parent = assignedSlot(element) ?? parentNode(element);
  if (parent === null) return null;
  return nodeType(parent) === Node.ELEMENT_NODE ? (parent as Element) : hostOf(parent);
}

/** `closest` that goes on from a shadow root to its host. */
export function closestAcrossShadows(element: Element | null, selector: string): Element | null {
  for (let from = element; from !== null; from = hostOf(treeScopeOf(from))) {
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

const TOKEN = /[^\t\n\f\r ]+/g;
const LONGEST_LIST = 10_000;

/** The tokens of a space-separated attribute (HTML, ASCII white space). */
export function tokensOf(value: string): readonly string[] {
  return value.slice(0, LONGEST_LIST).match(TOKEN) ?? [];
}

/** The first child element with a tag. */
export function childOf(element: Element, tag: string): Element | undefined {
  for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child)) {
    if (tagOf(child) === tag) return child;
  }
  return undefined;
}
