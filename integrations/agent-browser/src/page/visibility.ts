import {
  boxOf,
  checkVisibility,
  closestAcrossShadows,
  firstElementChild,
  getAttribute,
  nextElementSibling,
  parentInFlatTree,
  shownIn,
  tagName,
  textContent,
} from './dom.js';

/**
 * Where what is in sight of a page begins in its viewport, in CSS pixels, and how often it is enlarged: by two fingers, or
 * because a page is laid out wider than the screen of a phone (CSSOM View, VisualViewport). In an inner document nothing is.
 */
export function sightNow(): [left: number, top: number, scale: number] {
  const { visualViewport } = window;
  if (visualViewport === null || window !== window.top) return [0, 0, 1];
  return [visualViewport.offsetLeft, visualViewport.offsetTop, visualViewport.scale];
}

/** `unseen` has no visible text of its own (`visibility: hidden`), but elements below it may be visible again. */
type Rendering = 'seen' | 'unseen' | 'none';

const WITH_VISIBILITY: CheckVisibilityOptions = { visibilityProperty: true };

/** How an element whose parent is rendered shows itself. */
export function renderingOf(element: Element): Rendering {
  return checkVisibility(element, WITH_VISIBILITY) ? 'seen' : renderingByStyle(element);
}

/** A box is missing for many reasons; `display: contents` and `visibility` are those that leave something to read. */
function renderingByStyle(element: Element): Rendering {
  const style = getComputedStyle(element);
  if (style.display === 'none') return 'none';
  if (style.visibility !== 'visible') return 'unseen';
  return style.display === 'contents' ? 'seen' : 'none';
}

export function isAriaHidden(element: Element): boolean {
  const value = getAttribute(element, 'aria-hidden');
  return value !== null && (value === 'true' || value.trim().toLowerCase() === 'true');
}

/** Whether a referenced element is hidden from everybody or, itself or by an ancestor, from assistive technology. */
export function isHiddenTarget(element: Element): boolean {
  if (renderingOf(element) !== 'seen') return true;
  return closestAcrossShadows(element, '[aria-hidden="true" i]') !== null;
}

/** Whether a box cuts off what is in an element; undecided where nothing between the two is positioned. */
type Cutting = 'cut' | 'hangs out' | 'undecided';

/** A box that cuts off what is in it, such as one that scrolls. */
export interface Clip {
  readonly element: Element;
  /** The visible part, cut by the elements around it, in the viewport. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** It has no room for anything that it cuts off. */
  readonly isCollapsed: boolean;
  /** What has been found out of the elements in it. */
  readonly cutting: Map<Node, Cutting>;
}

/** Boxes at most this wide and high show nothing that a person could read. */
export const UNREADABLE = 1;

/** The clip inside an element, where the element makes one. The viewport is cut by nothing but itself. */
export function clipIn(element: Element, style: CSSStyleDeclaration, around: Clip | null): Clip | null {
  const { overflow } = style;
  if (overflow === 'visible' || overflow === '') return around;
  if (element === document.body || element === document.documentElement) return around;
  if (style.display === 'contents') return around;
  const { left, top, right, bottom } = boxOf(element);
  const [across = '', down = across] = overflow.split(' ');
  const isCollapsed =
    (across !== 'visible' && right - left <= UNREADABLE) || (down !== 'visible' && bottom - top <= UNREADABLE);
  const cutting = new Map<Node, Cutting>();
  if (around === null) return { element, left, top, right, bottom, isCollapsed, cutting };
  return {
    element,
    left: Math.max(left, around.left),
    top: Math.max(top, around.top),
    right: Math.min(right, around.right),
    bottom: Math.min(bottom, around.bottom),
    isCollapsed: isCollapsed || (around.isCollapsed && isCutBy(around, element)),
    cutting,
  };
}

/** Whether the clip cuts off what of an element stands out of it. */
export function isCutBy(clip: Clip, element: Element): boolean {
  return cuttingOf(element, clip) !== 'hangs out';
}

/** How far a box is from what the clip shows, in CSS pixels; 0 when any of it is to be seen or it is not cut at all. */
export function distanceToClip(element: Element, box: DOMRect, clip: Clip | null): number {
  if (clip === null) return 0;
  const vertical = Math.max(box.top - clip.bottom, clip.top - box.bottom);
  const horizontal = Math.max(box.left - clip.right, clip.left - box.right);
  const distance = Math.max(vertical, horizontal);
  if (distance < 0 || !isCutBy(clip, element)) return 0;
  return Math.max(1, Math.round(distance));
}

