import { deepActiveElement } from '../capture/emit.js';
import { isMasked, isTextInput, isTextMasked } from '../dom/control.js';
import { querySelectorAll, textContent } from '../dom/dom.js';
import { type ElementIds, identityOf } from '../identity/identity.js';
import { isReadOnly } from '../press/probe.js';
import type { ClipboardKeysAnswer, CopyAnswer, FocusedFrame, PasteAnswer, SelectionNow } from '../protocol.js';
import { heldSecrets } from '../secrets/held-secrets.js';
import { isEditorInputProxy } from '../visibility/visibility.js';
import { shortText } from './cut-text.js';
import { singleSpaced } from './line-breaks.js';

/** Ancestors whose text decoration, background and vertical shift apply to a text. */
const STYLE_DEPTH = 8;
const BOLD = 600;

/** Words for the text style of an element, such as `bold`, `underlined` or `rgb(255, 0, 0) text`. */
export function textStyle(element: Element): string[] {
  const own = getComputedStyle(element);
  const words = new Set<string>();
  if (Number(own.fontWeight) >= BOLD) words.add('bold');
  if (own.fontStyle !== 'normal') words.add('italic');
  addFromAround(element, words);
  words.add(`${own.color} text`);
  words.add(`${own.fontSize} high`);
  const block = blockAround(element);
  if (block !== undefined) words.add(`aligned to the ${getComputedStyle(block).textAlign}`);
  return [...words];
}

/** Adds the styles that inline ancestors apply to a text without inheritance (CSS Text Decoration, section 2). */
function addFromAround(element: Element, words: Set<string>): void {
  let at: Element | null = element;
  for (let level = 0; at !== null && level < STYLE_DEPTH; level++) {
    const { textDecorationLine, verticalAlign, backgroundColor, display } = getComputedStyle(at);
    if (textDecorationLine.includes('underline')) words.add('underlined');
    if (textDecorationLine.includes('line-through')) words.add('struck through');
    if (verticalAlign === 'super') words.add('superscript');
    if (verticalAlign === 'sub') words.add('subscript');
    if (!isClear(backgroundColor)) words.add(`on ${backgroundColor}`);
    if (!display.startsWith('inline')) return;
    at = at.parentElement;
  }
}

function blockAround(element: Element): Element | undefined {
  let at: Element | null = element;
  while (at !== null && getComputedStyle(at).display.startsWith('inline')) at = at.parentElement;
  return at ?? undefined;
}

function isClear(color: string): boolean {
  return color === 'transparent' || /^rgba\(.*, 0\)$/.test(color);
}

const SELECTION_LIMIT = 100;

/** The selection of this document and its style; undefined when it is empty, masked or contains a secret. */
export function selectionNow(): SelectionNow | undefined {
  const active = deepActiveElement();
  if (active !== null && isTextInput(active)) {
    const text = isHiddenSelection(active) ? '' : selectedIn(active);
    return text.trim() === '' ? undefined : { text: shortText(singleSpaced(text), SELECTION_LIMIT), style: [] };
  }
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || isHiddenSelection(active ?? document.body)) return undefined;
  const text = shortText(singleSpaced(selection.toString()), SELECTION_LIMIT);
  const element = firstSelected(selection.getRangeAt(0));
  return text === '' || element === undefined ? undefined : { text, style: textStyle(element) };
}

/** Whether the selection contains a password, a secret or masked text. `element` has the focus. */
function isHiddenSelection(element: Element): boolean {
  return isMasked(element) || heldSecrets.selectedPartOf(element).length > 0 || isMaskedAround(document.getSelection());
}

function selectedIn({ value, selectionStart, selectionEnd }: HTMLInputElement | HTMLTextAreaElement): string {
  return value.slice(selectionStart ?? 0, selectionEnd ?? 0);
}

function hasMaskedText(element: Element): boolean {
  const all = [element, ...querySelectorAll(element, '*')];
  return all.some(each => each.childElementCount < each.childNodes.length && isTextMasked(getComputedStyle(each)));
}

function isMaskedAround(selection: Selection | null): boolean {
  if (selection === null || selection.isCollapsed) return false;
  const around = selection.getRangeAt(0).commonAncestorContainer;
  const element = around instanceof Element ? around : around.parentElement;
  return element !== null && hasMaskedText(element);
}

/** The parent of the first text node that is partly selected. */
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

/** Copies the selection in an element, or all its text. Dispatches `copy`, so that the page's handlers run. */
export function copyFrom(element: Element): CopyAnswer {
  const isHidden = heldSecrets.namesIn(element) !== undefined || isHiddenSelection(element);
  if (isHidden || hasMaskedText(element)) return { text: '', masked: true };
  const text = isTextInput(element) ? selectedFieldText(element) : selectedText(element);
  return { text: offeredByPage('copy', element) ?? text };
}

