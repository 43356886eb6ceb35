import {
  checkVisibility,
  closest,
  firstElementChild,
  getAttribute,
  getAttributeNames,
  hasAttribute,
  hasEditContext,
  matches,
  nextElementSibling,
  parentNode,
  previousElementSibling,
  tagName,
} from './dom.js';
import { type ControlKind, Flag, type RawProps, type SecretText } from './protocol.js';

/**
 * The fields of this document that secrets were put into.
 * Invariant: what such a field holds is told whole, for the asker to take the secrets out, or as their names.
 */
const heldSecrets = new WeakMap<Element, readonly SecretText[]>();

/** Called before a text with secrets goes in, so that nothing can be read of it in between. */
export function rememberSecret(field: Element, secrets: readonly SecretText[]): void {
  heldSecrets.set(field, secrets);
}

/** Another text takes the place of all that the field holds. */
export function forgetSecret(field: Element): void {
  heldSecrets.delete(field);
}

/** How a field with secrets reads; undefined for any other. `value` is what is in it, `masked` whether it shows dots. */
function heldText(field: Element, value: string, masked: boolean): string | undefined {
  const secrets = heldSecrets.get(field);
  if (secrets === undefined || value === '') return undefined;
  return masked || !hasAll(value, secrets) ? secrets.map(({ name }) => `<secret>${name}</secret>`).join('') : undefined;
}

/** Whether a field has only parts of the secrets that were put into it, or a form of them that nobody would recognise. */
export function holdsPart(field: Element, value: string): boolean {
  const secrets = heldSecrets.get(field);
  return secrets !== undefined && !hasAll(value, secrets);
}

export function holdsSecret(field: Element): boolean {
  return heldSecrets.has(field);
}

function hasAll(value: string, secrets: readonly SecretText[]): boolean {
  const text = dense(value);
  return secrets.every(secret => text.includes(dense(secret.value)));
}

/** Fields of one line have no line breaks, and numbers are shown in groups. */
function dense(text: string): string {
  return text.replace(/\s+/g, '');
}

/** Longest value that is worth telling. */
export const CONTROL_VALUE_LIMIT = 300;
/** A list box of so many options shows them all, or nearly. */
const MOST_OPTIONS = 12;
const OPTION_NAMES_LIMIT = 60;
/** Says that there is a password without saying how long it is. */
export const MASK = '••••••••';

/** Inputs whose content is text that a person types. */
const TEXT_INPUTS = new Set([
  'text',
  'search',
  'email',
  'url',
  'tel',
  'password',
  'number',
  'date',
  'time',
  'datetime-local',
  'month',
  'week',
  'color',
]);

export function isTextInput(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
  return (
    element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && TEXT_INPUTS.has(element.type))
  );
}

/** The form of what a field takes (HTML, input types), where it is not any text. */
const FORMS: Record<string, string> = {
  password: 'password',
  email: 'email',
  date: 'date YYYY-MM-DD',
  time: 'time HH:MM',
  'datetime-local': 'datetime YYYY-MM-DDTHH:MM',
  month: 'month YYYY-MM',
  week: 'week YYYY-Www',
  color: 'color #rrggbb',
};

/** The format of a field's values; '' where the role says it, or any text will do. */
export function takenBy(element: Element): string {
  return element instanceof HTMLInputElement ? (FORMS[element.type] ?? '') : '';
}

const TOGGLE_ROLES = new Set(['checkbox', 'switch', 'radio', 'menuitemcheckbox', 'menuitemradio']);

export function controlKind(element: Element): ControlKind {
  if (element instanceof HTMLSelectElement) return 'select';
  if (isTextInput(element) || (element instanceof HTMLElement && element.isContentEditable)) return 'text';
  if (hasEditContext(element)) return 'text';
  if (element instanceof HTMLInputElement) {
    if (element.type === 'file') return 'file';
    if (element.type === 'checkbox' || element.type === 'radio') return 'toggle';
  }
  return TOGGLE_ROLES.has(getAttribute(element, 'role') ?? '') ? 'toggle' : 'other';
}

