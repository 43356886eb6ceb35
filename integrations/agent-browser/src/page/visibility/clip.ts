import { boxOf } from '../dom.js';
import { parentInFlatTree } from './flat-tree.js';

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
