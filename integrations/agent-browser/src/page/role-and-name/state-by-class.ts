import {
  checkVisibility,
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
  if (STATES.some(state => hasAttribute(element, state))) return 0;
  const isChosen = isMarked(element) ? isChosenAmong(element, other => !isMarked(other)) : isAllOfChosen(element, tag);
  return isChosen ? Flag.Selected : 0;
}

function isMarked(element: Element): boolean {
  const names = getAttribute(element, 'class');
  return names !== null && MARK.test(names);
}

/** Class names of the pictures of a carousel: that one of them is in sight does not choose what is on it. */
const SLIDE = /carousel|slide/i;

/** Whether it is all of a chosen item in a list or a strip of tabs. The others are there to be chosen: of panels, one shows. */
function isAllOfChosen(element: Element, tag: string): boolean {
  const item = parentNode(element);
  if (!(item instanceof Element) || tagName(item) === 'BODY' || !isMarked(item)) return false;
  if (onlyChildOf(item) !== element || SLIDE.test(getAttribute(item, 'class') ?? '')) return false;
  return isChosenAmong(item, other => {
    const only = isMarked(other) ? null : onlyChildOf(other);
    return only !== null && tagName(only) === tag && checkVisibility(other);
  });
}

function onlyChildOf(element: Element): Element | null {
  const first = firstElementChild(element);
  return first !== null && nextElementSibling(first) === null ? first : null;
}

/** Whether one of the neighbours is such an element too and was not chosen: then its class says something. */
function isChosenAmong(chosen: Element, isLike: (neighbour: Element) => boolean): boolean {
  return hasAlong(chosen, nextElementSibling, isLike) || hasAlong(chosen, previousElementSibling, isLike);
}

function hasAlong(
  chosen: Element,
  next: (element: Element) => Element | null,
  isLike: (neighbour: Element) => boolean,
): boolean {
  const tag = tagName(chosen);
  let looked = 0;
  for (let other = next(chosen); other !== null && looked++ < MOST; other = next(other)) {
    if (tagName(other) === tag && isLike(other)) return true;
  }
  return false;
}
