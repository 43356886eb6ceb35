import { localName, nextElementSibling, parentNode, previousElementSibling, tagName } from '../dom.js';
import { hostOf } from '../visibility/tree-scope.js';

/** Of what lies deeper, the innermost steps are told. */
const MOST_STEPS = 60;
/** Characters of the name of a custom element. */
const LONGEST_NAME = 60;

/**
 * The way to an element from the body of its document, by tags and by places among siblings of the same tag: what a page
 * keeps when its words, classes and ids change. `>>` leads into the shadow root of what stands before it.
 */
export function pathOf(element: Element): string {
  let path = stepOf(element);
  let at = element;
  for (let steps = 1; steps < MOST_STEPS; steps++) {
    const parent = parentNode(at);
    const host = parent === null ? null : hostOf(parent);
    const next = host ?? (parent instanceof Element ? parent : null);
    if (next === null || (host === null && FRAME_OF_PAGE.has(tagName(next)))) break;
    path = `${stepOf(next)} ${host === null ? '>' : '>>'} ${path}`;
    at = next;
  }
  return path;
}

/** Around everything, so that they tell nothing. */
const FRAME_OF_PAGE = new Set(['BODY', 'HTML']);

function stepOf(element: Element): string {
  const name = localName(element);
  const said = name.slice(0, LONGEST_NAME);
  const before = countAlike(element, name, previousElementSibling);
  const isOnly = before === 0 && countAlike(element, name, nextElementSibling, 1) === 0;
  return isOnly ? said : `${said}:nth-of-type(${before + 1})`;
}

/** Siblings of the same tag in one direction, counted up to so many. */
function countAlike(
  element: Element,
  name: string,
  step: (from: Element) => Element | null,
  most = Number.POSITIVE_INFINITY,
): number {
  let count = 0;
  for (let at = step(element); at !== null && count < most; at = step(at)) if (localName(at) === name) count++;
  return count;
}
