import { inOneLine } from '../line-breaks.js';
import { controlValue } from '../role-and-name/control.js';
import type { SecretText } from '../secret-protocol.js';
import { hold } from '../secrets/secret-fields.js';
import { deepActiveElement } from '../walk/emitter.js';
import { selectAll } from './fit.js';

/** Inputs whose value is no text that is typed: they take a whole one or none. */
const WHOLE_VALUE = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range']);

export interface Insertion {
  text: string;
  secrets: readonly SecretText[];
  /** The caret stands behind what the field holds, and nothing of it is to go. */
  append: boolean;
  /** Character by character, wherever the page moves the focus in this document. */
  slowly: boolean;
}

/**
 * Puts text into a field of this document, in one go: no key goes by way of the browser's focus, which another document
 * can take at any moment. Returns whether it went in.
 */
export function insertText(field: HTMLElement, { text, secrets, append, slowly }: Insertion): boolean {
  if (field instanceof HTMLInputElement && WHOLE_VALUE.has(field.type)) return setWhole(field, text, secrets);
  if (!append && !selectContents(field)) return false;
  if (!deepActiveElement()?.contains(field)) return false;
  hold(field, secrets);
  const before = controlValue(field);
  if (!slowly) return insertAtCaret(text) || controlValue(field) !== before;
  return Array.from(text).every(letter => strike(letter, secrets));
}

function selectContents(field: HTMLElement): boolean {
  if (selectAll(field)) return true;
  if (!field.isContentEditable) return false;
  field.focus();
  document.getSelection()?.selectAllChildren(field);
  return true;
}

function insertAtCaret(text: string): boolean {
  const fitting = deepActiveElement() instanceof HTMLInputElement ? inOneLine(text) : text;
  return fitting === '' || document.execCommand('insertText', false, fitting);
}

function strike(letter: string, secrets: readonly SecretText[]): boolean {
  const target = deepActiveElement();
  if (!(target instanceof HTMLElement)) return false;
  hold(target, secrets);
  const init = { key: letter, bubbles: true, cancelable: true, composed: true };
  const goesOn = target.dispatchEvent(new KeyboardEvent('keydown', init));
  const isIn = goesOn && insertAtCaret(letter);
  target.dispatchEvent(new KeyboardEvent('keyup', init));
  return isIn;
}

function setWhole(field: HTMLInputElement, text: string, secrets: readonly SecretText[]): boolean {
  const before = field.value;
  field.value = text;
  if (field.value !== text) {
    field.value = before;
    return false;
  }
  hold(field, secrets);
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
}
