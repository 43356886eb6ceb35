import { boxOf, firstElementChild, nextElementSibling, tagName, textContent } from '../dom.js';
import { shownIn } from './flat-tree.js';
import { isReachable, type Viewport } from './visible.js';

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
