import { deedOf } from '../act/deed.js';
import { getAttribute } from '../dom.js';
import type { ElementNow } from '../element-now.js';
import type { RawProps } from '../protocol.js';
import { controlKind, popupOf, propsOf, takenBy, VALUE_LIMIT } from '../role-and-name/control.js';
import { hiddenText, hintOf } from '../role-and-name/hint.js';
import { isNameless } from '../role-and-name/hint-words.js';
import { isEditingHost } from '../role-and-name/interactive.js';
import { shownValue } from '../role-and-name/name.js';
import { CONTENT_NAMED_ROLES } from './emit.js';

/** A combobox around one of these holds what that holds. */
const TEXT_FIELDS = 'input:not([type="hidden" i]), textarea, [contenteditable], [role="textbox"], [role="searchbox"]';

/** What else is told of a widget. @param control What holds its value and states: a label stands for its hidden control. */
export function widgetProps(
  element: Element,
  control: Element,
  { tag, told }: { tag: string; told: ElementNow },
): RawProps {
  const { role } = told;
  const props: RawProps = propsOf(element, role) ?? {};
  props.tag = tag.toLowerCase();
  const kind = controlKind(control);
  if (role === 'combobox' && kind === 'other' && element.querySelector(TEXT_FIELDS) === null) {
    const value = shownValue(element, role).slice(0, VALUE_LIMIT);
    if (value !== '') props.value = value;
  }
  if (kind === 'text' && isEditingHost(element)) props.editable = true;
  if (kind === 'select' || kind === 'file') props.kind = kind;
  const does = deedOf(element);
  if (does !== undefined) props.does = does;
  const popup = popupOf(element, role);
  if (popup !== undefined) props.popup = popup;
  const domId = getAttribute(element, 'id');
  if (domId) props.domId = domId;
  noteWords(props, element, control, told);
  return props;
}

/** Controls that have their label beside them. */
const FIELD_KINDS = new Set(['text', 'select', 'file', 'toggle']);
const FIELD_ROLES = new Set(['combobox', 'searchbox', 'slider', 'spinbutton', 'textbox']);
/** Their number does not say what it is a number of. */
const NUMBER_ROLES = new Set(['slider', 'spinbutton']);

/** Whether a name says what its field takes. */
function said(name: string, takes: string): boolean {
  return name.toLowerCase().includes(takes);
}

/** Adds the words that help to tell a control whose name does not. */
function noteWords(props: RawProps, element: Element, control: Element, { role, name }: ElementNow): void {
  if (isNameless(name)) {
    const isField = FIELD_ROLES.has(role) || FIELD_KINDS.has(controlKind(control));
    const value = NUMBER_ROLES.has(role) ? undefined : props.value;
    const hint = role === 'iframe' ? '' : hintOf(element, { isField, value });
    if (hint !== '') props.hint = hint;
  } else if (CONTENT_NAMED_ROLES.has(role)) {
    const text = hiddenText(element, name);
    if (text !== '') props.text = text;
  }
  const takes = takenBy(control);
  if (takes !== '' && !(takes === 'email' ? /mail/i.test(name || (props.hint ?? '')) : said(name, takes)))
    props.takes = takes;
}
