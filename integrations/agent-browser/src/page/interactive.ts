import { boxOf, checkVisibility, getAttribute, getAttributeNames, hasAttribute, objectDocument } from './dom.js';
import { isFileUrl } from './hint-words.js';
import { isReachable } from './visibility.js';

/** Roles of widgets that a person acts on (WAI-ARIA 1.2, section 5.3.2). */
const WIDGET_ROLES = new Set([
  'button',
  'checkbox',
  'combobox',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
  'treeitem',
]);

/** Elements that react to a person whatever their role. */
const WIDGET_TAGS = new Set(['BUTTON', 'SELECT', 'TEXTAREA', 'SUMMARY', 'IFRAME', 'FRAME']);

/** Attributes by which pages and frameworks declare a listener for a person's click. */
const LISTENER =
  /^(on(click|dblclick|mousedown|mouseup|pointerdown|pointerup|touchstart|touchend|keydown)|@click.*|v-on:click.*|ng-click|\(click\)|data-ng-click|x-on:click.*|hx-on:click)$/;

export function hasWidgetRole(element: Element, tag: string, role: string): boolean {
  if (WIDGET_ROLES.has(role)) return true;
  if (WIDGET_TAGS.has(tag)) return true;
  if (tag === 'INPUT') return (element as HTMLInputElement).type !== 'hidden';
  if (tag === 'AUDIO' || tag === 'VIDEO') return hasAttribute(element, 'controls');
  if (tag === 'OBJECT') return objectDocument(element) !== null;
  if (tag === 'LABEL') return hiddenControl(element) !== undefined;
  return isSelectable(element, role);
}

/**
 * Rows of a grid of which one at a time has the focus, and what says that it can be selected (WAI-ARIA 1.2: where
 * aria-selected is missing, it cannot).
 */
function isSelectable(element: Element, role: string): boolean {
  if (role === 'row') return hasAttribute(element, 'tabindex') || hasAttribute(element, 'aria-selected');
  return role === 'gridcell' && hasAttribute(element, 'aria-selected');
}

/** Attribute names seen so far, and whether they declare a listener: pages use few names, many times. */
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

type ReactionLookup = (element: Element, declares: boolean) => boolean;
let reacts: ReactionLookup = (_, declares) => declares;

/** Scripts cannot see listeners; who learnt of them another way says here whether a press of an element does something. */
export function lookUpReactionsWith(lookup: ReactionLookup): void {
  reacts = lookup;
}

/** Whether an element without a widget's role reacts: by tabindex, editing, dragging or a listener. */
export function isDeclaredClickable(element: Element): boolean {
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
  // Asked even so, for this finds the items of a list that listens for them.
  return reacts(element, declares) || takesFocus;
}

const HANDS = new Set(['pointer', 'grab', 'grabbing', 'move', 'zoom-in']);

/** Whether the mouse pointer tells a person that what is under it can be pressed or dragged. */
export function isHand(cursor: string): boolean {
  return HANDS.has(cursor);
}

export function isEditingHost(element: Element): boolean {
  const value = getAttribute(element, 'contenteditable');
  return value === '' || value === 'true' || value === 'plaintext-only';
}

/** Types of inputs that a press of their label presses. */
const PRESSED_BY_LABEL = new Set(['checkbox', 'radio', 'file']);

/** The checkbox, radio or file input that a page hides behind a styled label, which then is what a person clicks. */
export function hiddenControl(element: Element): HTMLInputElement | undefined {
  if (!(element instanceof HTMLLabelElement)) return undefined;
  const control = element.control;
  if (!(control instanceof HTMLInputElement) || !PRESSED_BY_LABEL.has(control.type)) return undefined;
  const box = boxOf(control);
  const isThere = isLarge(box) && isReachable(control, box, window) && !isCutAway(control, element);
  return isThere && checkVisibility(control, { visibilityProperty: true }) ? undefined : control;
}

/** Whether a label is told instead of a control that it holds and nobody sees. */
export function isToldByLabel(element: Element): boolean {
  if (!(element instanceof HTMLInputElement) || !PRESSED_BY_LABEL.has(element.type)) return false;
  return [...(element.labels ?? [])].some(label => isCutAway(element, label) && checkVisibility(label));
}

/** Whether a drop-down serves its form alone: nobody sees or presses it, for a widget of the page stands in its place. */
export function isToldByWidget(element: Element): boolean {
  if (!(element instanceof HTMLSelectElement) || checkVisibility(element, { opacityProperty: true })) return false;
  return getComputedStyle(element).pointerEvents === 'none';
}

/** Whether something around a control inside of its label leaves nothing of it to see. */
function isCutAway(control: Element, label: Element): boolean {
  for (let node = control.parentElement; node !== null && node !== label; node = node.parentElement)
    if (!isLarge(boxOf(node)) && getComputedStyle(node).overflow !== 'visible') return true;
  return false;
}

function isLarge({ width, height }: DOMRect): boolean {
  return width > 1 && height > 1;
}

/** The browser's own action when an element is pressed. */
export function defaultActionOf(element: Element): 'submit' | 'download' | undefined {
  if (element instanceof HTMLButtonElement)
    return element.type === 'submit' && element.form !== null ? 'submit' : undefined;
  if (element instanceof HTMLInputElement) return /^(?:submit|image)$/.test(element.type) ? 'submit' : undefined;
  if (!(element instanceof HTMLAnchorElement)) return undefined;
  return hasAttribute(element, 'download') || isFileUrl(getAttribute(element, 'href') ?? '') ? 'download' : undefined;
}
