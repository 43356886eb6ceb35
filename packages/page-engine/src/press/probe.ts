import { controlledBy, deepActiveElement } from '../capture/emit.js';
import { defaultActionOf, hasWidgetRole, isDeclaredClickable } from '../capture/interactive.js';
import {
  controlKind,
  controlValue,
  isDisabled,
  isMasked,
  isTextInput,
  plainValue,
  TEXT_TYPES,
} from '../dom/control.js';
import {
  boxOf,
  checkVisibility,
  elementsAround,
  getAttribute,
  hasAttribute,
  hasEditContext,
  isSized,
  localName,
  matches,
  nextElementSibling,
  parentNode,
  querySelectorAll,
  shadowRoot,
  tagName,
  treeScopeOf,
} from '../dom/dom.js';
import type { Point } from '../dom/geometry.js';
import { describeNow, type ElementIds, identityOf } from '../identity/identity.js';
import { roleOf } from '../names/role.js';
import { OPTION_ROLES } from '../names/roles.js';
import type {
  DropPlaceAnswer,
  ElementAt,
  ElementFacts,
  ElementNow,
  EntryAnswer,
  FileField,
  FocusAnswer,
  InputSink,
  Purpose,
  WantedOptions,
} from '../protocol.js';
import { heldSecrets } from '../secrets/held-secrets.js';
import { singleSpaced, typedSpelling } from '../text/line-breaks.js';
import { seenText } from '../visibility/seen-text.js';
import { isEditorInputProxy, shownIn } from '../visibility/visibility.js';
import { ancestryOf, closesDialog, intoFrame, isFrameElement, isWithin, topmostAt } from './hit-test.js';
import { beginsPointer, innerWidget } from './press-point.js';

/** Words by which pages call what runs each line that is typed. */
const CONSOLE = /(?:^|[^a-z])(?:x?term(?:inal)?|console|shell|tty|repl|command[ _-]?line)(?![a-z])/i;
/** Attributes that contain such words. */
const CALLING = ['aria-label', 'class', 'id', 'title', 'placeholder'];

/** What takes the input of a field; undefined where the field keeps it. */
function sinkOf(element: Element): InputSink | undefined {
  if (!isEditorInputProxy(element)) return undefined;
  if (getAttribute(element, 'aria-multiline') === 'false') return 'console';
  const editor = shownIn(element);
  if ([element, editor].some(each => CALLING.some(name => CONSOLE.test(getAttribute(each, name) ?? ''))))
    return 'console';
  return editor !== element && plainValue(element) === '' && seenText(editor, 1) === '' ? 'blank' : 'editor';
}

export function focusOf(field: Element): FocusAnswer {
  // Key events of a document without focus go to the document around it.
  if (!document.hasFocus()) return { is: 'elsewhere' };
  const active = activeIn(field);
  if (active === null) return { is: 'elsewhere' };
  if (isWithin(active, field) || (isEditable(active) && !isTextInput(field) && isWithin(field, active)))
    return { is: 'here' };
  const { role, name } = identityOf(active);
  const isOpened = controlledBy(field).some(opened => isWithin(active, opened));
  return { is: isOpened || isInFormOf(field, active) ? 'near' : 'elsewhere', holder: { role, name } };
}

/** The focus inside a closed shadow tree is visible only from within the tree. */
function activeIn(field: Element): Element | null {
  const root = treeScopeOf(field);
  const inner = root instanceof ShadowRoot ? root.activeElement : null;
  return inner !== null && isWithin(inner, field) ? inner : deepActiveElement();
}

function isEditable(element: Element): boolean {
  return element instanceof HTMLElement && element.isContentEditable;
}

const BUTTON_INPUT_TYPES = new Set(['button', 'submit', 'reset', 'image', 'checkbox', 'radio', 'file', 'color']);

/** Whether both are fields of one form, such as a code typed into a row of fields: Enter in the last one submits it. */
function isInFormOf(field: Element, active: Element): boolean {
  if (!(field instanceof HTMLInputElement && active instanceof HTMLInputElement)) return false;
  return field.form !== null && field.form === active.form && !BUTTON_INPUT_TYPES.has(active.type);
}

export function isFit(element: Element, purpose: Purpose): boolean {
  switch (purpose.to) {
    case 'click':
      return controlKind(element) !== 'file' && !isDropDownElement(element);
    case 'focus':
      return takesFocus(element);
    case 'type':
      return takesText(element, purpose.numeric) && !isReadOnly(element);
    case 'upload':
      return controlKind(element) === 'file';
    case 'select':
      return element instanceof HTMLSelectElement && hasOptions(element, purpose);
  }
}

