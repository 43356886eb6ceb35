import { hasWidgetRole, isDeclaredClickable, isEditingHost, isHand } from '../capture/interactive.js';
import {
  boxOf,
  checkVisibility,
  elementsAround,
  getAttribute,
  hasAttribute,
  parentInFlatTree,
  querySelector,
  tagName,
  textContent,
} from '../dom/dom.js';
import type { Edges, Point } from '../dom/geometry.js';
import { identityOf } from '../identity/identity.js';
import { roleOf } from '../names/role.js';
import { shownIn } from '../visibility/visibility.js';
import { type Cover, coverOf, isInViewport, isPartOfField, isWithin, topmostAt, viewportBox } from './hit-test.js';

/** Where the mouse reaches an element, or what keeps it from the element. */
export type Aim =
  /** In CSS pixels of the layout viewport. */
  | { is: 'free'; at: Point; box: Edges }
  /** The descendant that takes a press at every point of the element. */
  | { is: 'full'; of: Element }
  | { is: 'covered'; by: Cover }
  | { is: 'moving'; box: Edges }
  /** Nothing of it is shown; no scrolling brings it into view; it lets the mouse through (`pointer-events: none`). */
  | { is: 'hidden' | 'out of view' | 'unpressable' };

/** How an attempt at a point differs from the first one. */
export interface AimManner {
  /** Where to scroll an element that was covered or out of view. */
  align?: ScrollLogicalPosition;
  /** The element's edges at the attempt before, if it moved then: it must have stopped. */
  stoodAt?: Edges;
  /** There is no more time to wait: a moving element is taken where it is, and a covered one where it is free. */
  isLate?: true;
  /** A widget inside the element may be under the mouse: it is not pressed. */
  mayHitInside?: true;
}

/** Roles of the field inside an ARIA 1.1 combobox, which stands for the combobox (WAI-ARIA 1.1, combobox). */
const INPUTS_OF_COMBOBOX = new Set(['textbox', 'searchbox', 'combobox']);
/** Widgets pressed as a whole: their children are presentational (WAI-ARIA 1.2, section 5.2.8), or menus. */
const ONE_PIECE = new Set([
  'button',
  'checkbox',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'switch',
  'tab',
]);
/** Roles of cells, whose content is pressed with them. */
const CELLS = new Set(['cell', 'gridcell']);
/** Fractions of a box at which a press is tried when the middle is covered. */
const ELSEWHERE = [0.12, 0.5, 0.88];
/** The same for drawings, which fill their box only in part. */
const ELSEWHERE_ON_SHAPE = [0.5, 0.12, 0.88, 0.25, 0.75, 0.37, 0.63, 0.04, 0.96];
/** Text nodes of an element that are tried before its box. */
const MOST_CONTENTS = 12;

/**
 * The descendant that takes a press on `hit` instead of the element: a button in a card, an item nested in an expanded
 * item, a link in a label. Undefined when the element takes it.
 */
export function innerWidget(element: Element, hit: Element): Element | undefined {
  for (const node of elementsAround(hit)) {
    if (node === element) break;
    if (isPressedForItself(node) && !standsFor(node, element)) return node;
  }
  return undefined;
}

export function takesPressOn(element: Element, hit: Element | null): boolean {
  if (hit === null) return false;
  return isWithin(hit, element) ? innerWidget(element, hit) === undefined : isPartOfField(element, hit);
}

