import { outline } from '../act/outline.js';
import { boxOf, checkVisibility, closest, getAttribute, hasEditContext, shadowRoot, tagName } from '../dom.js';
import { hasWidgetRole, isDeclaredClickable } from '../role-and-name/interactive.js';
import { roleOf } from '../role-and-name/role.js';
import { identityOf } from '../walk/identity.js';
import { parentInFlatTree, shownIn } from './flat-tree.js';

/** The element between a press and its target. */
export interface Cover {
  description: string;
  /** The element that a person would press to get past it. */
  wayOut?: Element;
  /** It looks like something that goes away by itself, such as a loading indicator. */
  passing: boolean;
}

const DIALOGS = '[role="dialog"], [role="alertdialog"], [aria-modal="true"], dialog';
const BUTTONS = 'button, [role="button"], a[href], input[type="button"], input[type="submit"]';
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
    description: outline(closest(hit, DIALOGS) ?? layer.querySelector(DIALOGS) ?? hit),
    passing: wayOut === undefined && isPassing(layer),
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

const FIELDS = 'input:not([type="hidden"], [aria-hidden="true"]), textarea, select';
const PUSHED = new Set(['button', 'image', 'reset', 'submit']);
const TOGGLES = new Set(['checkbox', 'radio']);
/** The highest box in CSS pixels that still looks like one field. */
const HIGHEST_FIELD = 200;
const SLACK = 2;

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
  if ([...box.querySelectorAll(FIELDS)].some(other => other !== field)) return false;
  const [outer, inner] = [boxOf(box), boxOf(hit)];
  const isInside =
    inner.left >= outer.left - SLACK &&
    inner.right <= outer.right + SLACK &&
    inner.top >= outer.top - SLACK &&
    inner.bottom <= outer.bottom + SLACK;
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
  const buttons = [...layer.querySelectorAll(BUTTONS)].filter(button => isShown(button));
  const closes = buttons.find(button => CLOSES.test(identityOf(button).name));
  if (closes !== undefined) return closes;
  return closest(hit, DIALOGS) !== null || layer.querySelector(DIALOGS) !== null ? buttons[0] : undefined;
}

function isShown(element: Element): boolean {
  const box = boxOf(element);
  return box.width > 1 && box.height > 1 && checkVisibility(element, { visibilityProperty: true });
}

function isPassing(layer: Element): boolean {
  return isBusy(layer) || layer.getAnimations({ subtree: true }).length > 0;
}

function isBusy(layer: Element): boolean {
  if (layer.matches('[aria-busy="true"], [role="progressbar"]')) return true;
  if (layer.querySelector('[aria-busy="true"], [role="progressbar"], progress') !== null) return true;
  const text = (layer.textContent ?? '').trim();
  return LOADS.test(`${layer.id} ${getAttribute(layer, 'class') ?? ''} ${text.length < 100 ? text : ''}`);
}
