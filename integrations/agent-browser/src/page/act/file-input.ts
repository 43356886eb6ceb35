import { boxOf, getAttribute, hasAttribute } from '../dom.js';
import { isDisabled, isTextInput } from '../role-and-name/control.js';
import { topmostAt } from '../visibility/cover.js';
import type { FileField } from './file-field.js';

/** The file input that an element stands for: itself, its label's, the only one inside it, or the one that lies over it unseen. */
export function fileInputOf(element: Element): HTMLInputElement | undefined {
  if (isFileInput(element)) return element;
  if (element instanceof HTMLLabelElement && isFileInput(element.control)) return element.control;
  if (isTextInput(element) || element instanceof HTMLSelectElement) return undefined;
  const inside = [...element.querySelectorAll('input')].filter(isFileInput);
  if (inside.length > 0) return inside.length === 1 ? inside[0] : undefined;
  const box = boxOf(element);
  const over = topmostAt(element, box.left + box.width / 2, box.top + box.height / 2);
  return isFileInput(over) ? over : undefined;
}

/** The types that a file input takes, and the files that it holds. */
export function fileFieldOf(element: Element): FileField | undefined {
  const input = fileInputOf(element);
  if (input === undefined) return undefined;
  return {
    accept: getAttribute(input, 'accept') ?? '',
    multiple: input.multiple,
    folder: hasAttribute(input, 'webkitdirectory'),
    disabled: isDisabled(input),
    files: Array.from(input.files ?? [], ({ name, size, type }) => ({ name, size, type })),
  };
}

function isFileInput(element: Element | null): element is HTMLInputElement {
  return element instanceof HTMLInputElement && element.type === 'file';
}

/**
 * Whether an element, or what it is in, takes files that are dropped on it: it says so by keeping a drag over it from
 * being refused (HTML, drag-and-drop processing model). Pages also do that for the whole document, lest a file that is
 * dropped beside takes their place; that does not count.
 */
export function takesDrops(element: Element): boolean {
  const data = new DataTransfer();
  data.items.add(new File([], 'file'));
  let outermost: Element = element;
  const drag = (type: string): DragEvent => {
    const event = new DragEvent(type, { bubbles: true, cancelable: true, composed: true, dataTransfer: data });
    element.dispatchEvent(event);
    return event;
  };
  for (const part of composedAncestors(element)) {
    if (part === document.body || part === document.documentElement) break;
    outermost = part;
  }
  let takes = false;
  const look = (event: Event): void => {
    takes = event.defaultPrevented;
  };
  drag('dragenter');
  outermost.addEventListener('dragover', look);
  drag('dragover');
  outermost.removeEventListener('dragover', look);
  drag('dragleave');
  return takes;
}

function* composedAncestors(element: Element): Generator<Element> {
  for (let node: Node | null = element; node !== null; ) {
    if (node instanceof Element) yield node;
    node = node instanceof ShadowRoot ? node.host : node.parentNode;
  }
}
