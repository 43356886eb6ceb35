import { controlKind } from './control.js';
import {
  boxOf,
  checkVisibility,
  getAttribute,
  hasAttribute,
  hasEditContext,
  parentInFlatTree,
  shadowRoot,
} from './dom.js';
import { deepActiveElement } from './emit.js';
import { isWithin } from './hit-test.js';
import { identityOf } from './identity.js';
import type { EntryAnswer, FocusAnswer, Purpose, WantedOptions } from './protocol.js';

/** A box of fewer pixels in one direction shows nothing of a text. */
const LEAST = 5;

/**
 * Whether an element is where an editor takes what is typed, to show it elsewhere: it has an EditContext, or is a text area
 * that nobody sees. One with a name is a field of a form (HTML: what has none is not sent).
 */
export function isEditorInputProxy(element: Element): boolean {
  if (hasEditContext(element)) return true;
  if (!(element instanceof HTMLTextAreaElement) || hasAttribute(element, 'name')) return false;
  return getComputedStyle(element).opacity === '0' || isThin(element) || isCutOff(element);
}

function isCutOff(element: Element): boolean {
  const parent = parentInFlatTree(element);
  return parent instanceof Element && isThin(parent) && getComputedStyle(parent).overflow !== 'visible';
}

function isThin(element: Element): boolean {
  const { width, height } = boxOf(element);
  return width < LEAST || height < LEAST;
}

/** Where the keyboard focus is, seen from a field. */
export function focusOf(field: Element): FocusAnswer {
  // Keys of a document that has lost the focus go to the document around it.
  if (!document.hasFocus()) return { is: 'elsewhere' };
  const active = activeIn(field);
  if (active === null) return { is: 'elsewhere' };
  if (isWithin(active, field) || (isEditable(active) && isWithin(field, active))) return { is: 'here' };
  const { role, name } = identityOf(active);
  return { is: isOpenedBy(field, active) || isInFormOf(field, active) ? 'near' : 'elsewhere', holder: { role, name } };
}

/** A closed shadow tree around the field is seen from inside alone. */
function activeIn(field: Element): Element | null {
  const root = field.getRootNode();
  const inner = root instanceof ShadowRoot ? root.activeElement : null;
  return inner !== null && isWithin(inner, field) ? inner : deepActiveElement();
}

function isEditable(element: Element): boolean {
  return element instanceof HTMLElement && element.isContentEditable;
}

/** WAI-ARIA 1.2: aria-controls and aria-owns name what a field opens. */
function isOpenedBy(field: Element, active: Element): boolean {
  const ids = `${getAttribute(field, 'aria-controls') ?? ''} ${getAttribute(field, 'aria-owns') ?? ''}`;
  return ids.split(/\s+/).some(id => {
    const opened = id === '' ? null : (field.getRootNode() as Document | ShadowRoot).getElementById(id);
    return opened !== null && isWithin(active, opened);
  });
}

const BUTTON_INPUT_TYPES = new Set(['button', 'submit', 'reset', 'image', 'checkbox', 'radio', 'file', 'color']);

/** A code that is typed into a row of fields: Enter in the last of them sends the same form. */
function isInFormOf(field: Element, active: Element): boolean {
  if (!(field instanceof HTMLInputElement && active instanceof HTMLInputElement)) return false;
  return field.form !== null && field.form === active.form && !BUTTON_INPUT_TYPES.has(active.type);
}

/** Whether an element can take what an action is about to do. */
export function isFit(element: Element, purpose: Purpose): boolean {
  switch (purpose.to) {
    case 'click':
      return controlKind(element) !== 'file' && !isDropDownElement(element);
    case 'focus':
      return takesFocus(element);
    case 'type':
      return takesText(element, purpose.numeric) && !isReadOnly(element);
    case 'upload':
      return controlKind(element) === 'file';
    case 'select':
      return element instanceof HTMLSelectElement && hasOptions(element, purpose);
  }
}

