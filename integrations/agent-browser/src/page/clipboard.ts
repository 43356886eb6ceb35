import { isMasked, isTextInput, isTextMasked } from './control.js';
import { deepActiveElement } from './emitter.js';
import { identityOf } from './identity.js';
import type { ElementIds } from './refs.js';
import type { CopyAnswer, PasteAnswer } from './text-protocol.js';

/** Copies what is selected in an element, else all of it. The page's own handlers have their say, as when a person copies. */
export function copyFrom(element: Element): CopyAnswer {
  if (isMasked(element) || hasMaskedText(element)) return { text: '', masked: true };
  const text = isTextInput(element) ? fieldText(element) : elementText(element);
  const clipboardData = new DataTransfer();
  const event = new ClipboardEvent('copy', { bubbles: true, cancelable: true, composed: true, clipboardData });
  const isLeft = element.dispatchEvent(event);
  return { text: isLeft ? text : clipboardData.getData('text/plain') };
}

/** Tells what has the focus that text is pasted. What a handler prevents, it has done itself. */
export function pasteInto(ids: ElementIds, text: string): PasteAnswer {
  const active = deepActiveElement();
  const focused = active ?? document.body ?? document.documentElement;
  if (focused instanceof HTMLIFrameElement) {
    const id = ids.idOf(focused);
    ids.rememberContainer(focused, id);
    return { taken: false, oneLine: false, frame: { doc: ids.doc, id } };
  }
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, composed: true, clipboardData });
  const taken = !focused.dispatchEvent(event);
  // A handler may have moved the focus to a field, for the text to go there.
  const into = deepActiveElement() ?? document.body;
  if (!taken && !mayTakeText(into)) {
    const { role, name } = active === null ? {} : identityOf(active);
    return { taken, oneLine: false, nowhere: { ...(role !== undefined && { holder: { role, name: name ?? '' } }) } };
  }
  return { taken, oneLine: into instanceof HTMLInputElement };
}

/** What a custom element holds in a closed shadow tree is seen from inside alone. */
function mayTakeText(element: Element | null): boolean {
  if (element === null) return false;
  if (isTextInput(element)) return !element.readOnly && !element.disabled;
  if (element instanceof HTMLElement && element.isContentEditable) return true;
  return element.localName.includes('-') && element.shadowRoot === null;
}

function hasMaskedText(element: Element): boolean {
  const all = [element, ...element.querySelectorAll('*')];
  return all.some(each => each.childElementCount < each.childNodes.length && isTextMasked(getComputedStyle(each)));
}

function fieldText(field: HTMLInputElement | HTMLTextAreaElement): string {
  const { value, selectionStart, selectionEnd } = field;
  if (selectionStart !== null && selectionEnd !== null && selectionStart < selectionEnd)
    return value.slice(selectionStart, selectionEnd);
  field.select();
  return value;
}

/** Text as it would be pasted elsewhere: selected first, for handlers ask what is selected. */
function elementText(element: Element): string {
  const selection = document.getSelection();
  if (selection === null) return element.textContent ?? '';
  if (selection.isCollapsed || !selection.containsNode(element, true)) {
    selection.selectAllChildren(element);
    // biome-ignore lint/performance/useDomNodeTextContent: line breaks count, and only innerText has them.
    return selection.toString() || (element instanceof HTMLElement ? element.innerText : '');
  }
  return selection.toString();
}
