import {
  boxOf,
  checkVisibility,
  closest,
  firstElementChild,
  getAttribute,
  hasEditContext,
  isConnected,
  localName,
  matches,
  nextElementSibling,
  nodesInFlatTree,
  objectDocument,
  parentInFlatTree,
  shadowRoot,
  shownIn,
  tagName,
  textContent,
} from './dom.js';
import type { Point } from './geometry.js';
import { identityOf } from './identity.js';
import { hasWidgetRole, isDeclaredClickable } from './interactive.js';
import { roleOf } from './role.js';
import { VISIBLE } from './visibility.js';

const OUTLINE_NAME_LIMIT = 60;
const WORD_LIMIT = 40;

/** One line that tells a person which element is meant; what the page wrote is quoted and cut. */
export function describeElement(element: Element): string {
  const { role, name } = identityOf(element);
  const id = wordOf(getAttribute(element, 'id'));
  const names = (getAttribute(element, 'class') ?? '').trim().split(/\s+/, 2).map(wordOf).filter(Boolean).join('.');
  const tag = `<${wordOf(localName(element))}${id ? `#${id}` : names ? `.${names}` : ''}>`;
  return name === ''
    ? tag
    : `${tag} ${role === 'clickable' ? '' : `${role} `}${JSON.stringify(name.slice(0, OUTLINE_NAME_LIMIT))}`;
}

/** Ids and classes are words for styles; whatever else they hold was meant for the reader. */
function wordOf(text: string | null): string {
  const word = text?.trim() ?? '';
  return /^[\w:/[\]-]+$/.test(word) ? word.slice(0, WORD_LIMIT) : '';
}

/** The element between a press and its target. */
interface Cover {
  description: string;
  /** The element that a person would press to get past it. */
  wayOut?: Element;
  /** It looks like something that goes away by itself, such as a loading indicator. */
  passing: boolean;
}

const DIALOG_SELECTOR = '[role="dialog"], [role="alertdialog"], [aria-modal="true"], dialog';
const BUTTON_SELECTOR = 'button, [role="button"], a[href], input[type="button"], input[type="submit"]';
const CLOSES =
  /\b(close|dismiss|cancel|accept|agree|allow|reject|decline|got it|ok|okay|no,? thanks|not now|later|skip|continue|understand)\b|^[x×✕✖⨯]$/i;
const LOADS = /load|spin|progress|busy|skeleton|splash|please wait/i;

/** The cover of the element at a point of the viewport; undefined when the point hits the element. */
export function coverAt(element: Element, x: number, y: number): Cover | undefined {
  const hit = topmostAt(element, x, y);
  if (hit === null || isWithin(hit, element) || isPartOfField(element, hit)) return undefined;
  const layer = layerOver(hit, element);
  const wayOut = wayOutOf(hit, layer);
  return {
    description: describeElement(closest(hit, DIALOG_SELECTOR) ?? layer.querySelector(DIALOG_SELECTOR) ?? hit),
    passing: wayOut === undefined && isLayerPassing(layer),
    ...(wayOut !== undefined && { wayOut }),
  };
}

/** The topmost element at a point, seen from the tree that the element is in: a closed shadow root shows its inside there alone. */
export function topmostAt(element: Element, x: number, y: number): Element | null {
  const root = element.getRootNode();
  const scope = root instanceof ShadowRoot ? root : document;
  return deepest(scope.elementFromPoint(x, y), { x, y });
}

/** Closed shadow roots as far as they are known. */
interface KnownRoots {
  closed(host: Element): ShadowRoot | undefined;
}

/** The topmost element at a point, through shadow roots. */
export function deepElementFromPoint(x: number, y: number, known?: KnownRoots): Element | null {
  return deepest(document.elementFromPoint(x, y), { x, y, known });
}

function deepest(found: Element | null, at: { x: number; y: number; known?: KnownRoots }): Element | null {
  let hit = found;
  while (hit !== null) {
    const root: ShadowRoot | null | undefined = shadowRoot(hit) ?? at.known?.closed(hit);
    const inner: Element | null | undefined = root?.elementFromPoint(at.x, at.y);
    if (inner == null || inner === hit) break;
    hit = inner;
  }
  return hit;
}

export function isWithin(node: Node, ancestor: Element): boolean {
  for (let current: Node | null = node; current !== null; current = parentInFlatTree(current)) {
    if (current === ancestor) return true;
  }
  return false;
}

const FIELD_SELECTOR = 'input:not([type="hidden"], [aria-hidden="true"]), textarea, select';
const PUSHED = new Set(['button', 'image', 'reset', 'submit']);
const TOGGLES = new Set(['checkbox', 'radio']);
/** The highest box in CSS pixels that still looks like one field. */
const HIGHEST_FIELD = 200;
const HIT_TOLERANCE_PX = 2;

