import type { SelectionNow } from '../answers.js';
import { isMasked, isTextInput, isTextMasked } from '../role-and-name/control.js';
import { holdsSecret } from '../secrets/secret-fields.js';
import { deepActiveElement } from '../walk/emitter.js';
import { textLook } from './text-look.js';

/** Longest selection that is told. */
const TEXT_LIMIT = 100;

/** The selection of this document and its look; undefined for none, and for text that nobody may read. */
export function selectionNow(): SelectionNow | undefined {
  const active = deepActiveElement();
  if (active !== null && isTextInput(active)) {
    const text = isHiddenSelection(active) ? '' : selectedIn(active);
    return text.trim() === '' ? undefined : { text: tidy(text), look: [] };
  }
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || isHiddenSelection(active ?? document.body)) return undefined;
  const text = tidy(selection.toString());
  const element = firstSelected(selection.getRangeAt(0));
  return text === '' || element === undefined ? undefined : { text, look: textLook(element) };
}

/** Whether what is selected is a password, a secret, or shown as dots. `element` is what has the focus. */
export function isHiddenSelection(element: Element): boolean {
  return isMasked(element) || holdsSecret(element) || isMaskedAround(document.getSelection());
}

export function selectedIn({ value, selectionStart, selectionEnd }: HTMLInputElement | HTMLTextAreaElement): string {
  return value.slice(selectionStart ?? 0, selectionEnd ?? 0);
}

export function hasMaskedText(element: Element): boolean {
  const all = [element, ...element.querySelectorAll('*')];
  return all.some(each => each.childElementCount < each.childNodes.length && isTextMasked(getComputedStyle(each)));
}

function isMaskedAround(selection: Selection | null): boolean {
  if (selection === null || selection.isCollapsed) return false;
  const around = selection.getRangeAt(0).commonAncestorContainer;
  const element = around instanceof Element ? around : around.parentElement;
  return element !== null && hasMaskedText(element);
}

/** The element of the first text of which something is selected. */
function firstSelected(range: Range): Element | undefined {
  const { commonAncestorContainer: around, startContainer, startOffset } = range;
  if (around.nodeType === Node.TEXT_NODE) return around.parentElement ?? undefined;
  const texts = document.createTreeWalker(around, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode() as Text | null; text !== null; text = texts.nextNode() as Text | null) {
    const isBehind = text === startContainer && startOffset >= text.length;
    if (!isBehind && text.length > 0 && range.intersectsNode(text)) return text.parentElement ?? undefined;
  }
  return undefined;
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, TEXT_LIMIT);
}