/** Whether a field shows dots for what it holds: a password, or text that the page makes look like one. */
export function isMasked(element: Element): boolean {
  if (isTextInput(element)) return element.type === 'password' || isTextMasked(getComputedStyle(element));
  return element instanceof HTMLElement && element.isContentEditable && isTextMasked(getComputedStyle(element));
}

/** Whether text of this style is shown as dots. */
export function isTextMasked(style: CSSStyleDeclaration): boolean {
  const shape = style.getPropertyValue('-webkit-text-security');
  return shape !== 'none' && shape !== '';
}

/** The text in a field, input or text area, as a person would see it; '' for what is neither. */
export function fieldText(element: Element): string {
  const { value } = element as Partial<HTMLInputElement>;
  if (typeof value !== 'string') return '';
  const masked = isMasked(element);
  return heldText(element, value, masked) ?? (value !== '' && masked ? MASK : value);
}

/** The value of a control as a person would see it, with secrets by their names. */
export function controlValue(element: Element): string {
  const value = plainValue(element);
  return heldText(element, value, isMasked(element)) ?? (isMasked(element) && value !== '' ? MASK : value);
}

/** All that a control holds. */
export function plainValue(element: Element): string {
  if (element instanceof HTMLSelectElement) {
    return Array.from(element.selectedOptions, option => option.label.trim()).join(', ');
  }
  if (element instanceof HTMLInputElement) {
    if (element.type === 'file') return Array.from(element.files ?? [], file => file.name).join(', ');
    return TEXT_INPUTS.has(element.type) || element.type === 'range' ? fieldText(element) : '';
  }
  if (element instanceof HTMLTextAreaElement) return fieldText(element);
  if (element instanceof HTMLElement && element.isContentEditable) {
    // biome-ignore lint/performance/useDomNodeTextContent: line breaks count, and only innerText has them.
    const text = element.innerText.replace(/\n$/, '');
    return text !== '' && isMasked(element) ? MASK : text;
  }
  const told = getAttribute(element, 'aria-valuetext') ?? getAttribute(element, 'aria-valuenow');
  return told ?? measureOf(element);
}

/** How full a native progress bar or meter is; nothing for one that does not know. */
function measureOf(element: Element): string {
  if (element instanceof HTMLMeterElement) return `${element.value} of ${element.max}`;
  if (!(element instanceof HTMLProgressElement) || element.position < 0) return '';
  return `${Math.round(element.position * 100)}%`;
}

const VALUE_ROLES = new Set([
  'textbox',
  'searchbox',
  'combobox',
  'listbox',
  'spinbutton',
  'slider',
  'progressbar',
  'meter',
  'scrollbar',
]);

const HEADING_LEVELS: Record<string, number> = { H1: 1, H2: 2, H3: 3, H4: 4, H5: 5, H6: 6 };

/** Values and levels that belong to a role; undefined when there are none. */
export function propsOf(element: Element, role: string): RawProps | undefined {
  if (role === 'heading') {
    return { level: Number(getAttribute(element, 'aria-level')) || HEADING_LEVELS[tagName(element)] || 2 };
  }
  const isFiles = element instanceof HTMLInputElement && element.type === 'file';
  if (!VALUE_ROLES.has(role) && !isFiles) return undefined;
  const value = controlValue(element).slice(0, CONTROL_VALUE_LIMIT);
  const options = role === 'listbox' ? shortOptions(element) : undefined;
  if (value === '' && options === undefined) return undefined;
  return { ...(value !== '' && { value }), ...(options && { options }) };
}

/** The options of a list box that a person sees all of, or nearly so. */
function shortOptions(element: Element): string[] | undefined {
  if (!(element instanceof HTMLSelectElement)) return undefined;
  const { length } = element.options;
  if (length === 0 || length > MOST_OPTIONS) return undefined;
  return Array.from(element.options, option => option.label.trim().slice(0, OPTION_NAMES_LIMIT));
}