export function isReadOnly(element: Element): boolean {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    if (element.readOnly) return true;
  }
  return getAttribute(element, 'aria-readonly') === 'true';
}

/** Chromium renders the options of a drop-down outside the page, where clicks do not reach. */
function isDropDownElement(element: Element): boolean {
  return element instanceof HTMLSelectElement && !element.multiple && element.size <= 1;
}

function takesText(element: Element, numeric: boolean): boolean {
  if (!(element instanceof HTMLInputElement)) return controlKind(element) === 'text';
  if (element.type === 'number' || element.type === 'range') return numeric;
  return controlKind(element) === 'text';
}

/** Tries to focus the element, because that is the only way to know. */
function takesFocus(element: Element): boolean {
  (element as HTMLElement).focus({ preventScroll: true });
  let active = (treeScopeOf(element) as Document | ShadowRoot).activeElement;
  while (active !== null && active !== element) {
    // A host that delegates focus has it when an element inside has it.
    if (!element.contains(active) && shadowRoot(element) === null) return false;
    active = shadowRoot(active)?.activeElement ?? null;
  }
  return active === element;
}

/** Focuses a text field and selects its content for typed text to replace. Undefined when it loses the focus. */
export function selectAll(element: Element): EntryAnswer | undefined {
  const isPlain =
    element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && TEXT_TYPES.has(element.type));
  const isEditable = element instanceof HTMLElement && (element.isContentEditable || hasEditContext(element));
  if (!isPlain && !isEditable) return 'whole';
  if (!checkVisibility(element, { visibilityProperty: true })) return 'unseen';
  const isHeld = focusOf(element).is === 'here';
  element.focus();
  if (focusOf(element).is !== 'here') return undefined;
  if (isPlain) element.select();
  else if (!hasEditContext(element)) document.getSelection()?.selectAllChildren(element);
  const sink = sinkOf(element);
  if (sink !== undefined) return sink;
  return isHeld ? 'held' : 'ready';
}

export function placeCaretAtEnd(element: Element): void {
  (element as HTMLElement).focus({ preventScroll: true });
  // Fields of type email or number have no selection range, but `Selection.modify` moves the caret in them as well.
  document.getSelection()?.modify('move', 'forward', 'documentboundary');
}

function hasOptions(select: HTMLSelectElement, wanted: Extract<Purpose, { to: 'select' }>): boolean {
  const { values, labels, indexes } = wanted;
  const usable = Array.from(select.options, option => (isUsable(option) ? option : undefined));
  const known = usable.filter(option => option !== undefined);
  if (values?.some(value => !known.some(option => option.value === value))) return false;
  if (labels?.some(label => optionLabelled(known, label) === undefined)) return false;
  if (indexes?.some(index => usable[index] === undefined)) return false;
  const count = (values ?? labels ?? indexes ?? []).length;
  return select.multiple || count <= 1;
}

/** The option with a label, in other typography only without an equal one. */
function optionLabelled(options: readonly HTMLOptionElement[], label: string): HTMLOptionElement | undefined {
  const find = (form: (text: string) => string): HTMLOptionElement | undefined =>
    options.find(option => form(option.label) === form(label));
  return find(singleSpaced) ?? find(typedSpelling);
}

function isUsable(option: HTMLOptionElement): boolean {
  return !option.disabled && !(option.parentElement instanceof HTMLOptGroupElement && option.parentElement.disabled);
}

/**
 * Selects options of a `select`, and dispatches the events that Chromium does when a person selects them. Returns the
 * labels of the selected options: the page may put another list in its place.
 */
export function choose(select: HTMLSelectElement, { values, labels, indexes }: WantedOptions): string[] {
  const options = Array.from(select.options);
  const wanted = new Set(
    values?.map(value => options.find(option => option.value === value)) ??
      labels?.map(label => optionLabelled(options, label)) ??
      indexes?.map(index => options[index]),
  );
  for (const option of options) option.selected = wanted.has(option);
  const chosen = options.filter(option => option.selected).map(option => option.label);
  select.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  select.dispatchEvent(new Event('change', { bubbles: true }));
  return chosen;
}

