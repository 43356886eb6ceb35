import {
  boxOf,
  checkVisibility,
  firstElementChild,
  getAttribute,
  isConnected,
  matches,
  nextElementSibling,
} from '../dom.js';
import { deepElementFromPoint, isWithin } from './cover.js';
import { parentInFlatTree } from './flat-tree.js';

const VISIBLE = { visibilityProperty: true };
/** Wrappers around what a page puts on top have often no size of their own, this deep. */
const WRAPPERS = 4;

export function isModal(element: Element): boolean {
  return matches(element, ':modal') || getAttribute(element, 'aria-modal')?.toLowerCase() === 'true';
}

/**
 * The modal element that hides the rest of the document from a person, if there is one.
 * @param inShadow Modal elements that are known to be in shadow trees, where no selector finds them.
 */
export function topModal(inShadow: readonly Element[]): Element | undefined {
  let top: Element | undefined;
  for (const modal of [...document.querySelectorAll(':modal, [aria-modal="true" i]'), ...inShadow]) {
    if (!isConnected(modal) || !checkVisibility(modal, VISIBLE)) continue;
    const box = boxOf(modal);
    if (box.width === 0 && box.height === 0 && firstElementChild(modal) === null) continue;
    if (top === undefined || !isCoveredBy(modal, top)) top = modal;
  }
  return top;
}

function isCoveredBy(modal: Element, other: Element): boolean {
  if (isWithin(other, modal)) return true;
  return !isWithin(modal, other) && hasOnTop(modal, other);
}

/** Whether the other element lies over the middle of this one. */
function hasOnTop(element: Element, other: Element): boolean {
  const box = boxOf(element);
  const hit = deepElementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return hit !== null && isWithin(hit, other);
}

/**
 * What lies over a modal dialog without being in it: lists, menus and messages that components put at the end of the
 * document. A dialog that the browser itself holds modal leaves nothing else alive (HTML, blocked by a modal dialog).
 */
export function layersOver(modal: Element): Element[] {
  if (matches(modal, ':modal')) return [];
  let top = modal;
  for (let node: Node | null = modal; node !== null && node !== document.body; node = parentInFlatTree(node)) {
    if (node instanceof Element) top = node;
  }
  const layers: Element[] = [];
  for (let layer = nextElementSibling(top); layer !== null; layer = nextElementSibling(layer)) {
    const shown = sized(layer);
    if (shown !== undefined && checkVisibility(shown, VISIBLE) && hasOnTop(shown, layer)) layers.push(layer);
  }
  return layers;
}

/** The element, or the first one inside it, that has a size. */
function sized(element: Element): Element | undefined {
  let inside: Element | null = element;
  for (let i = 0; i < WRAPPERS && inside !== null; i++) {
    const { width, height } = boxOf(inside);
    if (width > 1 && height > 1) return inside;
    inside = firstElementChild(inside);
  }
  return undefined;
}
