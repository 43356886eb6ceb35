import {
  boxOf,
  checkVisibility,
  closest,
  elementsPressed,
  getAttribute,
  getAttributeNames,
  hasAttribute,
  isSized,
  objectDocument,
} from '../dom/dom.js';
import { PDF_HOLDERS, pdfUrlOf } from '../dom/pdf.js';
import { isFileUrl } from '../names/hint-words.js';
import { WIDGET_ROLES } from '../names/roles.js';
import type { DefaultAction } from '../protocol.js';
import { isEditedBody, isReachable } from '../visibility/visibility.js';

/** Elements that are interactive whatever their role. */
const WIDGET_TAGS = new Set(['BUTTON', 'SELECT', 'TEXTAREA', 'SUMMARY', 'IFRAME', 'FRAME']);

/** Attributes by which pages and frameworks declare a listener for a press. */
const LISTENER =
  /^(on(click|dblclick|mousedown|mouseup|pointerdown|pointerup|touchstart|touchend|keydown)|@click.*|v-on:click.*|ng-click|\(click\)|data-ng-click|x-on:click.*|hx-on:click)$/;

export function hasWidgetRole(element: Element, tag: string, role: string): boolean {
  if (WIDGET_ROLES.has(role)) return true;
  if (WIDGET_TAGS.has(tag)) return true;
  if (tag === 'INPUT') return (element as HTMLInputElement).type !== 'hidden';
  if (tag === 'AUDIO' || tag === 'VIDEO') return hasAttribute(element, 'controls');
  if (tag === 'OBJECT' && objectDocument(element) !== null) return true;
  if (PDF_HOLDERS.has(tag)) return pdfUrlOf(element, tag) !== undefined;
  if (tag === 'LABEL') return hiddenControl(element) !== undefined;
  return isSelectable(element, role);
}

/** Whether a row has roving focus, or the element can be selected (WAI-ARIA 1.2: without aria-selected it cannot). */
function isSelectable(element: Element, role: string): boolean {
  if (role === 'row') return hasAttribute(element, 'tabindex') || hasAttribute(element, 'aria-selected');
  return role === 'gridcell' && hasAttribute(element, 'aria-selected');
}

/** Results of `declaresListener` by attribute name: pages use few names, many times. */
const listeners = new Map<string, boolean>();
const MOST_NAMES = 5000;

function declaresListener(name: string): boolean {
  let declares = listeners.get(name);
  if (declares === undefined) {
    declares = LISTENER.test(name);
    if (listeners.size < MOST_NAMES) listeners.set(name, declares);
  }
  return declares;
}

type ReactionFinder = (element: Element, declares: boolean) => boolean;
let reacts: ReactionFinder = (_, declares) => declares;

/** Sets the function that finds whether a press of an element has an effect: scripts cannot list listeners, CDP can. */
export function setReactionFinder(finder: ReactionFinder): void {
  reacts = finder;
}

/** Whether an element without a widget role reacts, by tabindex, editing, dragging or a listener. */
export function isDeclaredClickable(element: Element): boolean {
  if (isEditedBody(element)) return true;
  let declares = false;
  let takesFocus = false;
  for (const name of getAttributeNames(element)) {
    if (name === 'class' || name === 'id') continue;
    if (name === 'tabindex') {
      takesFocus = (element as HTMLElement).tabIndex >= 0;
    } else if (name === 'contenteditable') {
      if (isEditingHost(element)) return true;
    } else if (name === 'draggable') {
      if (getAttribute(element, name) === 'true') return true;
    } else declares ||= declaresListener(name);
  }
  // Always called, since it also finds the items of a list with a delegated listener.
  return reacts(element, declares) || takesFocus;
}

const HANDS = new Set(['pointer', 'grab', 'grabbing', 'move', 'zoom-in']);

/** Whether the cursor shows that an element can be pressed or dragged. */
export function isHand(cursor: string): boolean {
  return HANDS.has(cursor);
}

export function isEditingHost(element: Element): boolean {
  const value = getAttribute(element, 'contenteditable');
  return value === '' || value === 'true' || value === 'plaintext-only' || isEditedBody(element);
}

/** Input types that a press of their label activates. */
const PRESSED_BY_LABEL = new Set(['checkbox', 'radio', 'file']);

/** The checkbox, radio or file input that a page hides behind a styled label, which a person clicks instead. */
export function hiddenControl(element: Element): HTMLInputElement | undefined {
  if (!(element instanceof HTMLLabelElement)) return undefined;
  const control = element.control;
  if (!(control instanceof HTMLInputElement) || !PRESSED_BY_LABEL.has(control.type)) return undefined;
  const box = boxOf(control);
  const isThere = isSized(box) && isReachable(control, box, window) && !isCutAway(control, element);
  return isThere && checkVisibility(control, { visibilityProperty: true }) ? undefined : control;
}

/** Whether a visible label represents a hidden control inside it. */
export function isShownByLabel(element: Element): boolean {
  if (!(element instanceof HTMLInputElement) || !PRESSED_BY_LABEL.has(element.type)) return false;
  return [...(element.labels ?? [])].some(label => isCutAway(element, label) && checkVisibility(label));
}

/** Whether a drop-down only serves its form: it is hidden, and a widget of the page replaces it. */
export function isReplaced(element: Element): boolean {
  if (!(element instanceof HTMLSelectElement) || checkVisibility(element, { opacityProperty: true })) return false;
  return getComputedStyle(element).pointerEvents === 'none';
}

/** Whether an element between a control and its label clips the control away. */
function isCutAway(control: Element, label: Element): boolean {
  for (let node = control.parentElement; node !== null && node !== label; node = node.parentElement)
    if (!isSized(boxOf(node)) && getComputedStyle(node).overflow !== 'visible') return true;
  return false;
}

/**
 * What the browser does for a click on an element or on a part of it: the nearest element around it with an activation
 * behaviour decides (DOM, section 2.9), whatever its role. A label acts for its control.
 */
export function defaultActionOf(hit: Element): DefaultAction | undefined {
  for (const element of elementsPressed(hit)) {
    const activated = element instanceof HTMLLabelElement ? (element.control ?? element) : element;
    if (activated instanceof HTMLButtonElement || activated instanceof HTMLInputElement)
      return actionOfButton(activated);
    if (
      activated instanceof HTMLAnchorElement ||
      activated instanceof HTMLAreaElement ||
      activated instanceof SVGAElement
    ) {
      const url = activated instanceof SVGAElement ? activated.href.baseVal : getAttribute(activated, 'href');
      if (url) return hasAttribute(activated, 'download') || isFileUrl(url) ? 'download' : undefined;
    }
  }
  return undefined;
}

const SENDING_TYPES = new Set(['submit', 'image']);

function actionOfButton({ form, type }: HTMLButtonElement | HTMLInputElement): DefaultAction | undefined {
  if (type === 'file') return 'upload';
  return form !== null && SENDING_TYPES.has(type) ? 'submit' : undefined;
}

const ACTIVATED = 'a, area, button, input, label';

/** As {@link defaultActionOf}, for captures: what is around a shadow tree is left to the press. */
export function listedActionOf(element: Element): DefaultAction | undefined {
  return closest(element, ACTIVATED) === null ? undefined : defaultActionOf(element);
}
