import { hasWidgetRole, isDeclaredClickable } from '../capture/interactive.js';
import { BUTTON_TYPES } from '../dom/control.js';
import {
  boxOf,
  checkVisibility,
  closest,
  elementsAround,
  firstElementChild,
  getAttribute,
  isConnected,
  isSized,
  localName,
  matches,
  nextElementSibling,
  nodesInFlatTree,
  objectDocument,
  parentInFlatTree,
  querySelector,
  querySelectorAll,
  shadowRoot,
  tagName,
  textContent,
  treeScopeOf,
} from '../dom/dom.js';
import type { Point } from '../dom/geometry.js';
import { type Identity, identityOf } from '../identity/identity.js';
import { roleOf } from '../names/role.js';
import { shortText } from '../text/cut-text.js';
import { shownIn, VISIBLE, visualViewportNow } from '../visibility/visibility.js';

const OUTLINE_NAME_LIMIT = 60;
const WORD_LIMIT = 40;

/** One line that identifies an element for a person; what the page wrote is quoted and cut. */
export function describeElement(element: Element): string {
  const { role, name } = identityOf(element);
  const id = wordOf(getAttribute(element, 'id'));
  const names = (getAttribute(element, 'class') ?? '').trim().split(/\s+/, 2).map(wordOf).filter(Boolean).join('.');
  const tag = `<${wordOf(localName(element))}${id ? `#${id}` : names ? `.${names}` : ''}>`;
  return name === ''
    ? tag
    : `${tag} ${role === 'clickable' ? '' : `${role} `}${JSON.stringify(shortText(name, OUTLINE_NAME_LIMIT))}`;
}

/** Ids and classes are identifiers; any other text in them may address the reader and is dropped. */
function wordOf(text: string | null): string {
  const word = text?.trim() ?? '';
  return /^[\w:/[\]-]+$/.test(word) ? word.slice(0, WORD_LIMIT) : '';
}

/** What covers the target of a press. */
export interface Cover {
  description: string;
  /** The element that a person would press to dismiss it. */
  wayOut?: Element;
  /** It is probably temporary, such as a loading indicator. */
  isPassing: boolean;
}

const DIALOG_SELECTOR = '[role="dialog"], [role="alertdialog"], [aria-modal="true"], dialog';
const BUTTON_SELECTOR = 'button, [role="button"], a[href], input[type="button"], input[type="submit"]';
const CLOSES =
  /\b(close|dismiss|cancel|accept|agree|allow|reject|decline|got it|ok|okay|no,? thanks|not now|later|skip|continue|understand)\b|^[x×✕✖⨯]$/i;
const LOADS = /load|spin|progress|busy|skeleton|splash|please wait/i;

/** What is hit in place of an element: all that lies over it is dismissed as one. */
export function coverOf(element: Element, hit: Element): Cover {
  const layer = layerOver(hit, element);
  const wayOut = wayOutOf(hit, layer);
  return {
    description: describeElement(closest(hit, DIALOG_SELECTOR) ?? querySelector(layer, DIALOG_SELECTOR) ?? hit),
    isPassing: wayOut === undefined && isLayerPassing(layer),
    ...(wayOut !== undefined && { wayOut }),
  };
}

/** The topmost element at a point, from the element's own tree: a closed shadow root shows its content only there. */
export function topmostAt(element: Element, x: number, y: number): Element | null {
  const root = treeScopeOf(element);
  const scope = root instanceof ShadowRoot ? root : document;
  return deepest(scope.elementFromPoint(x, y), { x, y });
}

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
const TOGGLES = new Set(['checkbox', 'radio']);
/** The highest box in CSS pixels that may still be one field. */
const HIGHEST_FIELD_PX = 200;
const HIT_TOLERANCE_PX = 2;

/**
 * Whether a press of `hit` is a press of the field. Pages put an invisible input under or beside what shows it, such as
 * the box of a drop-down or a styled check box; both are in a box that contains no other field. An editor shows its text
 * beside the element that takes the keys.
 */
export function isPartOfField(element: Element, hit: Element): boolean {
  const editor = shownIn(element);
  const isEditor = editor !== element;
  const isField = mayBeSeenElsewhere(element, hit);
  // Its author wants the mouse to go to what shows the field, whatever listens there.
  const isPassedThrough = isField && getComputedStyle(element).pointerEvents === 'none';
  for (const node of elementsAround(hit)) {
    if (isEditor && node === editor) return true;
    if (!isEditor && isWithin(element, node))
      return isField ? isBoxOfField(node, element, hit) : isInFace(node, element, hit);
    if (isPassedThrough) continue;
    // Editors listen for presses on the layers of their text.
    if (hasWidgetRole(node, tagName(node), roleOf(node)) || (!isEditor && isDeclaredClickable(node))) return false;
  }
  return false;
}

