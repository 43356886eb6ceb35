import { type ControlKind, Flag, MASK, type RawProps } from '../protocol.js';
import { heldSecrets } from '../secrets/held-secrets.js';
import { cutText } from '../text/cut-text.js';
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

/**
 * The names of a field's secrets instead of its value; undefined when the value may be reported as it is.
 * Invariant: a value with secrets is reported whole, for the host to redact, or as their names.
 */
function heldText(field: Element, value: string, masked: boolean): string | undefined {
  const names = masked ? heldSecrets.namesIn(field) : heldSecrets.partIn(field)?.names;
  return value === '' ? undefined : names?.map(name => `<secret>${name}</secret>`).join('');
}

export const CONTROL_VALUE_LIMIT = 300;
/** A list with more options, or with longer ones, only has their number reported. */
const MOST_OPTIONS = 12;
const OPTION_NAME_LIMIT = 60;

/** Types of inputs that are buttons. */
export const BUTTON_TYPES = new Set(['button', 'image', 'reset', 'submit']);

/** Types of inputs for free text: they take a placeholder, and typing replaces what is selected. */
export const TEXT_TYPES = new Set(['email', 'number', 'password', 'search', 'tel', 'text', 'url']);
const TEXT_INPUTS = new Set([...TEXT_TYPES, 'date', 'time', 'datetime-local', 'month', 'week', 'color']);

export function isTextInput(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
  return (
    element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && TEXT_INPUTS.has(element.type))
  );
}

/** The value format of an input type (HTML), where it is not free text. */
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

/** The value format of a field; '' where the role implies it or any text is valid. */
export function acceptedFormat(element: Element): string {
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

/** Whether a field masks its value: a password, or text that the page masks by CSS. */
export function isMasked(element: Element): boolean {
  if (isTextInput(element)) return element.type === 'password' || isTextMasked(getComputedStyle(element));
  return element instanceof HTMLElement && element.isContentEditable && isTextMasked(getComputedStyle(element));
}

/** Autofill tokens of fields whose value is nobody's to see, masked or not (HTML, section 4.10.18.7.1, autofill). */
const SECRET_AUTOFILL = /\b(current-password|new-password|one-time-code|cc-csc)\b/;

/** Whether a field takes a password or a code. */
export function takesSecret(field: Element): boolean {
  return isMasked(field) || SECRET_AUTOFILL.test(getAttribute(field, 'autocomplete') ?? '');
}

export function isTextMasked(style: CSSStyleDeclaration): boolean {
  const shape = style.getPropertyValue('-webkit-text-security');
  return shape !== 'none' && shape !== '';
}

/** The displayed value of an input or text area; '' for other elements. */
export function fieldText(element: Element): string {
  const { value } = element as Partial<HTMLInputElement>;
  if (typeof value !== 'string') return '';
  const masked = isMasked(element);
  return heldText(element, value, masked) ?? (value !== '' && masked ? MASK : value);
}

/** The displayed value of a control, with the names of secrets instead of their text. */
export function controlValue(element: Element): string {
  const value = plainValue(element);
  return heldText(element, value, isMasked(element)) ?? (isMasked(element) && value !== '' ? MASK : value);
}

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
  const value = getAttribute(element, 'aria-valuetext') ?? getAttribute(element, 'aria-valuenow');
  return value ?? measureOf(element);
}

/** The value of a native progress bar or meter; '' when it is indeterminate. */
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

/** The value, level or options of an element with this role; undefined without any. */
export function propsOf(element: Element, role: string): RawProps | undefined {
  if (role === 'heading') {
    return { level: Number(getAttribute(element, 'aria-level')) || HEADING_LEVELS[tagName(element)] || 2 };
  }
  const isFiles = element instanceof HTMLInputElement && element.type === 'file';
  if (!VALUE_ROLES.has(role) && !isFiles) return undefined;
  const value = cutText(controlValue(element), CONTROL_VALUE_LIMIT);
  const options = element instanceof HTMLSelectElement ? nativeOptions(element) : undefined;
  if (value === '' && options === undefined) return undefined;
  return { ...(value !== '' && { value }), ...(options && { options }) };
}

function nativeOptions(select: HTMLSelectElement): RawProps['options'] {
  // What it holds may be a secret, and so may what it offers.
  if (heldSecrets.namesIn(select) !== undefined || select.length > MOST_OPTIONS) return select.length;
  const offered = Array.from(select.options).filter(option => !option.hidden);
  return listedOptions(offered.map(option => option.label));
}

/** Options as they are reported; undefined without any. */
export function listedOptions(labels: readonly string[]): RawProps['options'] {
  const tidy = labels.map(label => label.replace(/\s+/g, ' ').trim());
  const isShort = tidy.length <= MOST_OPTIONS && tidy.every(label => label.length <= OPTION_NAME_LIMIT);
  return tidy.length === 0 ? undefined : isShort ? tidy : tidy.length;
}

const POPUPS = new Map<string, NonNullable<RawProps['popup']>>([
  ['true', 'menu'],
  ['menu', 'menu'],
  ['listbox', 'listbox'],
  ['tree', 'tree'],
  ['grid', 'grid'],
  ['dialog', 'dialog'],
]);