const POPUPS = new Map<string, NonNullable<RawProps['popup']>>([
  ['true', 'menu'],
  ['menu', 'menu'],
  ['listbox', 'listbox'],
  ['tree', 'tree'],
  ['grid', 'grid'],
  ['dialog', 'dialog'],
]);

/**
 * The kind of popup that an element opens (WAI-ARIA 1.2, aria-haspopup); a combobox opens a list unless it says
 * otherwise.
 */
export function popupOf(element: Element, role: string): RawProps['popup'] {
  const popup = POPUPS.get(getAttribute(element, 'aria-haspopup') ?? '');
  return role === 'combobox' && (popup === 'menu' || popup === 'listbox') ? undefined : popup;
}

const PRESSABLE: Record<string, number> = { true: Flag.Pressed, mixed: Flag.Mixed };
const SORT_FLAGS: Record<string, number> = { ascending: Flag.SortedAscending, descending: Flag.SortedDescending };
const LABELLING = new Set(['aria-label', 'aria-labelledby', 'aria-labeledby']);
const EXPANDABLE: Record<string, number> = { true: Flag.Expanded, false: Flag.Collapsed };

/** States that matter to somebody who is about to act (WAI-ARIA 1.2, states and properties; HTML-AAM). */
export function stateFlags(element: Element, focused: Element | null, attributes = ariaFlags(element)): number {
  let flags = element === focused ? Flag.Focused | attributes : attributes;
  if (element instanceof HTMLInputElement) {
    if (element.type === 'checkbox' || element.type === 'radio') {
      if (element.indeterminate) flags |= Flag.Mixed;
      else if (element.checked) flags |= Flag.Checked;
    }
    if (element.readOnly) flags |= Flag.ReadOnly;
    if (element.required) flags |= Flag.Required;
  } else if (element instanceof HTMLTextAreaElement) {
    if (element.readOnly) flags |= Flag.ReadOnly;
    if (element.required) flags |= Flag.Required;
  } else if (element instanceof HTMLSelectElement) {
    if (element.required) flags |= Flag.Required;
    if (element.multiple) flags |= Flag.Multiselectable;
  } else if (tagName(element) === 'SUMMARY' && element.parentElement instanceof HTMLDetailsElement) {
    flags |= element.parentElement.open ? Flag.Expanded : Flag.Collapsed;
  } else if (element instanceof HTMLOptionElement && element.selected) {
    flags |= Flag.Selected;
  }
  if (isDisabled(element)) flags |= Flag.Disabled;
  return flags;
}

/** States that stand in ARIA attributes. */
export function ariaFlags(element: Element): number {
  let flags = 0;
  for (const attribute of getAttributeNames(element)) {
    if (attribute === 'title') flags |= Flag.Titled;
    if (!attribute.startsWith('aria-')) continue;
    const value = getAttribute(element, attribute) ?? '';
    if (attribute === 'aria-checked') flags |= value === 'true' ? Flag.Checked : value === 'mixed' ? Flag.Mixed : 0;
    else if (attribute === 'aria-expanded') flags |= EXPANDABLE[value] ?? 0;
    else if (attribute === 'aria-pressed') flags |= PRESSABLE[value] ?? 0;
    else if (attribute === 'aria-selected') flags |= value === 'true' ? Flag.Selected : 0;
    else if (attribute === 'aria-required') flags |= value === 'true' ? Flag.Required : 0;
    else if (attribute === 'aria-readonly') flags |= value === 'true' ? Flag.ReadOnly : 0;
    else if (attribute === 'aria-invalid') flags |= value !== 'false' && value !== '' ? Flag.Invalid : 0;
    else if (attribute === 'aria-current') flags |= value !== 'false' && value !== '' ? Flag.Current : 0;
    else if (attribute === 'aria-sort') flags |= SORT_FLAGS[value] ?? 0;
    else if (attribute === 'aria-multiselectable') flags |= value === 'true' ? Flag.Multiselectable : 0;
    else if (LABELLING.has(attribute)) flags |= Flag.Labelled;
  }
  return flags;
}

