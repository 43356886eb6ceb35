import type { ElementNow } from '../element-now.js';
import type { RawProps } from '../protocol.js';
import { controlKind, takenBy } from '../role-and-name/control.js';
import { hiddenText, hintOf, isNameless } from '../role-and-name/hint.js';
import { CONTENT_NAMED_ROLES } from './emit.js';

/** Controls that have their label beside them. */
const FIELD_KINDS = new Set(['text', 'select', 'file', 'toggle']);

/** Whether a name says what its field takes. */
function said(name: string, takes: string): boolean {
  return name.toLowerCase().includes(takes);
}

/** What helps to tell a control whose name does not. */
export function noteWords(props: RawProps, element: Element, control: Element, { role, name }: ElementNow): void {
  if (isNameless(name)) {
    const hint =
      role === 'iframe' ? '' : hintOf(element, { isField: FIELD_KINDS.has(controlKind(control)), value: props.value });
    if (hint !== '') props.hint = hint;
  } else if (CONTENT_NAMED_ROLES.has(role)) {
    const text = hiddenText(element, name);
    if (text !== '') props.text = text;
  }
  const takes = takenBy(control);
  if (takes !== '' && !(takes === 'email' ? /mail/i.test(name || (props.hint ?? '')) : said(name, takes)))
    props.takes = takes;
}
