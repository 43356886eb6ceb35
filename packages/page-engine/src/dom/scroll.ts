import { type DocumentNodes, describeNow, type ElementIds } from '../identity/identity.js';
import { lettersOf } from '../names/hint-words.js';
import { deepElementFromPoint, describeElement, isInViewport } from '../press/hit-test.js';
import { bringIntoView } from '../press/press-point.js';
import type { BoxesAnswer, ElementNow, PlaceAnswer, ScrollPlace } from '../protocol.js';
import { visualViewportNow } from '../visibility/visibility.js';
import {
  boxOf,
  checkVisibility,
  elementsAround,
  firstElementChild,
  nextElementSibling,
  nodesInFlatTree,
  parentInFlatTree,
  textContent,
} from './dom.js';
import type { Point } from './geometry.js';

/** The scroll position and the size of a box, in CSS pixels. */
export interface ScrollState {
  /** Whether the position changed; true where that is unknown. */
  hasMoved: boolean;
  top: number;
  left: number;
  height: number;
  width: number;
  viewportHeight: number;
  viewportWidth: number;
}

/** How far to scroll: in CSS pixels, or in lengths of the scrolling box. */
export interface Distance {
  dx: number;
  dy: number;
  unit: 'pixels' | 'lengths';
}

/**
 * The nearest ancestor that a person can scroll in the given direction, else the document's scroller. Without an
 * element: the document, or, where it does not scroll, what scrolls in the middle of the viewport.
 */
export function scrollerOf(element: Element | undefined, dx: number, dy: number): Element {
  const root = mainScroller();
  if (element !== undefined) return scrollerAt(element, dx, dy) ?? root;
  if (documentScrolls(root, dx, dy)) return root;
  return scrollerAt(deepElementFromPoint(window.innerWidth / 2, window.innerHeight / 2), dx, dy) ?? root;
}

/** A box inside the document that scrolls. */
export interface ScrollBox {
  id: number;
  now: ElementNow;
  /** Such as `<ul> "First item Second item"`. */
  what: string;
  /** What is left to scroll, in CSS pixels. */
  above: number;
  below: number;
}

export interface ScrollAnswer extends ScrollState {
  /** Nothing that a script could scroll is there: where a person would turn the wheel, in the document's viewport. */
  turnAt?: Point;
  /** What scrolled, if not the document. */
  box?: ScrollBox;
  /** Other boxes in view, where nothing is left to scroll in this direction. */
  others?: ScrollBox[];
}

interface ScrollRequest extends Distance {
  /** The wheel was turned, and the page left it to the browser. */
  isTurned?: true;
}

/**
 * Scrolls what a person's wheel would scroll over an element, or over the middle of the viewport: there the document as
 * long as anything is left of it, else the box in the middle.
 */
export function scrollFrom(ids: ElementIds, element: Element | undefined, request: ScrollRequest): ScrollAnswer {
  const { dx, dy, isTurned } = request;
  const root = mainScroller();
  const middle = { x: window.innerWidth / 2, y: window.innerHeight / 2 };
  const inner = scrollerAt(element ?? deepElementFromPoint(middle.x, middle.y), dx, dy);
  const outer = documentScrolls(root, dx, dy) ? root : undefined;
  const isOuterDone = inner !== undefined && hasRoom(inner, dx, dy) && !hasRoom(root, dx, dy);
  const main = isOuterDone ? inner : (outer ?? inner);
  // Over an element out of view no wheel can be turned without scrolling to it.
  const isTurnable = element !== undefined && !isTurned && (outer === undefined || isInView(element));
  const scroller = element === undefined ? main : (inner ?? (isTurnable ? undefined : outer));
  if (scroller === undefined && !isTurned && (dx !== 0 || dy !== 0)) {
    if (element !== undefined) bringIntoView(element);
    return { ...scrollState(root, false), turnAt: element === undefined ? middle : boxMiddleOf(partInView(element)) };
  }
  const state = scroller === undefined ? scrollState(root, false) : scrollBy(scroller, request);
  const isAtEnd = scroller === undefined || !hasRoom(scroller, dx, dy);
  const others = element === undefined && isAtEnd ? boxesInView(dx, dy).filter(box => box !== scroller) : [];
  return {
    ...state,
    ...(scroller !== undefined && scroller !== root && { box: scrollBoxOf(ids, scroller) }),
    ...(others.length > 0 && { others: others.map(box => scrollBoxOf(ids, box)) }),
  };
}

