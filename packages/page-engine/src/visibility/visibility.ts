import {
  boxOf,
  checkVisibility,
  closestAcrossShadows,
  firstElementChild,
  getAttribute,
  hasAttribute,
  hasEditContext,
  isDesigned,
  isSized,
  nextElementSibling,
  offsetParent,
  parentInFlatTree,
  tagName,
  textContent,
} from '../dom/dom.js';
import { pdfUrlOf } from '../dom/pdf.js';

/**
 * Offset of the visual viewport in the layout viewport, in CSS pixels, and its scale: the page is pinch-zoomed, or laid
 * out wider than the screen of a phone (CSSOM View, VisualViewport). Frames have neither.
 */
export function visualViewportNow(): [left: number, top: number, scale: number] {
  const { visualViewport } = window;
  if (visualViewport === null || window !== window.top) return [0, 0, 1];
  return [visualViewport.offsetLeft, visualViewport.offsetTop, visualViewport.scale];
}

/** `unseen`: no visible text of its own (`visibility: hidden`), but descendants may be visible again. */
type Rendering = 'seen' | 'unseen' | 'none';

const WITH_VISIBILITY: CheckVisibilityOptions = { visibilityProperty: true };

/** How an element with a rendered parent is rendered. */
export function renderingOf(element: Element): Rendering {
  return checkVisibility(element, WITH_VISIBILITY) ? 'seen' : renderingByStyle(element);
}

/** A box is missing for many reasons; only `display: contents` and `visibility` leave something to read. */
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

/** Whether a referenced element is hidden from everybody, or, by itself or an ancestor, from assistive technology. */
export function isHiddenTarget(element: Element): boolean {
  if (renderingOf(element) !== 'seen') return true;
  return closestAcrossShadows(element, '[aria-hidden="true" i]') !== null;
}

/** Whether a box clips an element; undecided where nothing between the two is positioned. */
type Cutting = 'cut' | 'hangs out' | 'undecided';

/** A box that clips its content, such as a scroll container. */
export interface Clip {
  readonly element: Element;
  /** The visible part in the viewport, clipped by the ancestors. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** It is too small to show any of its content. */
  readonly isCollapsed: boolean;
  /** Results so far for the nodes inside it. */
  readonly cutting: Map<Node, Cutting>;
}

/** A box that is not wider or not higher than this, in CSS pixels, shows nothing readable. */
export const UNREADABLE = 1;

/** The clip of an element's content. The body and the root do not clip it: the viewport does. */
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

/** Whether the clip hides what of an element extends beyond it. */
export function isCutBy(clip: Clip, element: Element): boolean {
  return cuttingOf(element, clip) !== 'hangs out';
}

/** CSS pixels from a box to the visible part of the clip; 0 when it is partly visible or not clipped. */
export function distanceToClip(element: Element, box: DOMRect, clip: Clip | null): number {
  if (clip === null) return 0;
  const vertical = Math.max(box.top - clip.bottom, clip.top - box.bottom);
  const horizontal = Math.max(box.left - clip.right, clip.left - box.right);
  const distance = Math.max(vertical, horizontal);
  if (distance < 0 || !isCutBy(clip, element)) return 0;
  return Math.max(1, Math.round(distance));
}

/** Whether the clip applies: not to what is positioned by an ancestor outside of the box (CSS Overflow 3, 2.1). */
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

/** The outermost positioned element in a clip decides for its content, except for what is fixed to the viewport. */
function cuttingBelow(around: Cutting, element: Element, clip: Clip): Cutting {
  const style = getComputedStyle(element);
  const { position } = style;
  if (position === 'fixed') return 'hangs out';
  if (around !== 'undecided' || !isContaining(style)) return around;
  return position === 'absolute' && !isContaining(getComputedStyle(clip.element)) ? 'hangs out' : 'cut';
}

/** Whether an element is the containing block of positioned descendants. */
function isContaining({ position, transform }: CSSStyleDeclaration): boolean {
  return position !== 'static' || transform !== 'none';
}

export const VISIBLE = { visibilityProperty: true };

/**
 * `boxless`: no box of its own, but its content shows (`display: contents`). `unslotted`: not rendered although its own
 * style would allow it, such as a child of a host that is assigned to no slot.
 */
export type Visibility = 'visible' | 'hidden' | 'boxless' | 'unrendered' | 'unslotted';

export function visibilityOf(element: Element): Visibility {
  if (checkVisibility(element, VISIBLE)) return 'visible';
  if (checkVisibility(element)) return 'hidden';
  const { display } = getComputedStyle(element);
  return display === 'contents' ? 'boxless' : display === 'none' ? 'unrendered' : 'unslotted';
}