/** Whether the clip cuts an element: what is positioned by something outside of the box it does not (CSS Overflow 3, 2.1). */
function cuttingOf(element: Element, clip: Clip): Cutting {
  const path: Node[] = [];
  let node: Node | null = element;
  while (node !== null && node !== clip.element && !clip.cutting.has(node)) {
    path.push(node);
    node = parentInFlatTree(node);
  }
  let cutting = (node && clip.cutting.get(node)) ?? 'undecided';
  for (const inner of path.toReversed()) {
    if (inner instanceof Element) cutting = cuttingBelow(cutting, inner, clip);
    clip.cutting.set(inner, cutting);
  }
  return cutting;
}

/** The outermost positioned element in a clip decides for all that is in it, but for what is fixed to the viewport. */
function cuttingBelow(around: Cutting, element: Element, clip: Clip): Cutting {
  const style = getComputedStyle(element);
  const { position } = style;
  if (position === 'fixed') return 'hangs out';
  if (around !== 'undecided' || !isContaining(style)) return around;
  return position === 'absolute' && !isContaining(getComputedStyle(clip.element)) ? 'hangs out' : 'cut';
}

/** Whether what is positioned inside an element is positioned by it. */
function isContaining({ position, transform }: CSSStyleDeclaration): boolean {
  return position !== 'static' || transform !== 'none';
}

export const VISIBLE = { visibilityProperty: true };

/**
 * How far an element can be seen: `boxless` shows what is in it (`display: contents`), `unslotted` is not shown though its
 * own style would show it, as what is in no slot of the host around it.
 */
export type Visibility = 'visible' | 'hidden' | 'boxless' | 'unrendered' | 'unslotted';

export function visibilityOf(element: Element): Visibility {
  if (checkVisibility(element, VISIBLE)) return 'visible';
  if (checkVisibility(element)) return 'hidden';
  const { display } = getComputedStyle(element);
  return display === 'contents' ? 'boxless' : display === 'none' ? 'unrendered' : 'unslotted';
}

/** Where the viewport stands; read once a walk, for each reading asks the layout. */
export interface Viewport {
  width: number;
  height: number;
  scrollX: number;
  scrollY: number;
}

export function viewportNow(): Viewport {
  return { width: window.innerWidth, height: window.innerHeight, scrollX: window.scrollX, scrollY: window.scrollY };
}

/** Distance in CSS pixels from a box to the viewport; 0 when they touch. */
export function distanceToViewport(box: DOMRect, viewport: Viewport): number {
  const vertical = Math.max(box.top - viewport.height, -box.bottom);
  const horizontal = Math.max(box.left - viewport.width, -box.right);
  return Math.max(0, Math.round(Math.max(vertical, horizontal)));
}

/** Nothing left of or above the document's origin can be scrolled to, unless a box around it is scrolled. */
export function isReachable(
  node: Node,
  box: DOMRect,
  { scrollX, scrollY }: Pick<Viewport, 'scrollX' | 'scrollY'>,
): boolean {
  const right = box.right + scrollX;
  const bottom = box.bottom + scrollY;
  return (right > 0 && bottom > 0) || isScrolledAway(node, right, bottom);
}

/** Whether boxes around it can be scrolled so far back that its right and bottom edge come into the document. */
function isScrolledAway(inside: Node, right: number, bottom: number): boolean {
  let [x, y] = [right, bottom];
  const root = document.scrollingElement;
  for (let node: Node | null = parentInFlatTree(inside); node !== null; node = parentInFlatTree(node)) {
    if (!(node instanceof Element)) continue;
    if (node !== root) {
      x += node.scrollLeft;
      y += node.scrollTop;
    }
    // Where text runs from right to left, boxes are scrolled to the left.
    if (node.scrollWidth > node.clientWidth && getComputedStyle(node).direction === 'rtl') {
      x += node.scrollWidth - node.clientWidth;
    }
  }
  return x > 0 && y > 0;
}

/** The box that a click would aim at; undefined when there is none that a person could see. */
export function hitBoxOf(element: Element, boxless: boolean, viewport: Viewport): DOMRect | undefined {
  if (!boxless) {
    const box = boxOf(shownIn(element));
    if (box.width > 1 && box.height > 1) return isReachable(element, box, viewport) ? box : undefined;
  }
  // The options of a list that is cut away still have boxes.
  if (tagName(element) === 'SELECT') return undefined;
  for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child)) {
    const inner = boxOf(child);
    if (inner.width > 1 && inner.height > 1) return isReachable(child, inner, viewport) ? inner : undefined;
  }
  if (!boxless || !textContent(element)?.trim()) return undefined;
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
}
