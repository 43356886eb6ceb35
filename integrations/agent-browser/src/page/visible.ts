import { boxOf, checkVisibility, firstElementChild } from './dom.js';

/** Boxes at most this wide and high hold no text that a person could read. */
const UNREADABLE = 1;

/** Whether the element, or what it contains, can have boxes (CSS Display; `display: contents` has none of its own). */
export function isRendered(element: Element): boolean {
  return checkVisibility(element) || getComputedStyle(element).display === 'contents';
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

/** Nothing left of or above the document's origin can be scrolled to. */
export function isReachable(box: DOMRect, viewport: Viewport): boolean {
  return box.right + viewport.scrollX > 0 && box.bottom + viewport.scrollY > 0;
}

/** Whether text in this box is there for machines alone: transparent, a pixel large, or where no scrolling leads. */
export function isUnreadable(element: Element, box: DOMRect, viewport: Viewport): boolean {
  if (box.width <= UNREADABLE || box.height <= UNREADABLE) return true;
  if (!isReachable(box, viewport)) return true;
  if (!checkVisibility(element, { opacityProperty: true })) return true;
  const style = getComputedStyle(element);
  return isTransparent(style.color) || Number.parseFloat(style.fontSize) < 2;
}

function isTransparent(color: string): boolean {
  return color === 'transparent' || /^rgba\(.*, 0\)$/.test(color) || /\/ 0\)$/.test(color);
}

/** The modal element that hides the rest of the document from a person, if there is one. */
export function topModal(): Element | undefined {
  const modals = document.querySelectorAll(':modal, [aria-modal="true" i]');
  let top: Element | undefined;
  for (const modal of modals) {
    if (!checkVisibility(modal, { visibilityProperty: true })) continue;
    const box = boxOf(modal);
    if (box.width === 0 && box.height === 0 && firstElementChild(modal) === null) continue;
    if (top === undefined || !coveredBy(modal, top)) top = modal;
  }
  return top;
}

function coveredBy(modal: Element, other: Element): boolean {
  if (modal.contains(other)) return true;
  const box = boxOf(modal);
  const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return hit !== null && other.contains(hit);
}