/** The popup of an element (WAI-ARIA 1.2, aria-haspopup). The list that a combobox opens by default is left out. */
export function popupOf(element: Element, role: string): RawProps['popup'] {
  const popup = POPUPS.get(getAttribute(element, 'aria-haspopup') ?? '');
  return role === 'combobox' && (popup === 'menu' || popup === 'listbox') ? undefined : popup;
}

const PRESSABLE: Record<string, number> = { true: Flag.Pressed, mixed: Flag.Mixed };
const SORT_FLAGS: Record<string, number> = { ascending: Flag.SortedAscending, descending: Flag.SortedDescending };
const LABELLING = new Set(['aria-label', 'aria-labelledby', 'aria-labeledby']);
const EXPANDABLE: Record<string, number> = { true: Flag.Expanded, false: Flag.Collapsed };

/** The states that an agent needs before an action (WAI-ARIA 1.2, states and properties; HTML-AAM). */
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
    else if (attribute === 'aria-hidden') flags |= value.toLowerCase() === 'true' ? Flag.AriaHidden : 0;
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

/** Class names by which pages and widget libraries mark the chosen one of several: `is-active`, `tab--selected`. */
const STATE_CLASS =
  /(?:^|\s)(?:(?!(?:in|no|non|not|un|de)[-_])(?!\S*[-_](?:no|non|not|un|de)[-_])(?:[\w-]*[-_])?(?:active|selected|current|pressed)|(?:is-)?on)(?=\s|$)/i;

/** Class names by which they mark the one that keys or the mouse have reached, without choosing it. */
const REACHED_CLASS = /(?:^|\s)(?:[\w-]*[-_])?(?:highlight|highlighted|focus|focused|hover|hovered|cursor)(?=\s|$)/i;

/** Roles of elements that keys reach in a list, a menu or a board. */
const REACHED = new Set(['clickable', 'cell', 'gridcell', 'listitem', 'menuitem', 'option', 'treeitem']);

/** Roles of elements that can be chosen among several. */
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

/** Siblings that are compared. */
const STATE_CLASS_LIMIT = 60;

/**
 * {@link Flag.Selected} for an element that only its class marks as chosen, {@link Flag.Highlighted} for one that it
 * marks as reached: it has no ARIA state, and a similar sibling lacks the class. The flags of a custom element are
 * those of its custom states.
 */
export function stateByClass(element: Element, tag: string, role: string): number {
  const custom = tag.includes('-') && KNOWS_STATES ? customStateFlags(element) : 0;
  if (custom !== 0) return custom;
  if (!CHOSEN.has(role) || tag === 'LABEL' || tag === 'OPTION') return 0;
  if (STATE_ATTRIBUTES.some(state => hasAttribute(element, state))) return 0;
  const isChosen = isMarked(element) ? isChosenAmong(element, other => !isMarked(other)) : isAllOfChosen(element, tag);
  if (isChosen) return Flag.Selected;
  const isReached = REACHED.has(role) && hasReachedClass(element);
  return isReached && isChosenAmong(element, other => !hasReachedClass(other)) ? Flag.Highlighted : 0;
}

function hasReachedClass(element: Element): boolean {
  const names = getAttribute(element, 'class');
  return names !== null && REACHED_CLASS.test(names);
}

/** Chromium 125 and later. */
export const KNOWS_STATES = CSS.supports('selector(:state(a))');
/** Names that custom elements give to their states (HTML, CustomStateSet). */
const CUSTOM_STATES: readonly [flag: number, selector: string][] = [
  [Flag.Checked, ':state(checked), :state(on), :state(toggled)'],
  [Flag.Mixed, ':state(indeterminate), :state(mixed)'],
  [Flag.Selected, ':state(selected), :state(active), :state(current)'],
  [Flag.Pressed, ':state(pressed)'],
  [Flag.Expanded, ':state(open), :state(opened), :state(expanded)'],
  [Flag.Invalid, ':state(invalid), :state(user-invalid)'],
  [Flag.Disabled, ':state(disabled)'],
];

function customStateFlags(element: Element): number {
  let flags = 0;
  for (const [flag, selector] of CUSTOM_STATES) if (matches(element, selector)) flags |= flag;
  return flags;
}

function isMarked(element: Element): boolean {
  const names = getAttribute(element, 'class');
  return names !== null && STATE_CLASS.test(names);
}

/** Class names of carousel slides: that a slide is the visible one does not select its content. */
const SLIDE = /carousel|slide/i;

/** Whether it fills a chosen item of a list or tab strip. The other items must be visible: of panels, only one is. */
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

/** Whether a similar sibling is not marked, so that the class distinguishes the element. */
function isChosenAmong(chosen: Element, isLike: (neighbour: Element) => boolean): boolean {
  return hasAlong(chosen, nextElementSibling, isLike) || hasAlong(chosen, previousElementSibling, isLike);
}

function hasAlong(
  chosen: Element,
  next: (element: Element) => Element | null,
  isLike: (neighbour: Element) => boolean,
): boolean {
  const tag = tagName(chosen);
  let compared = 0;
  for (let other = next(chosen); other !== null && compared++ < STATE_CLASS_LIMIT; other = next(other))
    if (tagName(other) === tag && isLike(other)) return true;
  return false;
}
