import { checkVisibility } from '../dom.js';
import { parentInFlatTree } from './flat-tree.js';

const VISIBLE = { visibilityProperty: true };

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
