/**
 * DOM accessors taken from the prototypes once. An isolated world keeps prototypes clean, but the named properties of
 * a form (`<input name="firstChild">`) hide its own accessors in every world.
 */
export const { call } = Function.prototype;

type Bound<T, A extends unknown[], R> = (target: T, ...args: A) => R;

function getter<T extends object, K extends keyof T>(prototype: T, key: K): (target: T) => T[K] {
  const get = Object.getOwnPropertyDescriptor(prototype, key)?.get;
  if (get === undefined) throw new Error(`${String(key)} is no accessor here`);
  return call.bind(get) as (target: T) => T[K];
}

const title = getter(Document.prototype, 'title');
/** Longest title that is worth telling. */
const TITLE_LIMIT = 300;

/** The title of the document, whatever the page has put in its place (`<form name="title">`). */
export const titleNow = (): string => title(document).slice(0, TITLE_LIMIT);

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