function isInView(element: Element): boolean {
  const { left, right, top, bottom } = boxOf(element);
  return right > 0 && bottom > 0 && left < window.innerWidth && top < window.innerHeight;
}

/** The part of an element that is in the viewport. */
export function partInView(element: Element): DOMRect {
  const box = boxOf(element);
  const [left, top] = [Math.max(0, box.left), Math.max(0, box.top)];
  const width = Math.min(window.innerWidth, box.right) - left;
  return new DOMRect(left, top, Math.max(0, width), Math.max(0, Math.min(window.innerHeight, box.bottom) - top));
}

/** Whether anything is left to scroll in a direction. */
function hasRoom(scroller: Element, dx: number, dy: number): boolean {
  const { scrollTop, scrollLeft, scrollHeight, scrollWidth, clientHeight, clientWidth } = scroller;
  const left = (by: number, at: number, most: number): boolean => (by < 0 ? Math.abs(at) > 1 : most - Math.abs(at) > 1);
  return dy !== 0 ? left(dy, scrollTop, scrollHeight - clientHeight) : left(dx, scrollLeft, scrollWidth - clientWidth);
}

/** Places on each side of the viewport's middle, as shares of it, at which boxes are searched for. */
const PLACES = [0.1, 0.3, 0.5, 0.7, 0.9];
const MOST_BOXES = 4;
/** In square CSS pixels: a smaller box is no list. */
const LEAST_BOX = 10_000;

function boxesInView(dx: number, dy: number): Element[] {
  const points = PLACES.flatMap(down =>
    PLACES.map(across => ({ x: window.innerWidth * across, y: window.innerHeight * down })),
  );
  const found = points.flatMap(({ x, y }) => scrollerAt(deepElementFromPoint(x, y), dx, dy) ?? []);
  const isLarge = (box: Element): boolean => box.clientWidth * box.clientHeight >= LEAST_BOX;
  return [...new Set(found)].filter(isLarge).slice(0, MOST_BOXES);
}

function scrollBoxOf(ids: ElementIds, element: Element): ScrollBox {
  const id = ids.rememberContainer(element);
  const { top, height, viewportHeight } = scrollState(element);
  const below = Math.max(0, height - viewportHeight - top);
  return { id, now: describeNow(element), what: describeElement(element), above: top, below };
}

