import type { FocusAnswer } from '../answers.js';
import { getAttribute } from '../dom.js';
import { isWithin } from '../visibility/cover.js';
import { deepActiveElement } from '../walk/emitter.js';
import { identityOf } from '../walk/identity.js';

/** Where the keyboard focus is, seen from a field. */
export function focusOf(field: Element): FocusAnswer {
  // Keys of a document that has lost the focus go to the document around it.
  if (!document.hasFocus()) return { is: 'elsewhere' };
  const active = activeIn(field);
  if (active === null) return { is: 'elsewhere' };
  if (isWithin(active, field) || (isEditable(active) && isWithin(field, active))) return { is: 'here' };
  const { role, name } = identityOf(active);
  return { is: isOpenedBy(field, active) || isInFormOf(field, active) ? 'near' : 'elsewhere', holder: { role, name } };
}

/** A closed shadow tree around the field is seen from inside alone. */
function activeIn(field: Element): Element | null {
  const root = field.getRootNode();
  const inner = root instanceof ShadowRoot ? root.activeElement : null;
  return inner !== null && isWithin(inner, field) ? inner : deepActiveElement();
}

function isEditable(element: Element): boolean {
  return element instanceof HTMLElement && element.isContentEditable;
}

/** WAI-ARIA 1.2: aria-controls and aria-owns name what a field opens. */
function isOpenedBy(field: Element, active: Element): boolean {
  const ids = `${getAttribute(field, 'aria-controls') ?? ''} ${getAttribute(field, 'aria-owns') ?? ''}`;
  return ids.split(/\s+/).some(id => {
    const opened = id === '' ? null : (field.getRootNode() as Document | ShadowRoot).getElementById(id);
    return opened !== null && isWithin(active, opened);
  });
}

const BUTTONS = new Set(['button', 'submit', 'reset', 'image', 'checkbox', 'radio', 'file', 'color']);

/** A code that is typed into a row of fields: Enter in the last of them sends the same form. */
function isInFormOf(field: Element, active: Element): boolean {
  if (!(field instanceof HTMLInputElement && active instanceof HTMLInputElement)) return false;
  return field.form !== null && field.form === active.form && !BUTTONS.has(active.type);
}