/** The viewport, read once for each walk, because reading it forces layout. */
export interface Viewport {
  width: number;
  height: number;
  scrollX: number;
  scrollY: number;
}

export function viewportNow(): Viewport {
  return { width: window.innerWidth, height: window.innerHeight, scrollX: window.scrollX, scrollY: window.scrollY };
}

/** CSS pixels from a box to the viewport; 0 when they touch. */
export function distanceToViewport(box: DOMRect, viewport: Viewport): number {
  const vertical = Math.max(box.top - viewport.height, -box.bottom);
  const horizontal = Math.max(box.left - viewport.width, -box.right);
  return Math.max(0, Math.round(Math.max(vertical, horizontal)));
}

/** Nothing left of or above the document's origin can be scrolled to, unless an ancestor is scrolled. */
export function isReachable(
  node: Node,
  box: DOMRect,
  { scrollX, scrollY }: Pick<Viewport, 'scrollX' | 'scrollY'>,
): boolean {
  const right = box.right + scrollX;
  const bottom = box.bottom + scrollY;
  return (right > 0 && bottom > 0) || isScrolledAway(node, right, bottom);
}

/** Whether scrolling the ancestors back can bring the right and bottom edges into the document. */
function isScrolledAway(inside: Node, right: number, bottom: number): boolean {
  let [x, y] = [right, bottom];
  const root = document.scrollingElement;
  for (let node: Node | null = parentInFlatTree(inside); node !== null; node = parentInFlatTree(node)) {
    if (!(node instanceof Element)) continue;
    if (node !== root) {
      x += node.scrollLeft;
      y += node.scrollTop;
    }
    // In right-to-left text, boxes scroll to the left.
    if (node.scrollWidth > node.clientWidth && getComputedStyle(node).direction === 'rtl') {
      x += node.scrollWidth - node.clientWidth;
    }
  }
  return x > 0 && y > 0;
}

/** A box with fewer CSS pixels in one direction shows no readable text. */
const LEAST_TEXT_PX = 5;

/**
 * Whether an element takes the input of an editor that renders it elsewhere: it has an EditContext, or is an invisible
 * text area without a name. One with a name is a form field (HTML: controls without a name are not submitted).
 */
export function isEditorInputProxy(element: Element): boolean {
  if (hasEditContext(element)) return true;
  if (!(element instanceof HTMLTextAreaElement) || hasAttribute(element, 'name')) return false;
  return getComputedStyle(element).opacity === '0' || isThin(element) || isCutOff(element);
}

function isCutOff(element: Element): boolean {
  const parent = parentInFlatTree(element);
  return parent instanceof Element && isThin(parent) && getComputedStyle(parent).overflow !== 'visible';
}

function isThin(element: Element): boolean {
  const { width, height } = boxOf(element);
  return width < LEAST_TEXT_PX || height < LEAST_TEXT_PX;
}

/**
 * The element whose box shows the content. An EditContext host is a zero-width line: its parent shows the text. A text
 * area that takes the keys of an editor may be a pixel large or lie outside the page: the box that it is placed in is
 * the editor.
 */
export function shownIn(element: Element): Element {
  if (!isEditorInputProxy(element)) return element;
  if (hasEditContext(element)) {
    const around = parentInFlatTree(element);
    return around instanceof Element ? around : element;
  }
  if (!isThin(element) && isReachable(element, boxOf(element), window)) return element;
  let box = offsetParent(element as HTMLElement);
  while (box !== null && isThin(box)) box = offsetParent(box as HTMLElement);
  return box === null || box === document.body ? element : box;
}

/** Whether an element is the body of a document that is edited as a whole. */
export function isEditedBody(element: Element): boolean {
  const { body } = document;
  return element === body && (isDesigned() || body.isContentEditable);
}

/** The box that a click would aim at; undefined when there is no visible one. */
export function hitBoxOf(element: Element, boxless: boolean, viewport: Viewport): DOMRect | undefined {
  // An empty body that is edited has no height, and takes what is typed anywhere in its document. The body of Chromium's
  // document for a PDF has none in some versions (150), and shows the PDF all over it.
  const fillsViewport = element === document.body && (isEditedBody(element) || pdfUrlOf(element) !== undefined);
  if (fillsViewport && isSized(viewport)) return new DOMRect(0, 0, viewport.width, viewport.height);
  if (!boxless) {
    const box = boxOf(shownIn(element));
    if (isSized(box)) return isReachable(element, box, viewport) ? box : undefined;
  }
  // The options of a clipped list still have boxes.
  if (tagName(element) === 'SELECT') return undefined;
  for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child)) {
    const inner = boxOf(child);
    if (isSized(inner)) return isReachable(child, inner, viewport) ? inner : undefined;
  }
  if (!boxless || !textContent(element)?.trim()) return undefined;
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
}
