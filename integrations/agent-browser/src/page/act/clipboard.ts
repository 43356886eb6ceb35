import type { Request } from '../request-protocol.js';
import { isMasked, isTextInput } from '../role-and-name/control.js';
import { holdsSecret } from '../secrets/secret-fields.js';
import type { ClipboardKeysAnswer, CopyAnswer, FocusedFrame, PasteAnswer } from '../text-protocol.js';
import { deepActiveElement } from '../walk/emitter.js';
import { identityOf } from '../walk/identity.js';
import type { ElementIds } from '../walk/refs.js';
import { isReadOnly } from './fit.js';
import { hasMaskedText, isHiddenSelection, selectedIn } from './selection.js';

/** Copies what is selected in an element, else all of it. The page's own handlers have their say, as when a person copies. */
export function copyFrom(element: Element): CopyAnswer {
  if (isMasked(element) || holdsSecret(element) || hasMaskedText(element)) return { text: '', masked: true };
  const text = isTextInput(element) ? fieldText(element) : elementText(element);
  return { text: offered('copy', element) ?? text };
}

/** Copies or cuts what is selected where the focus is, as the keys do. */
function copySelection(deed: 'copy' | 'cut'): CopyAnswer {
  const element = focused();
  if (isHiddenSelection(element)) return { text: '', masked: true };
  const text = isTextInput(element) ? selectedIn(element) : String(document.getSelection() ?? '');
  const own = offered(deed, element);
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
  done(ids: ElementIds, request: Extract<Request, { do: 'clipboardKeys' }>): ClipboardKeysAnswer {
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
function offered(type: 'copy' | 'cut', element: Element): string | undefined {
  const clipboardData = new DataTransfer();
  const event = new ClipboardEvent(type, { bubbles: true, cancelable: true, composed: true, clipboardData });
  return element.dispatchEvent(event) ? undefined : clipboardData.getData('text/plain');
}

function fieldText(field: HTMLInputElement | HTMLTextAreaElement): string {
  const selected = selectedIn(field);
  if (selected !== '') return selected;
  field.select();
  return field.value;
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