/**
 * Whether a box is in what people see and press of a control: a label or a component around them that takes presses
 * itself, and in which the only control is transparent.
 */
function isInFace(box: Element, control: Element, hit: Element): boolean {
  if (checkVisibility(control, { opacityProperty: true })) return false;
  for (const node of elementsAround(box)) {
    if (!isBoxOfField(node, control, hit)) return false;
    const isLabel = node instanceof HTMLLabelElement && node.control === control;
    if (isLabel || isDeclaredClickable(node)) return isOnlyButtonIn(node, control);
  }
  return false;
}

function isOnlyButtonIn(box: Element, control: Element): boolean {
  for (const node of nodesInFlatTree(box))
    if (node !== control && node instanceof Element && matches(node, BUTTON_SELECTOR)) return false;
  return true;
}

function mayBeSeenElsewhere(element: Element, hit: Element): boolean {
  if (!(element instanceof HTMLInputElement) || BUTTON_TYPES.has(element.type)) return false;
  const { labels } = element;
  const isLabelled = TOGGLES.has(element.type) && labels !== null && labels.length > 0;
  // Only the label of a toggle switches it; an element over any other field may be there while it loads.
  return isLabelled ? [...labels].some(label => isWithin(hit, label)) : !isBusy(layerOver(hit, element));
}

function isBoxOfField(box: Element, field: Element, hit: Element): boolean {
  if (box === document.body || box === document.documentElement) return false;
  if ([...querySelectorAll(box, FIELD_SELECTOR)].some(other => other !== field)) return false;
  const [outer, inner] = [boxOf(box), boxOf(hit)];
  const isInside =
    inner.left >= outer.left - HIT_TOLERANCE_PX &&
    inner.right <= outer.right + HIT_TOLERANCE_PX &&
    inner.top >= outer.top - HIT_TOLERANCE_PX &&
    inner.bottom <= outer.bottom + HIT_TOLERANCE_PX;
  return isInside && outer.height <= HIGHEST_FIELD_PX;
}

/** The outermost element that contains the cover but not the covered element. */
function layerOver(hit: Element, covered: Element): Element {
  const around = new Set(elementsAround(covered));
  return ancestryOf(hit, node => around.has(node)).at(-1) ?? hit;
}

/** Names of buttons after which no dialog stays; others of a dialog may lead to its next step. */
const ONLY_CLOSES = /\b(close|dismiss|cancel|got it|no,? thanks|not now)\b|^[x×✕✖⨯]$/i;

/** Whether an element is named as the button that closes the dialog around it. */
export function closesDialog(element: Element, { role, name }: Identity): boolean {
  return role === 'button' && ONLY_CLOSES.test(name) && closest(element, DIALOG_SELECTOR) !== null;
}

/** A button that dismisses or answers the cover; in a dialog any button is better than none. */
function wayOutOf(hit: Element, layer: Element): Element | undefined {
  const buttons = [...querySelectorAll(layer, BUTTON_SELECTOR)].filter(button => isShown(button));
  const closes = buttons.find(button => CLOSES.test(identityOf(button).name));
  if (closes !== undefined) return closes;
  return closest(hit, DIALOG_SELECTOR) !== null || querySelector(layer, DIALOG_SELECTOR) !== null
    ? buttons[0]
    : undefined;
}

function isShown(element: Element): boolean {
  return isSized(boxOf(element)) && checkVisibility(element, { visibilityProperty: true });
}

function isLayerPassing(layer: Element): boolean {
  return isBusy(layer) || layer.getAnimations({ subtree: true }).length > 0;
}

function isBusy(layer: Element): boolean {
  if (matches(layer, '[aria-busy="true"], [role="progressbar"]')) return true;
  if (querySelector(layer, '[aria-busy="true"], [role="progressbar"], progress') !== null) return true;
  const text = (textContent(layer) ?? '').trim();
  return LOADS.test(`${layer.id} ${getAttribute(layer, 'class') ?? ''} ${text.length < 100 ? text : ''}`);
}