/** Where a dragged element is; null when it is gone or nobody sees it. */
export function dropPlace(element: Element | undefined, goal: Element | undefined): DropPlaceAnswer | null {
  if (element === undefined || !checkVisibility(element, { visibilityProperty: true })) return null;
  const { left, top, width, height } = boxOf(element);
  const middle = { x: left + width / 2, y: top + height / 2 };
  if (width === 0 || height === 0) return null;
  return { ...middle, ...(goal !== undefined && goal !== element && { place: placeAt(goal, element, middle) }) };
}

function placeAt(goal: Element, element: Element, { x, y }: Point): DropPlaceAnswer['place'] {
  const box = boxOf(goal);
  const isOver = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  if (isWithin(element, goal)) return 'inside';
  if (parentNode(element) === parentNode(goal)) {
    const isBehind = (goal.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    return isOver ? 'inside' : isBehind ? 'after' : 'before';
  }
  return isOver ? 'inside' : 'outside';
}

/** The file input an element stands for: itself, its label's control, the only one inside, or an unseen one over it. */
export function fileInputOf(element: Element): HTMLInputElement | undefined {
  if (isFileInput(element)) return element;
  if (element instanceof HTMLLabelElement && isFileInput(element.control)) return element.control;
  if (isTextInput(element) || element instanceof HTMLSelectElement) return undefined;
  const inside = [...querySelectorAll(element, 'input')].filter(isFileInput);
  if (inside.length > 0) return inside.length === 1 ? inside[0] : undefined;
  const box = boxOf(element);
  const over = topmostAt(element, box.left + box.width / 2, box.top + box.height / 2);
  return isFileInput(over) ? over : undefined;
}

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
 * Whether an element or an ancestor accepts dropped files, which it shows by cancelling `dragover` (HTML, drag-and-drop
 * processing model). Handlers of the body, the root and the document do not count: pages cancel there so that a stray
 * file does not replace them.
 */
export function takesDrops(element: Element): boolean {
  const data = new DataTransfer();
  data.items.add(new File([], 'file'));
  const outermost = ancestryOf(element).at(-1) ?? element;
  const drag = (type: string): DragEvent => {
    const event = new DragEvent(type, { bubbles: true, cancelable: true, composed: true, dataTransfer: data });
    element.dispatchEvent(event);
    return event;
  };
  let takes = false;
  const onDragOver = (event: Event): void => {
    takes = event.defaultPrevented;
  };
  drag('dragenter');
  outermost.addEventListener('dragover', onDragOver);
  drag('dragover');
  outermost.removeEventListener('dragover', onDragOver);
  drag('dragleave');
  return takes;
}

const LISTED_OPTIONS_LIMIT = 500;
const POPUP_ATTRIBUTES = ['aria-autocomplete', 'aria-haspopup', 'aria-expanded', 'aria-controls', 'aria-owns'];

export function factsOf(
  element: Element,
  now: ElementNow = describeNow(element),
  hears: Pick<ElementFacts, 'heedsInput' | 'heedsHover'> = {},
): ElementFacts {
  const box = boxOf(element);
  const select = element instanceof HTMLSelectElement ? element : undefined;
  const options = select === undefined ? [] : Array.from(select.options).slice(0, LISTED_OPTIONS_LIMIT);
  const kind = controlKind(element);
  const fileField = kind === 'file' ? fileFieldOf(element) : undefined;
  const sink = sinkOf(element);
  return {
    ...now,
    kind,
    tag: localName(element),
    inputType: element instanceof HTMLInputElement ? element.type : '',
    disabled: isDisabled(element),
    readOnly: isReadOnly(element),
    multiple: select?.multiple ?? getAttribute(element, 'aria-multiselectable') === 'true',
    checked: element instanceof HTMLInputElement ? element.checked : getAttribute(element, 'aria-checked') === 'true',
    options: options.map(option => ({
      value: option.value,
      label: option.label.trim(),
      selected: option.selected,
      disabled: !isUsable(option),
    })),
    value: controlValue(element),
    ...rangeOf(element, now.role),
    masked: isMasked(element),
    ...(heldSecrets.partIn(element) && { holdsPart: true }),
    ...(fileField && { fileField }),
    ...(offersInput(element) && { heedsInput: 'around' }),
    ...hears,
    ...(announcesEffect(element, now.role) && { announces: true }),
    ...(closesDialog(element, now) && { closes: true }),
    ...(sink && { sink }),
    hasPopup: POPUP_ATTRIBUTES.some(name => hasAttribute(element, name)),
    x: Math.round(box.left + box.width / 2),
    y: Math.round(box.top + box.height / 2),
  };
}

const OFFERS = [...POPUP_ATTRIBUTES, 'list'];
const OFFERING_ROLES = new Set(['combobox', 'searchbox']);

/** Whether the markup of an element announces that acting on it opens or fills something. */
function announcesEffect(element: Element, role: string): boolean {
  if (element instanceof HTMLSelectElement) return false;
  return OFFERING_ROLES.has(role) || OFFERS.some(name => hasAttribute(element, name));
}

/** Whether the markup of a field makes suggestions for its input likely. */
function offersInput(element: Element): boolean {
  return (
    OFFERS.some(name => hasAttribute(element, name)) ||
    getAttribute(element, 'autocomplete') === 'off' ||
    getAttribute(element, 'type') === 'search'
  );
}

const NUMERIC_INPUTS = new Set(['number', 'range']);
const NUMERIC_ROLES = new Set(['slider', 'spinbutton', 'scrollbar']);

/** HTML, the range state: a slider has default limits. WAI-ARIA 1.2, range widgets. */
function rangeOf(element: Element, role: string): Pick<ElementFacts, 'limits'> {
  const isInput = element instanceof HTMLInputElement && NUMERIC_INPUTS.has(element.type);
  if (!isInput && !NUMERIC_ROLES.has(role)) return {};
  const byItself = isInput && element.type === 'range' ? { min: '0', max: '100', step: '1' } : {};
  const declared = {
    min: getAttribute(element, isInput ? 'min' : 'aria-valuemin'),
    max: getAttribute(element, isInput ? 'max' : 'aria-valuemax'),
    step: isInput ? getAttribute(element, 'step') : null,
    now: isInput ? element.value : getAttribute(element, 'aria-valuenow'),
  };
  return { limits: { ...byItself, ...Object.fromEntries(Object.entries(declared).filter(([, value]) => value)) } };
}

/** The nearest interactive element at or above this one. */
export function widgetAt(element: Element | null): Element | undefined {
  for (const node of elementsAround(element)) if (isActionable(node)) return node;
  return undefined;
}

function isActionable(element: Element): boolean {
  return hasWidgetRole(element, tagName(element), roleOf(element)) || isDeclaredClickable(element);
}

const SUBMENUS = '[role="menu"], ul, ol';

/** Whether the submenu of a menu item is open: in it, right after it, in its list item, or what it controls. */
export function isSubmenuOpen(item: Element): boolean {
  if (getAttribute(item, 'aria-expanded') === 'true') return true;
  const next = nextElementSibling(item);
  const holder = parentNode(item);
  const isInItem = holder instanceof Element && matches(holder, 'li, [role="none"]');
  const menus = [
    ...querySelectorAll(item, SUBMENUS),
    ...(next !== null && matches(next, SUBMENUS) ? [next] : []),
    ...(isInItem ? querySelectorAll(holder, SUBMENUS) : []),
    ...controlledBy(item),
  ];
  const isSeen = { opacityProperty: true, visibilityProperty: true };
  return menus.some(menu => isSized(boxOf(menu)) && checkVisibility(menu, isSeen));
}

/** The options of the lists that an element controls. */
export function listboxOptions(element: Element): Element[] {
  const inLists = controlledBy(element).flatMap(list => [...querySelectorAll(list, '*')]);
  return inLists.filter(inside => OPTION_ROLES.has(roleOf(inside)));
}

/**
 * The control that a press on the hit element would activate: the nearest interactive element, a label of a control, or
 * an element whose cursor shows that it takes presses.
 */
export function pressedAt(hit: Element | null): Element | undefined {
  if (hit === null) return undefined;
  for (const node of elementsAround(hit)) {
    if (isActionable(node) || (node instanceof HTMLLabelElement && node.control !== null)) return node;
    if (node === document.body || !beginsPointer(node)) continue;
    const around = widgetAt(node);
    return around !== undefined && innerWidget(around, hit) === undefined ? around : node;
  }
  return undefined;
}

/** What a press is for where something is hit, else what is hit. */
export function elementHit({ ids }: { ids: ElementIds }, hit: Element | null, { x, y }: Point): ElementAt | null {
  const element = pressedAt(hit) ?? hit;
  if (element === null) return null;
  const inner = isFrameElement(element) ? intoFrame(element, { x, y }) : undefined;
  const id = ids.idOf(element);
  ids.rememberContainer(element, id);
  const domId = getAttribute(element, 'id') ?? undefined;
  return {
    ...factsOf(element),
    doc: ids.doc,
    id,
    domId,
    does: hit === null ? undefined : defaultActionOf(hit),
    ...(inner && { inner }),
  };
}