/** Where the mouse reaches an element, which is scrolled into view when its middle is not visible. */
export function aimAt(element: Element, how: AimManner = {}): Aim {
  if (element instanceof HTMLAreaElement) return aimAtArea(element);
  const shown = shownIn(element);
  const box = boxOf(shown);
  const isVisible = checkVisibility(element, { visibilityProperty: true }) && box.width > 0 && box.height > 0;
  if (!isVisible) return { is: 'hidden' };
  const { align = 'center', isLate } = how;
  const staysPut = how.align === undefined && isInViewport(middleOf(shown));
  if (!staysPut) element.scrollIntoView({ block: align, inline: align, behavior: 'instant' });
  const middle = [middleOf(shown), middleInView(boxOf(shown))].find(isInViewport);
  if (middle === undefined) return { is: 'out of view' };
  const now = edgesOf(element);
  const isMoving = how.stoodAt === undefined ? isAnimated(element) : !areSameEdges(now, how.stoodAt);
  if (isMoving && !isLate) return { is: 'moving', box: now };
  const hit = topmostAt(element, middle.x, middle.y);
  if (hit === null) return { is: 'out of view' };
  const isInside = isWithin(hit, element);
  const inner = isInside && !how.mayHitInside ? innerWidget(element, hit) : undefined;
  if (inner === undefined && (isInside || isPartOfField(element, hit))) return { is: 'free', at: middle, box: now };
  // The middle of a drawing may be a hole in it. What covers the middle of anything else may go away by itself.
  const at = inner !== undefined || isLate || element instanceof SVGElement ? ownPoint(element) : undefined;
  if (at !== undefined) return { is: 'free', at, box: now };
  if (inner !== undefined) return { is: 'full', of: inner };
  if (getComputedStyle(element).pointerEvents === 'none') return { is: 'unpressable' };
  return { is: 'covered', by: coverOf(element, hit) };
}

export function bringIntoView(element: Element): void {
  // The frame itself may be out of view, which its document cannot know: Chromium scrolls the outer documents too.
  const isInFrame = window !== window.top;
  if (!isInFrame && isInViewport(middleOf(shownIn(element)))) return;
  const side = isInFrame ? 'nearest' : 'center';
  element.scrollIntoView({ block: side, inline: side, behavior: 'instant' });
}

/** A point at which a press hits the element and no widget inside it. */
function ownPoint(element: Element): Point | undefined {
  const shares = element instanceof SVGElement ? ELSEWHERE_ON_SHAPE : ELSEWHERE;
  for (const box of [...contentBoxes(element), ...boxPartsOf(boxOf(shownIn(element)), shares)]) {
    const point = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    if (isInViewport(point) && takesPressOn(element, topmostAt(element, point.x, point.y))) return point;
  }
  return undefined;
}

function isPressedForItself(element: Element): boolean {
  return (
    hasWidgetRole(element, tagName(element), roleOf(element)) || isDeclaredClickable(element) || beginsPointer(element)
  );
}

/** Some pages mark what reacts to a press only by the cursor, which descendants inherit. */
export function beginsPointer(element: Element): boolean {
  if (!isHand(getComputedStyle(element).cursor)) return false;
  const around = parentInFlatTree(element);
  return around instanceof Element && !isHand(getComputedStyle(around).cursor);
}

/** Whether a press of the inner element amounts to a press of the outer one. */
function standsFor(inner: Element, element: Element): boolean {
  if (element instanceof HTMLLabelElement && element.control === inner) return true;
  if (isEditingHost(element) && (inner as Partial<HTMLElement>).isContentEditable) return true;
  const own = identityOf(element);
  const { role, name } = identityOf(inner);
  if (own.role === 'combobox' && (INPUTS_OF_COMBOBOX.has(role) || (role === 'option' && isComboboxCollapsed(element))))
    return true;
  if (name !== '' && name === own.name) return true;
  if (role !== 'clickable') return false;
  if (CELLS.has(own.role) && isAllOf(inner, element)) return true;
  if (ONE_PIECE.has(own.role)) return name === '' || !isDeclaredClickable(inner);
  // Some frameworks bind their handlers to a wrapper that has no name and no graphics.
  return name === '' && querySelector(inner, 'img, svg, canvas') === null;
}

/** Whether an inner element holds all that can be read in the outer one, as the number in the day of a calendar does. */
function isAllOf(inner: Element, element: Element): boolean {
  const text = (textContent(inner) ?? '').trim();
  return text !== '' && text === (textContent(element) ?? '').trim();
}

/** The option inside a collapsed combobox is its current choice, and part of its box. */
function isComboboxCollapsed(combobox: Element): boolean {
  return getAttribute(combobox, 'aria-expanded') === 'false';
}