/** Depth of the wrappers without a size that pages often put around an overlay. */
const MOST_WRAPPERS = 4;

export function isModal(element: Element): boolean {
  return matches(element, ':modal') || getAttribute(element, 'aria-modal')?.toLowerCase() === 'true';
}

/** The modal element that hides the rest of the document. `inShadow`: modals in shadow trees, which selectors miss. */
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

/** Whether `other` covers the centre of the element. */
function hasOnTop(element: Element, other: Element): boolean {
  const box = boxOf(element);
  const hit = deepElementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return hit !== null && isWithin(hit, other);
}

/** Popups that components append outside a modal. A native modal makes them inert (HTML, blocked by a modal dialog). */
export function layersOver(modal: Element): Element[] {
  if (matches(modal, ':modal')) return [];
  const top = ancestryOf(modal).at(-1) ?? modal;
  const layers: Element[] = [];
  for (let layer = nextElementSibling(top); layer !== null; layer = nextElementSibling(layer)) {
    const shown = firstSized(layer);
    if (shown !== undefined && checkVisibility(shown, VISIBLE) && hasOnTop(shown, layer)) layers.push(layer);
  }
  return layers;
}

function firstSized(element: Element): Element | undefined {
  let inside: Element | null = element;
  for (let i = 0; i < MOST_WRAPPERS && inside !== null; i++) {
    if (isSized(boxOf(inside))) return inside;
    inside = firstElementChild(inside);
  }
  return undefined;
}

/** Hit test points as fractions of the viewport: along its edges, and down its middle. */
const NEAR_EDGES = [0.03, 0.5, 0.97];
const MIDDLE = [0.5, 0.4, 0.6, 0.25, 0.75];
/** How many of the eight points along the edges may hit bars that cover the backdrop. */
const MOST_MISSED = 3;
/** An element larger than this fraction of the viewport in both directions is a page, not a box over one. */
const LARGEST = 0.97;

export function nodesOverPage(): Iterable<Node> {
  const box = boxOverPage();
  return box === undefined ? [] : nodesInFlatTree(box);
}

/** The box over a page that receives no presses around it, by hit tests: a dialog whatever its markup. */
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
  return backdrop !== undefined && ancestryOf(backdrop).some(isLaidOver) ? backdrop : undefined;
}

/** The element and its ancestors, up to the body or to `isEnd`. */
export function ancestryOf(element: Element, isEnd: (node: Element) => boolean = () => false): Element[] {
  const path: Element[] = [];
  for (const node of elementsAround(element)) {
    if (node === document.body || node === document.documentElement || isEnd(node)) break;
    path.push(node);
  }
  return path;
}

function isLaidOver(element: Element): boolean {
  const { position } = getComputedStyle(element);
  return position === 'fixed' || position === 'absolute';
}

/** Whether the backdrop takes presses over an element with text. */
function liesOverContent(backdrop: Element): boolean {
  return NEAR_EDGES.concat(MIDDLE).some(y => NEAR_EDGES.some(x => hasContentBelow(backdrop, x, y)));
}

function hasContentBelow(backdrop: Element, x: number, y: number): boolean {
  const stack = document.elementsFromPoint(x * window.innerWidth, y * window.innerHeight);
  const below = stack.slice(stack.findIndex(element => isWithin(backdrop, element)) + 1);
  return below.some(element => !isWithin(backdrop, element) && textContent(element)?.trim() !== '');
}

/** The whole box over the backdrop that contains the hit element. */
function layerBetween(hit: Element, backdrop: Element): Element | undefined {
  if (isWithin(hit, backdrop)) return ancestryOf(hit, node => node === backdrop).findLast(isSmaller);
  const layers = ancestryOf(hit, node => isWithin(backdrop, node)).filter(isLaidOver);
  return layers.findLast(isSmaller) ?? layers.at(-1);
}

function isSmaller(element: Element): boolean {
  const { width, height } = boxOf(element);
  return width < LARGEST * window.innerWidth || height < LARGEST * window.innerHeight;
}

/** A point of a frame's document, in the viewport of the document around it. */
export interface OuterPoint extends Point {
  /** What lies over the frame there. */
  cover?: Cover;
  /** The point cannot be scrolled into view. */
  isOutOfView?: true;
  /** It was scrolled into view: the mouse hits it only after the next rendered frame. */
  wasScrolled: boolean;
}

