import {
  firstElementChild,
  getAttribute,
  hasAttribute,
  nextElementSibling,
  parentNode,
  previousElementSibling,
  tagName,
} from '../dom.js';
import { Flag } from '../protocol.js';

/** Class names by which pages and widget libraries mark the one of several that is chosen: `is-active`, `tab--selected`. */
const MARK =
  /(?:^|\s)(?:(?!(?:in|no|non|not|un|de)[-_])(?!\S*[-_](?:no|non|not|un|de)[-_])(?:[\w-]*[-_])?(?:active|selected|current|pressed)|(?:is-)?on)(?=\s|$)/i;

/** Roles of things of which one, or some, can be chosen among others. */
const CHOSEN = new Set([
  'button',
  'cell',
  'clickable',
  'gridcell',
  'link',
  'listitem',
  'menuitem',
  'option',
  'tab',
  'treeitem',
]);

const STATES = ['aria-pressed', 'aria-selected', 'aria-current', 'aria-checked'];

/** Neighbours that are looked at. */
const MOST = 60;

/**
 * {@link Flag.Selected} for an element that says by its class alone that it is chosen: no ARIA state says more, and an element
 * beside it that is like it has no such class.
 */
export function stateByClass(element: Element, tag: string, role: string): number {
  if (!CHOSEN.has(role) || tag === 'LABEL' || tag === 'OPTION') return 0;
  const marked = isMarked(element) ? element : markedAround(element);
  if (marked === undefined || STATES.some(state => hasAttribute(element, state))) return 0;
  return hasUnmarkedLike(marked) ? Flag.Selected : 0;
}

function isMarked(element: Element): boolean {
  const names = getAttribute(element, 'class');
  return names !== null && MARK.test(names);
}

/** The item of a list that the element is all of. */
function markedAround(element: Element): Element | undefined {
  const parent = parentNode(element);
  if (!(parent instanceof Element) || tagName(parent) === 'BODY' || !isMarked(parent)) return undefined;
  return firstElementChild(parent) === element && nextElementSibling(element) === null ? parent : undefined;
}

/** Whether one of the neighbours is such an element too and has no such class: then it says something. */
function hasUnmarkedLike(marked: Element): boolean {
  return isUnmarkedAlong(marked, nextElementSibling) || isUnmarkedAlong(marked, previousElementSibling);
}

function isUnmarkedAlong(marked: Element, next: (element: Element) => Element | null): boolean {
  const tag = tagName(marked);
  let looked = 0;
  for (let other = next(marked); other !== null && looked++ < MOST; other = next(other)) {
    if (tagName(other) === tag && !isMarked(other)) return true;
  }
  return false;
}
