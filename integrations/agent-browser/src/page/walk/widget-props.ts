import { deedOf } from '../act/deed.js';
import { getAttribute } from '../dom.js';
import type { ElementNow } from '../element-now.js';
import type { RawProps } from '../protocol.js';
import { controlKind, popupOf, propsOf } from '../role-and-name/control.js';
import { isEditingHost } from '../role-and-name/interactive.js';
import { noteWords } from './words.js';

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
