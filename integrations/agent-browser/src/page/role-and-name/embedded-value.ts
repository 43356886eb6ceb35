import { getAttribute } from '../dom.js';
import { tagOf } from '../visibility/tree-scope.js';
import { fieldText, isMasked } from './control.js';
import { isBlank } from './name-text.js';
import { ownedBy } from './references.js';
import { roleOf } from './role.js';

/** The text of a control inside another element's name (AccName 1.2, step 2C). */
export type EmbeddedValue =
  | { kind: 'text'; text: string }
  /** Options to be read in turn. */
  | { kind: 'options'; options: readonly Element[] }
  /** The text inside the control, as of an editable `div`. */
  | { kind: 'content' };

const NOTHING: EmbeddedValue = { kind: 'text', text: '' };

/** Undefined when the role has no value, so that the element is named like any other. */
export function embeddedValueOf(element: Element, role: string): EmbeddedValue | undefined {
  switch (role) {
    case 'textbox':
    case 'searchbox':
      return fieldValue(element) ?? { kind: 'content' };
    case 'combobox':
    case 'listbox':
      return chosen(element, role);
    case 'progressbar':
    case 'scrollbar':
    case 'slider':
    case 'spinbutton':
    case 'meter':
      return rangeValue(element);
    case 'menu':
      return NOTHING;
    default:
      return undefined;
  }
}

/** A password is nobody's name. */
function fieldValue(element: Element): EmbeddedValue | undefined {
  const tag = tagOf(element);
  if (isMasked(element)) return NOTHING;
  return tag === 'textarea' || tag === 'input' ? { kind: 'text', text: fieldText(element) } : undefined;
}

function chosen(element: Element, role: string): EmbeddedValue {
  if (tagOf(element) === 'select')
    return { kind: 'options', options: [...(element as HTMLSelectElement).selectedOptions] };
  const listbox = role === 'listbox' ? element : findBelow(element, '[role]', 'listbox')[0];
  const options = listbox === undefined ? [] : findBelow(listbox, '[aria-selected="true" i]', 'option');
  if (options.length > 0) return { kind: 'options', options };
  // WAI-ARIA 1.2: a combobox that takes no text shows what was chosen as its own content.
  return fieldValue(element) ?? (role === 'combobox' ? { kind: 'content' } : NOTHING);
}

/** Elements of a role inside an element or what it owns. */
function findBelow(element: Element, selector: string, role: string): Element[] {
  const found: Element[] = [];
  for (const root of [element, ...ownedBy(element)]) {
    if (root !== element && root.matches(selector) && roleOf(root) === role) found.push(root);
    for (const candidate of root.querySelectorAll(selector)) if (roleOf(candidate) === role) found.push(candidate);
  }
  return found;
}

function rangeValue(element: Element): EmbeddedValue {
  const text = getAttribute(element, 'aria-valuetext') ?? getAttribute(element, 'aria-valuenow');
  if (!isBlank(text)) return { kind: 'text', text };
  return { kind: 'text', text: nativeValue(element) };
}

function nativeValue(element: Element): string {
  const tag = tagOf(element);
  if (tag === 'input') return fieldText(element);
  if (tag === 'meter') return String((element as HTMLMeterElement).value);
  if (tag !== 'progress') return '';
  const { position, value } = element as HTMLProgressElement;
  return position < 0 ? '' : String(value);
}
