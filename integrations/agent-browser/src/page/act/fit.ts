import type { EntryAnswer } from '../answers.js';
import { checkVisibility, getAttribute, hasEditContext, shadowRoot } from '../dom.js';
import type { Purpose } from '../protocol.js';
import { controlKind } from '../role-and-name/control.js';
import { focusOf } from './focus.js';
import { isSink } from './sink.js';

/** Whether an element can take what an action is about to do. */
export function isFit(element: Element, purpose: Purpose): boolean {
  switch (purpose.to) {
    case 'click':
      return controlKind(element) !== 'file' && !isDropDown(element);
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
function isDropDown(element: Element): boolean {
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
  if (isSink(element)) return 'sink';
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

export function tidy(label: string): string {
  return label.replace(/\s+/g, ' ').trim();
}
