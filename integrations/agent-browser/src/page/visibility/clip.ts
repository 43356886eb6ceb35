import { boxOf } from '../dom.js';
import { parentInFlatTree } from './flat-tree.js';

/** A box that cuts off what is in it, such as one that scrolls. */
export interface Clip {
  readonly element: Element;
  /** The visible part, cut by the elements around it, in the viewport. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The clip inside an element, where the element makes one. The viewport is cut by nothing but itself. */
export function clipIn(element: Element, style: CSSStyleDeclaration, around: Clip | null): Clip | null {
  const { overflow } = style;
  if (overflow === 'visible' || overflow === '') return around;
  if (element === document.body || element === document.documentElement) return around;
  const { left, top, right, bottom } = boxOf(element);
  if (around === null) return { element, left, top, right, bottom };
  return {
    element,
    left: Math.max(left, around.left),
    top: Math.max(top, around.top),
    right: Math.min(right, around.right),
    bottom: Math.min(bottom, around.bottom),
  };
}

/** How far a box is from what the clip shows, in CSS pixels; 0 when any of it is to be seen or it is not cut at all. */
export function distanceToClip(element: Element, box: DOMRect, clip: Clip | null): number {
  if (clip === null) return 0;
  const vertical = Math.max(box.top - clip.bottom, clip.top - box.bottom);
  const horizontal = Math.max(box.left - clip.right, clip.left - box.right);
  const distance = Math.max(vertical, horizontal);
  if (distance < 0 || hangsOut(element, clip.element)) return 0;
  return Math.max(1, Math.round(distance));
}

/** Whether an element is positioned by something outside of the box around it, which then does not cut it (CSS Overflow 3, 2.1). */
function hangsOut(element: Element, clip: Element): boolean {
  let isAbsolute = false;
  for (let node: Node | null = element; node !== null; node = parentInFlatTree(node)) {
    if (!(node instanceof Element)) continue;
    const { position, transform } = getComputedStyle(node);
    const isContaining = position !== 'static' || transform !== 'none';
    if (node === clip) return isAbsolute && !isContaining;
    if (position === 'fixed') return true;
    if (isContaining) isAbsolute = position === 'absolute';
  }
  return false;
}