/** Copies or cuts the selection at the focus, as the keyboard shortcuts do. */
function copySelection(command: 'copy' | 'cut'): CopyAnswer {
  const element = focused();
  if (isHiddenSelection(element)) return { text: '', masked: true };
  const text = isTextInput(element) ? selectedIn(element) : String(document.getSelection() ?? '');
  const own = offeredByPage(command, element);
  if (own !== undefined) return { text: own };
  if (command === 'cut' && text !== '' && !isReadOnly(element)) document.execCommand('delete');
  return { text };
}

/** Dispatches `paste` at the focus. A page that prevents it has inserted the text itself. */
export function pasteInto(ids: ElementIds, text: string): PasteAnswer {
  const target = focused();
  const { frame } = focusedFrame(ids);
  if (frame !== undefined) return { taken: false, oneLine: false, frame };
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, composed: true, clipboardData });
  let isStopped = true;
  const hear = (): void => {
    isStopped = false;
  };
  window.addEventListener('paste', hear);
  const isPrevented = !target.dispatchEvent(event);
  window.removeEventListener('paste', hear);
  // A field that passes its text on does so with a paste that it keeps to itself, as the one of a terminal.
  const taken = isPrevented || (isStopped && isEditorInputProxy(target));
  // A handler may have moved the focus to a field, for the text to go there.
  const into = focused();
  if (taken || mayTakeText(into)) return { taken, oneLine: into instanceof HTMLInputElement };
  const active = deepActiveElement();
  const { role, name } = active === null ? {} : identityOf(active);
  return { taken, oneLine: false, nowhere: { ...(role !== undefined && { holder: { role, name: name ?? '' } }) } };
}

/** Whether an element may take text. Only its own code sees a field in a custom element's closed shadow tree. */
function mayTakeText(element: Element): boolean {
  if (isTextInput(element)) return !element.readOnly && !element.disabled;
  if (element instanceof HTMLElement && element.isContentEditable) return true;
  return element.localName.includes('-') && element.shadowRoot === null;
}

/** The frame element that has the focus; empty when the document itself has it. */
function focusedFrame(ids: ElementIds): FocusedFrame {
  const element = focused();
  if (!(element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement)) return {};
  return { frame: { doc: ids.doc, id: ids.rememberContainer(element) } };
}

export type ClipboardKeysRequest = { command: 'copy' | 'cut' } | { command: 'paste'; text: string };

/** Performs the copy, cut and paste shortcuts unless the page handles them: the browser ignores these keys. */
export class ClipboardKeys {
  #isAwaited = false;
  #key: KeyboardEvent | undefined;

  /** Observes the next key. Returns the frame of this document that receives it. */
  await(ids: ElementIds): FocusedFrame {
    this.#isAwaited = true;
    this.#key = undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.isTrusted) this.#key = event;
    };
    window.addEventListener('keydown', onKey, { capture: true, once: true });
    return focusedFrame(ids);
  }

  /** Performs the shortcut once, unless the page prevented the key to do something else. */
  done(ids: ElementIds, request: ClipboardKeysRequest): ClipboardKeysAnswer {
    const areTaken = !this.#isAwaited || this.#key?.defaultPrevented === true;
    this.#isAwaited = false;
    if (areTaken) return { areTaken };
    return request.command === 'paste'
      ? { pasted: pasteInto(ids, request.text) }
      : { copied: copySelection(request.command) };
  }
}

function focused(): Element {
  return deepActiveElement() ?? document.body ?? document.documentElement;
}

/** The clipboard content that a handler of the page sets; undefined when it leaves that to the browser. */
function offeredByPage(type: 'copy' | 'cut', element: Element): string | undefined {
  const clipboardData = new DataTransfer();
  const event = new ClipboardEvent(type, { bubbles: true, cancelable: true, composed: true, clipboardData });
  return element.dispatchEvent(event) ? undefined : clipboardData.getData('text/plain');
}

function selectedFieldText(field: HTMLInputElement | HTMLTextAreaElement): string {
  const selected = selectedIn(field);
  if (selected !== '') return selected;
  field.select();
  return field.value;
}

/** The text as a paste would insert it. It is selected first, because handlers read the selection. */
function selectedText(element: Element): string {
  const selection = document.getSelection();
  if (selection === null) return textContent(element) ?? '';
  if (selection.isCollapsed || !selection.containsNode(element, true)) {
    selection.selectAllChildren(element);
    // biome-ignore lint/performance/useDomNodeTextContent: line breaks count, and only innerText has them.
    return selection.toString() || (element instanceof HTMLElement ? element.innerText : '');
  }
  return selection.toString();
}