/**
 * Whether a press of `hit` is one of the field: pages put an input that nobody sees under or beside what shows it, such as
 * the box of a drop-down or the look of a check box. Both are in one box then that holds no other field. An editor shows its
 * text beside the element that takes the keys.
 */
export function isPartOfField(element: Element, hit: Element): boolean {
  const isEditor = hasEditContext(element);
  if (!isEditor && !mayBeSeenElsewhere(element, hit)) return false;
  for (let node: Node | null = hit; node instanceof Element; node = parentInFlatTree(node)) {
    if (isWithin(element, node)) return isEditor ? node === shownIn(element) : isBoxOfField(node, element, hit);
    if (hasWidgetRole(node, tagName(node), roleOf(node)) || isDeclaredClickable(node)) return false;
  }
  return false;
}

function mayBeSeenElsewhere(element: Element, hit: Element): boolean {
  if (!(element instanceof HTMLInputElement) || PUSHED.has(element.type)) return false;
  const { labels } = element;
  const isLabelled = TOGGLES.has(element.type) && labels !== null && labels.length > 0;
  // The label of a toggle is what switches it; what lies over any other field may be there while it loads.
  return isLabelled ? [...labels].some(label => isWithin(hit, label)) : !isBusy(layerOver(hit, element));
}

function isBoxOfField(box: Element, field: Element, hit: Element): boolean {
  if (box === document.body || box === document.documentElement) return false;
  if ([...box.querySelectorAll(FIELD_SELECTOR)].some(other => other !== field)) return false;
  const [outer, inner] = [boxOf(box), boxOf(hit)];
  const isInside =
    inner.left >= outer.left - HIT_TOLERANCE_PX &&
    inner.right <= outer.right + HIT_TOLERANCE_PX &&
    inner.top >= outer.top - HIT_TOLERANCE_PX &&
    inner.bottom <= outer.bottom + HIT_TOLERANCE_PX;
  return isInside && outer.height <= HIGHEST_FIELD;
}

/** The outermost element that holds what covers, but not what is covered. */
function layerOver(hit: Element, covered: Element): Element {
  const around = new Set<Node>();
  for (let node: Node | null = covered; node !== null; node = parentInFlatTree(node)) around.add(node);
  let layer = hit;
  for (let node: Node | null = hit; node !== null && !around.has(node); node = parentInFlatTree(node)) {
    if (node instanceof Element) layer = node;
  }
  return layer;
}

/** The element that a person would press to get past a cover of a frame. */
export function wayOutOver(hit: Element): Element | undefined {
  let layer = hit;
  for (let node = parentInFlatTree(hit); node instanceof Element; node = parentInFlatTree(node)) {
    if (node.querySelector('iframe, frame') !== null) break;
    layer = node;
  }
  return wayOutOf(hit, layer);
}

/** A button that closes or answers what covers; of a dialog any button is better than none. */
function wayOutOf(hit: Element, layer: Element): Element | undefined {
  const buttons = [...layer.querySelectorAll(BUTTON_SELECTOR)].filter(button => isShown(button));
  const closes = buttons.find(button => CLOSES.test(identityOf(button).name));
  if (closes !== undefined) return closes;
  return closest(hit, DIALOG_SELECTOR) !== null || layer.querySelector(DIALOG_SELECTOR) !== null
    ? buttons[0]
    : undefined;
}

function isShown(element: Element): boolean {
  const box = boxOf(element);
  return box.width > 1 && box.height > 1 && checkVisibility(element, { visibilityProperty: true });
}

function isLayerPassing(layer: Element): boolean {
  return isBusy(layer) || layer.getAnimations({ subtree: true }).length > 0;
}

function isBusy(layer: Element): boolean {
  if (layer.matches('[aria-busy="true"], [role="progressbar"]')) return true;
  if (layer.querySelector('[aria-busy="true"], [role="progressbar"], progress') !== null) return true;
  const text = (layer.textContent ?? '').trim();
  return LOADS.test(`${layer.id} ${getAttribute(layer, 'class') ?? ''} ${text.length < 100 ? text : ''}`);
}

/** Wrappers around what a page puts on top have often no size of their own, this deep. */
const MOST_WRAPPERS = 4;

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
    const shown = firstSized(layer);
    if (shown !== undefined && checkVisibility(shown, VISIBLE) && hasOnTop(shown, layer)) layers.push(layer);
  }
  return layers;
}