function middleOf(shown: Element): Point | undefined {
  const box = [...shown.getClientRects()].find(({ width, height }) => width > 0 && height > 0);
  return box && { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** The middle of the visible part of a box. */
function middleInView({ left, top, right, bottom }: DOMRect): Point {
  const view = viewportBox();
  return {
    x: (Math.max(view.left, left) + Math.min(view.right, right)) / 2,
    y: (Math.max(view.top, top) + Math.min(view.bottom, bottom)) / 2,
  };
}

function edgesOf(element: Element): Edges {
  const { left, top, right, bottom } = boxOf(element);
  return { left, top, right, bottom };
}

function areSameEdges(some: Edges, other: Edges): boolean {
  return (['left', 'top', 'right', 'bottom'] as const).every(side => some[side] === other[side]);
}

/** Whether an animation or transition of the element or of an ancestor is running. */
function isAnimated(element: Element): boolean {
  return document.getAnimations().some(({ playState, effect }) => {
    const moving = playState === 'running' && effect instanceof KeyframeEffect ? effect.target : null;
    return moving !== null && isWithin(element, moving);
  });
}

/** Boxes of the first text nodes of an element: people press where they read. */
function contentBoxes(element: Element): DOMRect[] {
  const boxes: DOMRect[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null && boxes.length < MOST_CONTENTS; node = texts.nextNode()) {
    if ((node as Text).data.trim() === '') continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getClientRects()[0];
    if (box !== undefined) boxes.push(box);
  }
  return boxes;
}

function boxPartsOf(box: DOMRect, shares: readonly number[]): DOMRect[] {
  return shares.flatMap(down =>
    shares.map(right => new DOMRect(box.left + box.width * right, box.top + box.height * down)),
  );
}

interface MapArea {
  element: HTMLAreaElement;
  box: DOMRect;
}

/** The clickable areas of an image's map (HTML, image maps). Browsers give areas no box of their own. */
export function areasOf(image: Element): MapArea[] {
  const name = getAttribute(image, 'usemap')?.replace(/^#/, '');
  if (!name) return [];
  const map = [...document.querySelectorAll('map')].find(each => getAttribute(each, 'name') === name);
  if (map === undefined) return [];
  return [...map.querySelectorAll('area')]
    .filter(element => hasAttribute(element, 'href') || hasAttribute(element, 'onclick'))
    .map(element => ({ element, box: boxIn(image, element) }));
}

/** An area has no box that could be scrolled into view: its image has, which may be larger than the viewport. */
function aimAtArea(area: HTMLAreaElement): Aim {
  const image = [...document.images].find(each => areasOf(each).some(({ element }) => element === area));
  if (image === undefined) return { is: 'hidden' };
  const point = (): Point => pointOf(area, boxIn(image, area));
  if (!isInViewport(point())) image.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  if (!isInViewport(point())) {
    const { x, y } = point();
    window.scrollBy({ left: x - window.innerWidth / 2, top: y - window.innerHeight / 2, behavior: 'instant' });
  }
  const at = point();
  const hit = isInViewport(at) ? topmostAt(area, at.x, at.y) : null;
  if (hit === null) return { is: 'out of view' };
  return hit === area ? { is: 'free', at, box: edgesOf(image) } : { is: 'covered', by: coverOf(image, hit) };
}

/** Fractions of a box, the middle first; the middle of a polygon's box may lie outside the polygon. */
const SHARES = [0.5, 0.25, 0.75, 0.1, 0.9];

function pointOf(area: Element, box: DOMRect): { x: number; y: number } {
  const points = SHARES.flatMap(down =>
    SHARES.map(across => ({ x: box.left + box.width * across, y: box.top + box.height * down })),
  );
  const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  return points.find(({ x, y }) => topmostAt(area, x, y) === area) ?? middle;
}

/** Chromium measures the coordinates of areas from the image's border edge, in CSS pixels. */
function boxIn(image: Element, area: HTMLAreaElement): DOMRect {
  const { left, top } = boxOf(image);
  const [x, y, width, height] = extent(area, image);
  return new DOMRect(left + x, top + y, width, height);
}

function extent(area: HTMLAreaElement, image: Element): [x: number, y: number, width: number, height: number] {
  const numbers = area.coords.split(/[\s,;]+/).map(Number);
  const [x = 0, y = 0, third = 0] = numbers;
  const shape = area.shape.toLowerCase();
  if (shape === 'default') return [0, 0, boxOf(image).width, boxOf(image).height];
  if (shape.startsWith('circ')) return [x - third, y - third, 2 * third, 2 * third];
  const across = numbers.filter((_, index) => index % 2 === 0);
  const down = numbers.filter((_, index) => index % 2 === 1);
  const left = Math.min(...across);
  const above = Math.min(...down);
  return [left, above, Math.max(...across) - left, Math.max(...down) - above];
}
