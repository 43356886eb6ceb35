import { boxOf, hasAttribute, hasEditContext } from '../dom.js';
import { parentInFlatTree } from '../visibility/flat-tree.js';

/** A box of fewer pixels in one direction shows nothing of a text. */
const LEAST = 5;

/**
 * Whether an element is where an editor takes what is typed, to show it elsewhere: it has an EditContext, or is a text area
 * that nobody sees. One with a name is a field of a form (HTML: what has none is not sent).
 */
export function isSink(element: Element): boolean {
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
  return width < LEAST || height < LEAST;
}