/**
 * A frame's viewport in the outer one. `linear` is the product of all transforms, unless one is 3D: they keep the centre
 * of a box in the centre of its bounding box, whatever their origins.
 */
interface FramePlace {
  linear: DOMMatrix | undefined;
  /** In the outer viewport. */
  middle: Point;
  /** From the corner of the inner viewport, in its own pixels. */
  innerMiddle: Point;
}

type FrameElement = HTMLIFrameElement | HTMLFrameElement | HTMLObjectElement;

export function isFrameElement(element: Element): element is FrameElement {
  if (element instanceof HTMLObjectElement) return objectDocument(element) !== null;
  return element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement;
}

/** The point in the frame's own viewport; undefined where a transform is 3D. */
export function intoFrame(frame: FrameElement, { x, y }: Point): Point | undefined {
  const { linear, middle, innerMiddle } = framePlaceOf(frame);
  if (linear === undefined) return undefined;
  const from = linear.inverse().transformPoint(new DOMPoint(x - middle.x, y - middle.y));
  return { x: innerMiddle.x + from.x, y: innerMiddle.y + from.y };
}

/** The inverse of {@link intoFrame}, which scrolls the point into view. Null for what is no frame. */
export function outOfFrame(frame: Element | undefined, point: Point): OuterPoint | null {
  if (frame === undefined || !isFrameElement(frame)) return null;
  let at = seenFromOutside(frame, point);
  const wasScrolled = !isInViewport(at);
  if (wasScrolled) {
    frame.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    at = seenFromOutside(frame, point);
  }
  if (!isInViewport(at)) {
    const { innerWidth, innerHeight } = window;
    window.scrollBy({ left: at.x - innerWidth / 2, top: at.y - innerHeight / 2, behavior: 'instant' });
    at = seenFromOutside(frame, point);
  }
  const hit = isInViewport(at) ? topmostAt(frame, at.x, at.y) : null;
  const isCovered = hit !== null && !isWithin(hit, frame);
  return {
    ...inVisualViewport(at),
    ...(isCovered && { cover: coverOf(frame, hit) }),
    ...(hit === null && { isOutOfView: true }),
    wasScrolled,
  };
}

function seenFromOutside(frame: FrameElement, point: Point): Point {
  const { linear, middle, innerMiddle } = framePlaceOf(frame);
  const { width, height } = boxOf(frame);
  // As if a frame in space were only narrower: the guard keeps what would hit something else.
  const scaled = linear ?? new DOMMatrix().scale(width / frame.offsetWidth, height / frame.offsetHeight);
  const to = scaled.transformPoint(new DOMPoint(point.x - innerMiddle.x, point.y - innerMiddle.y));
  return { x: middle.x + to.x, y: middle.y + to.y };
}

function framePlaceOf(frame: FrameElement): FramePlace {
  const box = boxOf(frame);
  const style = getComputedStyle(frame);
  return {
    linear: linearOf(frame),
    middle: { x: box.left + box.width / 2, y: box.top + box.height / 2 },
    innerMiddle: {
      x: frame.offsetWidth / 2 - frame.clientLeft - Number.parseFloat(style.paddingLeft),
      y: frame.offsetHeight / 2 - frame.clientTop - Number.parseFloat(style.paddingTop),
    },
  };
}

/** The product of all transforms from the frame outwards; undefined where one is 3D. */
function linearOf(frame: FrameElement): DOMMatrix | undefined {
  // CSS Viewport, zoom: the content of a frame is zoomed with it.
  let linear = new DOMMatrix().scale(frame.currentCSSZoom);
  for (const node of elementsAround(frame)) {
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

export function isInViewport(point: Point | undefined): boolean {
  if (point === undefined) return false;
  const { left, top, right, bottom } = viewportBox();
  return point.x >= left && point.y >= top && point.x < right && point.y < bottom;
}

/** The part of the layout viewport that is seen: only one of the page's own document can be enlarged. */
export function viewportBox(): DOMRect {
  const [left, top, scale] = visualViewportNow();
  const { width = 0, height = 0 } = window.visualViewport ?? {};
  return scale === 1 ? new DOMRect(0, 0, window.innerWidth, window.innerHeight) : new DOMRect(left, top, width, height);
}

/** A point of the layout viewport, where the mouse has it: from the corner of the visual viewport. */
export function inVisualViewport({ x, y }: Point): Point {
  const [left, top] = visualViewportNow();
  return { x: x - left, y: y - top };
}