/** The element, or the first one inside it, that has a size. */
function firstSized(element: Element): Element | undefined {
  let inside: Element | null = element;
  for (let i = 0; i < MOST_WRAPPERS && inside !== null; i++) {
    const { width, height } = boxOf(inside);
    if (width > 1 && height > 1) return inside;
    inside = firstElementChild(inside);
  }
  return undefined;
}

/** Where presses are tried, in parts of the viewport: along its edges, and down its middle. */
const NEAR_EDGES = [0.03, 0.5, 0.97];
const MIDDLE = [0.5, 0.4, 0.6, 0.25, 0.75];
/** Of the eight points along the edges, bars that stand over a backdrop may take so many. */
const MOST_MISSED = 3;
/**
 * An element larger than this part of the viewport, in both directions, is a page of its own rather than a box over
 * one.
 */
const LARGEST = 0.97;

/** All nodes of the box over the page; none where there is none. */
export function nodesOverPage(): Iterable<Node> {
  const box = boxOverPage();
  return box === undefined ? [] : nodesInFlatTree(box);
}

/**
 * The box that stands over a page which takes no press around it: a dialog to a person, whatever its markup says. It is
 * told by where presses would go.
 */
function boxOverPage(): Element | undefined {
  const backdrop = backdropNow();
  if (backdrop === undefined || !liesOverContent(backdrop)) return undefined;
  for (const y of MIDDLE) {
    const hit = at(0.5, y);
    const box = hit === null || hit === backdrop ? undefined : layerBetween(hit, backdrop);
    if (box !== undefined) return box;
  }
  return undefined;
}

function at(x: number, y: number): Element | null {
  return deepElementFromPoint(x * window.innerWidth, y * window.innerHeight);
}

/** The element over the page that takes the presses along the edges of the viewport. */
function backdropNow(): Element | undefined {
  const taken = new Map<Element, number>();
  for (const x of NEAR_EDGES) {
    for (const y of NEAR_EDGES) {
      const hit = x === 0.5 && y === 0.5 ? null : at(x, y);
      if (hit !== null) taken.set(hit, (taken.get(hit) ?? 0) + 1);
    }
  }
  const [backdrop] = [...taken].find(([, count]) => count >= 8 - MOST_MISSED) ?? [];
  return backdrop !== undefined && pathTo(backdrop, () => false).some(isLaidOver) ? backdrop : undefined;
}

/** The element and what is around it up to the body, or up to where somebody wants to stop. */
function pathTo(element: Element, isEnd: (node: Element) => boolean): Element[] {
  const path: Element[] = [];
  for (let node: Node | null = element; node instanceof Element; node = parentInFlatTree(node)) {
    if (node === document.body || node === document.documentElement || isEnd(node)) break;
    path.push(node);
  }
  return path;
}

function isLaidOver(element: Element): boolean {
  const { position } = getComputedStyle(element);
  return position === 'fixed' || position === 'absolute';
}

/** Whether there is something to read or to act on below it, where it takes the presses. */
function liesOverContent(backdrop: Element): boolean {
  return NEAR_EDGES.concat(MIDDLE).some(y => NEAR_EDGES.some(x => hasContentBelow(backdrop, x, y)));
}

function hasContentBelow(backdrop: Element, x: number, y: number): boolean {
  const stack = document.elementsFromPoint(x * window.innerWidth, y * window.innerHeight);
  const below = stack.slice(stack.findIndex(element => isWithin(backdrop, element)) + 1);
  return below.some(element => !isWithin(backdrop, element) && textContent(element)?.trim() !== '');
}

/** The whole of the box that a point of it was hit of. */
function layerBetween(hit: Element, backdrop: Element): Element | undefined {
  if (isWithin(hit, backdrop)) return pathTo(hit, node => node === backdrop).findLast(isSmaller);
  const layers = pathTo(hit, node => isWithin(backdrop, node)).filter(isLaidOver);
  return layers.findLast(isSmaller) ?? layers.at(-1);
}

function isSmaller(element: Element): boolean {
  const { width, height } = boxOf(element);
  return width < LARGEST * window.innerWidth || height < LARGEST * window.innerHeight;
}

/** A point of the document in a frame, as the document around it sees it. */
export interface OuterPoint extends Point {
  /** The frame is scaled, turned or skewed. */
  isWarped: boolean;
  /** It is in sight there, and nothing lies over the frame. */
  isFree: boolean;
  /** It was scrolled to: the mouse finds it there once the page has been drawn. */
  wasScrolled: boolean;
}

/**
 * How the viewport of a frame's document lies in that around it. What transforms do to directions and lengths is the
 * product of them all; they keep the middle of a box in the middle of the box around it, wherever their origins are.
 */