export function isReadOnly(element: Element): boolean {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    if (element.readOnly) return true;
  }
  return getAttribute(element, 'aria-readonly') === 'true';
}

/** Chromium shows its options outside of the page, where no click reaches. */
function isDropDownElement(element: Element): boolean {
  return element instanceof HTMLSelectElement && !element.multiple && element.size <= 1;
}

function takesText(element: Element, numeric: boolean): boolean {
  if (!(element instanceof HTMLInputElement)) return controlKind(element) === 'text';
  if (element.type === 'number' || element.type === 'range') return numeric;
  return controlKind(element) === 'text';
}

/** The only way to know is to try. */
function takesFocus(element: Element): boolean {
  (element as HTMLElement).focus({ preventScroll: true });
  let active = (element.getRootNode() as Document | ShadowRoot).activeElement;
  while (active !== null && active !== element) {
    // A host that delegates its focus has it when something inside has it.
    if (!element.contains(active) && shadowRoot(element) === null) return false;
    active = shadowRoot(active)?.activeElement ?? null;
  }
  return active === element;
}

/** Fields that text replaces as a whole when all of it is selected. */
const PLAIN_INPUTS = new Set(['text', 'search', 'email', 'url', 'tel', 'password', 'number']);

/**
 * Gives a field of text the focus and selects all that it holds, so that what is typed next takes its place. Undefined
 * when the field does not keep the focus.
 */
export function selectAll(element: Element): EntryAnswer | undefined {
  const isPlain =
    element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && PLAIN_INPUTS.has(element.type));
  const isEditable = element instanceof HTMLElement && (element.isContentEditable || hasEditContext(element));
  if (!isPlain && !isEditable) return 'whole';
  if (!checkVisibility(element, { visibilityProperty: true })) return 'unseen';
  const isHeld = focusOf(element).is === 'here';
  element.focus();
  if (focusOf(element).is !== 'here') return undefined;
  if (isPlain) element.select();
  else if (!hasEditContext(element)) document.getSelection()?.selectAllChildren(element);
  if (isEditorInputProxy(element)) return 'sink';
  return isHeld ? 'held' : 'ready';
}

/** Puts the caret behind what a field holds, whatever kind of field it is. */
export function placeCaretAtEnd(element: Element): void {
  (element as HTMLElement).focus({ preventScroll: true });
  // Fields of type email or number know no selection range, but the selection moves in them all the same.
  document.getSelection()?.modify('move', 'forward', 'documentboundary');
}

function hasOptions(select: HTMLSelectElement, wanted: Extract<Purpose, { to: 'select' }>): boolean {
  const { values, labels, indexes } = wanted;
  const usable = Array.from(select.options, option => (isUsable(option) ? option : undefined));
  const has = (matches: (option: HTMLOptionElement) => boolean): boolean =>
    usable.some(option => option !== undefined && matches(option));
  if (values?.some(value => !has(option => option.value === value))) return false;
  if (labels?.some(label => !has(option => tidy(option.label) === tidy(label)))) return false;
  if (indexes?.some(index => usable[index] === undefined)) return false;
  const count = (values ?? labels ?? indexes ?? []).length;
  return select.multiple || count <= 1;
}

function isUsable(option: HTMLOptionElement): boolean {
  return !option.disabled && !(option.parentElement instanceof HTMLOptGroupElement && option.parentElement.disabled);
}

function tidy(label: string): string {
  return label.replace(/\s+/g, ' ').trim();
}

/** Selects options of a drop-down or list box, and tells the page as Chromium does when a person selects them. */
export function choose(select: HTMLSelectElement, { values, labels, indexes }: WantedOptions): void {
  const options = Array.from(select.options);
  const wanted = new Set(
    values?.map(value => options.find(option => option.value === value)) ??
      labels?.map(label => options.find(option => tidy(option.label) === tidy(label))) ??
      indexes?.map(index => options[index]),
  );
  for (const option of options) option.selected = wanted.has(option);
  select.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  select.dispatchEvent(new Event('change', { bubbles: true }));
}