/** Observes whether the page handles a turn of the wheel itself; what it leaves to the browser is not scrolled. */
export class WheelWatch {
  #isFree = false;
  readonly #note = (event: WheelEvent): void => {
    this.#isFree = !event.defaultPrevented;
    event.preventDefault();
  };

  begin(): void {
    this.#isFree = false;
    window.addEventListener('wheel', this.#note, { passive: false });
  }

  /** Whether the page, or a frame in it, took the wheel. */
  end(): boolean {
    window.removeEventListener('wheel', this.#note);
    return !this.#isFree;
  }
}

function scrollerAt(element: Element | null, dx: number, dy: number): Element | undefined {
  const root = mainScroller();
  for (const node of elementsAround(element)) if (node !== root && canScroll(node, dx, dy)) return node;
  return undefined;
}

function canScroll(element: Element, dx: number, dy: number): boolean {
  const style = getComputedStyle(element);
  if (dy !== 0 && element.scrollHeight > element.clientHeight + 1 && /auto|scroll|overlay/.test(style.overflowY))
    return true;
  return dx !== 0 && element.scrollWidth > element.clientWidth + 1 && /auto|scroll|overlay/.test(style.overflowX);
}

/** Pages often lock the document while a modal is open, although scripts could still scroll it. */
function documentScrolls(root: Element, dx: number, dy: number): boolean {
  const locked = /hidden|clip/;
  // CSS Overflow 3, 3.3: the viewport takes its overflow from the root element, else from the body.
  const style = (axis: 'overflowX' | 'overflowY'): string => {
    const own = getComputedStyle(document.documentElement)[axis];
    return own === 'visible' && document.body !== null ? getComputedStyle(document.body)[axis] : own;
  };
  if (dy !== 0 && root.scrollHeight > root.clientHeight + 1) return !locked.test(style('overflowY'));
  return dx !== 0 && root.scrollWidth > root.clientWidth + 1 && !locked.test(style('overflowX'));
}

/** Scrolls at once, even where the page asks for smooth scrolling, and returns the new position. */
function scrollBy(scroller: Element, { dx, dy, unit }: Distance): ScrollState {
  const [width, height] = unit === 'pixels' ? [1, 1] : [scroller.clientWidth, scroller.clientHeight];
  const { scrollTop, scrollLeft } = scroller;
  scroller.scrollBy({ left: dx * width, top: dy * height, behavior: 'instant' });
  return scrollState(scroller, scroller.scrollTop !== scrollTop || scroller.scrollLeft !== scrollLeft);
}

export function scrollState(scroller: Element, hasMoved = true): ScrollState {
  return {
    hasMoved,
    top: Math.round(scroller.scrollTop),
    left: Math.round(scroller.scrollLeft),
    height: scroller.scrollHeight,
    width: scroller.scrollWidth,
    viewportHeight: scroller.clientHeight,
    viewportWidth: scroller.clientWidth,
  };
}

/** Scrolls a node into view; a text node may be anywhere in its element. */
export function reveal(id: number, { ids }: Pick<DocumentNodes, 'ids'>): void {
  const node = nodesOf(new Set([id]), ids).get(id);
  const element = node instanceof Element ? node : node?.parentElement;
  if (node === undefined || element == null) return;
  // An element in a frame may be out of view together with the frame.
  const middle = boxMiddleOf(boxOfNode(node));
  if (window === window.top && isInViewport(middle) && !isClipped(element, middle)) return;
  element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  if (node === element) return;
  const now = boxOfNode(node);
  const off = now.top + now.height / 2 - window.innerHeight / 2;
  if (now.top < 0 || now.bottom > window.innerHeight)
    scrollBy(scrollerOf(element, 0, 1), { dx: 0, dy: off, unit: 'pixels' });
}

export function boxesAnswer(elements: readonly (Element | undefined)[]): BoxesAnswer {
  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
  const [left, top, scale] = visualViewportNow();
  const { width = 0, height = 0 } = window.visualViewport ?? {};
  return {
    boxes: elements.map(boxInView).map(box => box && [box[0] - left, box[1] - top, box[2], box[3]]),
    scroll: [window.scrollX + left, window.scrollY + top],
    document: [Math.max(scrollWidth, clientWidth), Math.max(scrollHeight, clientHeight)],
    // Screenshots contain the scroll bars, which the visual viewport leaves out.
    viewport: scale === 1 ? [window.innerWidth, window.innerHeight] : [width, height],
    scale,
    pixelRatio: window.devicePixelRatio,
  };
}

/** The box of an element whose middle can be brought into view by scrolling only the document. */
function boxInView(element: Element | undefined): [number, number, number, number] | null {
  if (element === undefined || !checkVisibility(element, { visibilityProperty: true })) return null;
  const box = boxOf(element);
  const middle = boxMiddleOf(box);
  // A point outside a frame's viewport is not visible in the page around it.
  if (window !== window.top && !isInViewport(middle)) return null;
  return box.width > 0 && box.height > 0 && !isClipped(element, middle)
    ? [box.left, box.top, box.width, box.height]
    : null;
}

function scrollPlaceOf(element: Element, point: Point): ScrollPlace {
  const { innerWidth: right, innerHeight: bottom } = window;
  const clip = clipOver(element, point) ?? { left: 0, top: 0, right, bottom };
  if (point.y < clip.top) return 'above';
  if (point.y > clip.bottom) return 'below';
  return point.x < clip.left ? 'above' : point.x > clip.right ? 'below' : 'in view';
}

export function boxMiddleOf(box: DOMRect): Point {
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

function isClipped(element: Element, point: Point): boolean {
  return clipOver(element, point) !== undefined;
}

/** The box of the ancestor that clips a point of the element. */
function clipOver(element: Element, { x, y }: Point): DOMRect | undefined {
  for (const node of elementsAround(parentInFlatTree(element))) {
    if (node === document.body || node === document.documentElement) continue;
    const { overflowX, overflowY } = getComputedStyle(node);
    if (overflowX === 'visible' && overflowY === 'visible') continue;
    const clip = boxOf(node);
    if (x < clip.left || x > clip.right || y < clip.top || y > clip.bottom) return clip;
  }
  return undefined;
}

/** The element that scrolls the document; a detached one for a document without a root element. */
export function mainScroller(): Element {
  const root: Element | null = document.scrollingElement ?? document.documentElement;
  return root ?? document.createElement('html');
}

/**
 * Positions of nodes, with descriptions of the elements that hold them; null for nodes that are gone. With a text, that
 * of the innermost element in the node that contains it.
 */
export function elementPlaces(
  { ids }: Pick<DocumentNodes, 'ids'>,
  { ids: wanted, texts = [] }: { ids: readonly number[]; texts?: readonly (string | null)[] },
): (PlaceAnswer | null)[] {
  const found = nodesOf(new Set(wanted), ids);
  return wanted.map((id, index) => {
    const holder = found.get(id);
    const text = texts[index] ?? null;
    const node = text !== null && holder instanceof Element ? innermostWith(holder, text) : holder;
    const element = node instanceof Element ? node : node?.parentElement;
    if (node === undefined || element == null) return null;
    const { x, y } = boxMiddleOf(boxOfNode(node));
    const { left, top } = boxOf(element);
    return {
      id: ids.rememberContainer(element),
      now: describeNow(element),
      where: scrollPlaceOf(element, { x, y }),
      x,
      y,
      corner: [left, top],
      ...(node !== holder && { isPart: true }),
    };
  });
}

/** Part of the area of an element beyond which a part of it is as good as the whole. */
const SAME_PLACE = 0.5;

function innermostWith(element: Element, text: string): Element {
  const inner = innermostContaining(element, lettersOf(text));
  const [part, whole] = [boxOf(inner), boxOf(element)];
  const area = part.width * part.height;
  return area > 0 && area < SAME_PLACE * whole.width * whole.height ? inner : element;
}

function innermostContaining(element: Element, text: string): Element {
  for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child))
    if (lettersOf(textContent(child) ?? '').includes(text)) return innermostContaining(child, text);
  return element;
}

function boxOfNode(node: Node): DOMRect {
  if (node instanceof Element) return boxOf(node);
  const range = document.createRange();
  range.selectNodeContents(node);
  return range.getBoundingClientRect();
}

/** Text nodes are known only by id, so one traversal finds all wanted nodes. */
function nodesOf(wanted: ReadonlySet<number>, ids: ElementIds): Map<number, Node> {
  const found = new Map<number, Node>();
  for (const node of nodesInFlatTree(document)) {
    const id = ids.known(node);
    if (id !== undefined && wanted.has(id)) found.set(id, node);
    if (found.size === wanted.size) break;
  }
  return found;
}