export function isDisabled(element: Element): boolean {
  if (matches(element, ':disabled')) return true;
  if (getAttribute(element, 'aria-disabled') === 'true') return true;
  // WAI-ARIA 1.2: aria-disabled applies to all focusable descendants.
  return hasAttribute(element, 'aria-disabled') ? false : closest(element, '[aria-disabled="true"]') !== null;
}

/** Class names by which pages and widget libraries mark the one of several that is chosen: `is-active`, `tab--selected`. */
const STATE_CLASS =
  /(?:^|\s)(?:(?!(?:in|no|non|not|un|de)[-_])(?!\S*[-_](?:no|non|not|un|de)[-_])(?:[\w-]*[-_])?(?:active|selected|current|pressed)|(?:is-)?on)(?=\s|$)/i;

/** Roles of things of which one, or some, can be chosen among others. */
const CHOSEN = new Set([
  'button',
  'cell',
  'clickable',
  'gridcell',
  'link',
  'listitem',
  'menuitem',
  'option',
  'tab',
  'treeitem',
]);

const STATE_ATTRIBUTES = ['aria-pressed', 'aria-selected', 'aria-current', 'aria-checked'];

/** Neighbours that are looked at. */
const STATE_CLASS_LIMIT = 60;

/**
 * {@link Flag.Selected} for an element that says by its class alone that it is chosen: no ARIA state says more, and an element
 * beside it that is like it has no such class.
 */
export function stateByClass(element: Element, tag: string, role: string): number {
  if (!CHOSEN.has(role) || tag === 'LABEL' || tag === 'OPTION') return 0;
  if (STATE_ATTRIBUTES.some(state => hasAttribute(element, state))) return 0;
  const isChosen = isMarked(element) ? isChosenAmong(element, other => !isMarked(other)) : isAllOfChosen(element, tag);
  return isChosen ? Flag.Selected : 0;
}

function isMarked(element: Element): boolean {
  const names = getAttribute(element, 'class');
  return names !== null && STATE_CLASS.test(names);
}

/** Class names of the pictures of a carousel: that one of them is in sight does not choose what is on it. */
const SLIDE = /carousel|slide/i;

/** Whether it is all of a chosen item in a list or a strip of tabs. The others are there to be chosen: of panels, one shows. */
function isAllOfChosen(element: Element, tag: string): boolean {
  const item = parentNode(element);
  if (!(item instanceof Element) || tagName(item) === 'BODY' || !isMarked(item)) return false;
  if (onlyChildOf(item) !== element || SLIDE.test(getAttribute(item, 'class') ?? '')) return false;
  return isChosenAmong(item, other => {
    const only = isMarked(other) ? null : onlyChildOf(other);
    return only !== null && tagName(only) === tag && checkVisibility(other);
  });
}

function onlyChildOf(element: Element): Element | null {
  const first = firstElementChild(element);
  return first !== null && nextElementSibling(first) === null ? first : null;
}

/** Whether one of the neighbours is such an element too and was not chosen: then its class says something. */
function isChosenAmong(chosen: Element, isLike: (neighbour: Element) => boolean): boolean {
  return hasAlong(chosen, nextElementSibling, isLike) || hasAlong(chosen, previousElementSibling, isLike);
}

function hasAlong(
  chosen: Element,
  next: (element: Element) => Element | null,
  isLike: (neighbour: Element) => boolean,
): boolean {
  const tag = tagName(chosen);
  let looked = 0;
  for (let other = next(chosen); other !== null && looked++ < STATE_CLASS_LIMIT; other = next(other)) {
    if (tagName(other) === tag && isLike(other)) return true;
  }
  return false;
}