interface FramePlace {
  linear: DOMMatrix;
  /** In the viewport around. */
  middle: Point;
  /** From the corner of the inner viewport, in pixels of its own. */
  innerMiddle: Point;
}

type FrameElement = HTMLIFrameElement | HTMLFrameElement | HTMLObjectElement;

/** Whether an element shows another document. */
export function isFrameElement(element: Element): element is FrameElement {
  if (element instanceof HTMLObjectElement) return objectDocument(element) !== null;
  return element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement;
}

/** The point in the frame's own viewport; undefined where the frame stands in space. */
export function intoFrame(frame: FrameElement, { x, y }: Point): Point | undefined {
  const place = framePlaceOf(frame);
  if (place === undefined) return undefined;
  const { linear, middle, innerMiddle } = place;
  const from = linear.inverse().transformPoint(new DOMPoint(x - middle.x, y - middle.y));
  return { x: innerMiddle.x + from.x, y: innerMiddle.y + from.y };
}

/** The way back from {@link intoFrame}; what is out of sight is scrolled to. Null where nobody can tell. */
export function outOfFrame(frame: Element | undefined, point: Point): OuterPoint | null {
  const isEnlarged = window === window.top && window.visualViewport?.scale !== 1;
  if (frame === undefined || !isFrameElement(frame) || isEnlarged) return null;
  let at = seenFromOutside(frame, point);
  const wasScrolled = at !== undefined && !isPointInWindow(at);
  if (wasScrolled) {
    frame.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    at = seenFromOutside(frame, point);
  }
  if (at !== undefined && !isPointInWindow(at)) {
    const { innerWidth, innerHeight } = window;
    window.scrollBy({ left: at.x - innerWidth / 2, top: at.y - innerHeight / 2, behavior: 'instant' });
    at = seenFromOutside(frame, point);
  }
  if (at === undefined) return null;
  const hit = isPointInWindow(at) ? topmostAt(frame, at.x, at.y) : null;
  return { ...at, isFree: hit !== null && isWithin(hit, frame), wasScrolled };
}

function seenFromOutside(frame: FrameElement, point: Point): Omit<OuterPoint, 'isFree' | 'wasScrolled'> | undefined {
  const place = framePlaceOf(frame);
  if (place === undefined) return undefined;
  const { linear, middle, innerMiddle } = place;
  const to = linear.transformPoint(new DOMPoint(point.x - innerMiddle.x, point.y - innerMiddle.y));
  return { x: middle.x + to.x, y: middle.y + to.y, isWarped: !linear.isIdentity };
}

function framePlaceOf(frame: FrameElement): FramePlace | undefined {
  const linear = linearOf(frame);
  if (linear === undefined) return undefined;
  const box = boxOf(frame);
  const style = getComputedStyle(frame);
  return {
    linear,
    middle: { x: box.left + box.width / 2, y: box.top + box.height / 2 },
    innerMiddle: {
      x: frame.offsetWidth / 2 - frame.clientLeft - Number.parseFloat(style.paddingLeft),
      y: frame.offsetHeight / 2 - frame.clientTop - Number.parseFloat(style.paddingTop),
    },
  };
}

/** All that is done to directions and lengths on the way out; undefined for what is turned out of the plane. */
function linearOf(frame: FrameElement): DOMMatrix | undefined {
  // CSS Viewport, zoom: what is in a frame is zoomed with it.
  let linear = new DOMMatrix().scale(frame.currentCSSZoom);
  for (let node: Node | null = frame; node !== null; node = parentInFlatTree(node)) {
    if (!(node instanceof Element)) continue;
    const style = getComputedStyle(node);
    const isTransformed = style.transform !== 'none' || style.rotate !== 'none' || style.scale !== 'none';
    if (!isTransformed || (style.display === 'inline' && node !== frame)) continue;
    linear = new DOMMatrix(ownTransforms(style)).multiply(linear);
  }
  const { a, b, c, d, is2D } = linear;
  return is2D ? new DOMMatrix([a, b, c, d, 0, 0]) : undefined;
}

/** CSS Transforms 2, section 5: rotate, then scale, then transform. */
function ownTransforms({ rotate, scale, transform }: CSSStyleDeclaration): string {
  const [x, y = x] = scale === 'none' ? ['1'] : scale.split(' ');
  const turn = rotate === 'none' ? '' : /^\S+$/.test(rotate) ? `rotate(${rotate})` : 'rotateX(1deg)';
  return `${turn} scale(${x}, ${y}) ${transform === 'none' ? '' : transform}`;
}

function isPointInWindow({ x, y }: Point): boolean {
  return x >= 0 && y >= 0 && x < window.innerWidth && y < window.innerHeight;
}
