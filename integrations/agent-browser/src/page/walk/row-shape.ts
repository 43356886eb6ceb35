import { getAttribute, hasAttribute, parentNode, tagName } from '../dom.js';
import { isTextInput } from '../role-and-name/control.js';

const ROW_TAGS = new Set(['LI', 'TR', 'ARTICLE', 'OPTION', 'DT', 'DD']);
const ROW_ROLES = new Set(['row', 'listitem', 'article', 'option', 'treeitem', 'menuitem']);
/** Elements that stand beside others of their kind without being a row. */
const NEVER_ROWS = new Set(['TD', 'TH', 'BODY', 'HEAD', 'HTML', 'DIALOG', 'SLOT']);

const DIALOG_ROLES = new Set(['dialog', 'alertdialog']);
/** Their values are entered, by the page as well. */
const FIELD_ROLES = new Set(['textbox', 'searchbox', 'combobox', 'slider', 'spinbutton']);
const BUTTON_ROLES = new Set(['button', 'switch', 'checkbox']);

/** How much of their structure two rows share: parts come and go, such as an error or a badge. */
const ALIKE = 0.5;
/** The same for what says itself that it is a row. */
const DECLARED_ALIKE = 0.25;

/** An element that says itself that it is a row. */
export function isDeclaredRow(element: Element): boolean {
  if (ROW_TAGS.has(tagName(element))) return true;
  const role = getAttribute(element, 'role');
  return role !== null && ROW_ROLES.has(role);
}

export function canBeRow(element: Element): boolean {
  return !NEVER_ROWS.has(tagName(element)) && !DIALOG_ROLES.has(getAttribute(element, 'role') ?? '');
}

export function isField(element: Element, tag = tagName(element)): boolean {
  if (tag === 'SELECT' || tag === 'TEXTAREA') return true;
  if (tag === 'INPUT') return isTextInput(element) || getAttribute(element, 'type') === 'range';
  const editable = getAttribute(element, 'contenteditable');
  if (editable !== null && editable !== 'false') return true;
  return FIELD_ROLES.has(getAttribute(element, 'role') ?? '') || getAttribute(element, 'aria-haspopup') === 'listbox';
}

export function isButton(element: Element, tag: string): boolean {
  return tag === 'BUTTON' || tag === 'INPUT' || BUTTON_ROLES.has(getAttribute(element, 'role') ?? '');
}

/** Something to act on by itself. */
export function isControl(element: Element, tag: string): boolean {
  if (tag === 'A' || isButton(element, tag) || getAttribute(element, 'role') === 'option') return true;
  return tag === 'OPTION' || hasAttribute(element, 'tabindex') || getAttribute(element, 'draggable') === 'true';
}

/** Whether an element could be another row beside this one, as far as can be told without a look inside. */
export function isOfKind(element: Element, other: Element): boolean {
  return tagName(other) === tagName(element) && getAttribute(other, 'role') === getAttribute(element, 'role');
}

/** How a row is built. */
export interface RowShape {
  readonly element: Element;
  /** Ways down to its elements. */
  readonly shape: ReadonlySet<number>;
  /** Kinds of its fields. */
  readonly fields: ReadonlySet<string>;
}

/** Whether two rows are built alike: they have the same kinds of fields, and most of their structure in common. */
export function areAlike(row: RowShape, other: RowShape): boolean {
  if (row.fields.size !== other.fields.size || [...row.fields].some(kind => !other.fields.has(kind))) return false;
  let common = 0;
  for (const step of row.shape) if (other.shape.has(step)) common++;
  const share = (2 * common) / (row.shape.size + other.shape.size);
  return share >= (isDeclaredRow(row.element) ? DECLARED_ALIKE : ALIKE);
}

/** The element around another, out of shadow trees as well. */
export function holderOf(element: Element): Element | null {
  const parent = parentNode(element);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}
