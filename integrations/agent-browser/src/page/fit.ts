import { controlKind } from './control.js';
import { getAttribute } from './dom.js';
import type { Purpose } from './protocol.js';

/** Whether an element can take what an action is about to do. */
export function isFit(element: Element, purpose: Purpose): boolean {
  const kind = controlKind(element);
  switch (purpose.to) {
    case 'click':
      return kind !== 'file' && !(element instanceof HTMLSelectElement && !element.multiple && element.size <= 1);
    case 'type':
      return kind === 'text' && !isReadOnly(element);
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

function hasOptions(select: HTMLSelectElement, wanted: Extract<Purpose, { to: 'select' }>): boolean {
  const { values, labels, indexes } = wanted;
  const usable = Array.from(select.options, option => (isUsable(option) ? option : undefined));
  const has = (matches: (option: HTMLOptionElement) => boolean): boolean =>
    usable.some(option => option !== undefined && matches(option));
  if (values?.some(value => !has(option => option.value === value))) return false;
  if (labels?.some(label => !has(option => option.label.trim() === label.trim()))) return false;
  if (indexes?.some(index => usable[index] === undefined)) return false;
  const count = (values ?? labels ?? indexes ?? []).length;
  return select.multiple || count <= 1;
}

function isUsable(option: HTMLOptionElement): boolean {
  return !option.disabled && !(option.parentElement instanceof HTMLOptGroupElement && option.parentElement.disabled);
}
