import { holdsSecret, isMasked, isTextInput, isTextMasked } from './control.js';
import { deepActiveElement } from './emit.js';
import { type ElementIds, identityOf } from './identity.js';
import { singleSpaced } from './line-breaks.js';
import { isReadOnly } from './probe.js';
import type { ClipboardKeysAnswer, CopyAnswer, FocusedFrame, PasteAnswer, SelectionNow } from './protocol.js';

/** Decorations, backgrounds and shifts of a text come from elements this far around it. */
const STYLE_DEPTH = 8;
const BOLD = 600;

/** How the text of an element looks, in words that a reader of the page would use: `bold`, `underlined`, `red text`. */
export function textLook(element: Element): string[] {
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

/**
 * The text styles of the inline elements around a text, for these are not inherited (CSS Text Decoration, section 2).
 */
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

/** Longest selection that is told. */
const SELECTION_LIMIT = 100;

/** The selection of this document and its look; undefined for none, and for text that nobody may read. */
export function selectionNow(): SelectionNow | undefined {
  const active = deepActiveElement();
  if (active !== null && isTextInput(active)) {
    const text = isHiddenSelection(active) ? '' : selectedIn(active);
    return text.trim() === '' ? undefined : { text: singleSpaced(text).slice(0, SELECTION_LIMIT), look: [] };
  }
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || isHiddenSelection(active ?? document.body)) return undefined;
  const text = singleSpaced(selection.toString()).slice(0, SELECTION_LIMIT);
  const element = firstSelected(selection.getRangeAt(0));
  return text === '' || element === undefined ? undefined : { text, look: textLook(element) };
}

/** Whether what is selected is a password, a secret, or shown as dots. `element` is what has the focus. */
function isHiddenSelection(element: Element): boolean {
  return isMasked(element) || holdsSecret(element) || isMaskedAround(document.getSelection());
}

function selectedIn({ value, selectionStart, selectionEnd }: HTMLInputElement | HTMLTextAreaElement): string {
  return value.slice(selectionStart ?? 0, selectionEnd ?? 0);
}

function hasMaskedText(element: Element): boolean {
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

/** Copies what is selected in an element, else all of it. The page's own handlers have their say, as when a person copies. */
export function copyFrom(element: Element): CopyAnswer {
  if (isMasked(element) || holdsSecret(element) || hasMaskedText(element)) return { text: '', masked: true };
  const text = isTextInput(element) ? selectedFieldText(element) : selectedText(element);
  return { text: offeredByPage('copy', element) ?? text };
}

/** Copies or cuts what is selected where the focus is, as the keys do. */
function copySelection(deed: 'copy' | 'cut'): CopyAnswer {
  const element = focused();
  if (isHiddenSelection(element)) return { text: '', masked: true };
  const text = isTextInput(element) ? selectedIn(element) : String(document.getSelection() ?? '');
  const own = offeredByPage(deed, element);
  if (own !== undefined) return { text: own };
  if (deed === 'cut' && text !== '' && !isReadOnly(element)) document.execCommand('delete');
  return { text };
}

/** Tells what has the focus that text is pasted. What a handler prevents, it has done itself. */
export function pasteInto(ids: ElementIds, text: string): PasteAnswer {
  const target = focused();
  const { frame } = focusedFrame(ids);
  if (frame !== undefined) return { taken: false, oneLine: false, frame };
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, composed: true, clipboardData });
  const taken = !target.dispatchEvent(event);
  // A handler may have moved the focus to a field, for the text to go there.
  const into = focused();
  if (taken || mayTakeText(into)) return { taken, oneLine: into instanceof HTMLInputElement };
  const active = deepActiveElement();
  const { role, name } = active === null ? {} : identityOf(active);
  return { taken, oneLine: false, nowhere: { ...(role !== undefined && { holder: { role, name: name ?? '' } }) } };
}

/** Only code inside a closed shadow tree sees what a custom element holds there. */
function mayTakeText(element: Element): boolean {
  if (isTextInput(element)) return !element.readOnly && !element.disabled;
  if (element instanceof HTMLElement && element.isContentEditable) return true;
  return element.localName.includes('-') && element.shadowRoot === null;
}

/** The frame of this document that has the focus; none where the document has it itself. */
function focusedFrame(ids: ElementIds): FocusedFrame {
  const element = focused();
  if (!(element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement)) return {};
  const id = ids.idOf(element);
  ids.rememberContainer(element, id);
  return { frame: { doc: ids.doc, id } };
}

export type ClipboardKeysRequest = { deed: 'copy' | 'cut' } | { deed: 'paste'; text: string };

/** Sees what a document makes of the keys that copy, cut or paste, which the browser itself makes nothing of. */
export class ClipboardKeys {
  #isAwaited = false;
  #isPrevented = (): boolean => false;

  /** Answers with the frame of this document that takes the keys. */
  await(ids: ElementIds): FocusedFrame {
    this.#isAwaited = true;
    this.#isPrevented = () => false;
    const onKey = (event: KeyboardEvent): void => {
      if (event.isTrusted) this.#isPrevented = () => event.defaultPrevented;
    };
    window.addEventListener('keydown', onKey, { capture: true, once: true });
    return focusedFrame(ids);
  }

  /** Does what they mean, once: a page that prevents them means something else by them. */
  done(ids: ElementIds, request: ClipboardKeysRequest): ClipboardKeysAnswer {
    const areTaken = !this.#isAwaited || this.#isPrevented();
    this.#isAwaited = false;
    if (areTaken) return { areTaken };
    return request.deed === 'paste'
      ? { pasted: pasteInto(ids, request.text) }
      : { copied: copySelection(request.deed) };
  }
}

function focused(): Element {
  return deepActiveElement() ?? document.body ?? document.documentElement;
}

/** The clipboard content that a handler of the page sets; undefined where it leaves that to the browser. */
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

/** Text as it would be pasted elsewhere: selected first, for handlers ask what is selected. */
function selectedText(element: Element): string {
  const selection = document.getSelection();
  if (selection === null) return element.textContent ?? '';
  if (selection.isCollapsed || !selection.containsNode(element, true)) {
    selection.selectAllChildren(element);
    // biome-ignore lint/performance/useDomNodeTextContent: line breaks count, and only innerText has them.
    return selection.toString() || (element instanceof HTMLElement ? element.innerText : '');
  }
  return selection.toString();
}
