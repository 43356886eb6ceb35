import { boxOf, checkVisibility, getAttribute, hasAttribute, localName, tagName } from '../dom.js';
import type { ElementNow } from '../element-now.js';
import type { ElementFacts, Probe } from '../protocol.js';
import { controlKind, controlValue, isDisabled, isMasked, plainValue } from '../role-and-name/control.js';
import { hasWidgetRole, isDeclaredClickable } from '../role-and-name/interactive.js';
import { roleOf } from '../role-and-name/role.js';
import { holdsPart } from '../secrets/secret-fields.js';
import { coverAt } from '../visibility/cover.js';
import { parentInFlatTree, shownIn } from '../visibility/flat-tree.js';
import { describeNow } from '../walk/identity.js';
import { fileFieldOf } from './file-input.js';
import { isReadOnly } from './fit.js';
import { fromPaddingBox, ownPoint } from './press-point.js';
import { isSink } from './sink.js';

const OPTION_LIMIT = 500;
const POPUP_ATTRIBUTES = ['aria-autocomplete', 'aria-haspopup', 'aria-expanded', 'aria-controls', 'aria-owns'];

/** The facts of an element that an action needs before it acts. */
export function factsOf(element: Element, now: ElementNow = describeNow(element), hearsInput = false): ElementFacts {
  const box = boxOf(element);
  const select = element instanceof HTMLSelectElement ? element : undefined;
  const options = select === undefined ? [] : Array.from(select.options).slice(0, OPTION_LIMIT);
  const kind = controlKind(element);
  const fileField = kind === 'file' ? fileFieldOf(element) : undefined;
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
      disabled:
        option.disabled || (option.parentElement instanceof HTMLOptGroupElement && option.parentElement.disabled),
    })),
    value: controlValue(element),
    ...limitsOf(element, now.role),
    masked: isMasked(element),
    ...(holdsPart(element, plainValue(element)) && { holdsPart: true }),
    ...(fileField && { fileField }),
    ...((hearsInput || offersInput(element)) && { heedsInput: true }),
    ...(isSink(element) && { sink: true }),
    hasPopup: POPUP_ATTRIBUTES.some(name => hasAttribute(element, name)),
    x: Math.round(box.left + box.width / 2),
    y: Math.round(box.top + box.height / 2),
  };
}

/** Attributes of fields that offer something upon what is typed, whoever listens to that. */
const OFFERS = [...POPUP_ATTRIBUTES, 'list'];

/** Whether an element says that it offers something upon what is put into it. */
function offersInput(element: Element): boolean {
  const type = getAttribute(element, 'type');
  return (
    OFFERS.some(name => hasAttribute(element, name)) ||
    getAttribute(element, 'autocomplete') === 'off' ||
    type === 'search'
  );
}

const NUMERIC_INPUTS = new Set(['number', 'range']);
const NUMERIC_ROLES = new Set(['slider', 'spinbutton', 'scrollbar']);

/** HTML, the range state: a slider has limits by itself. WAI-ARIA 1.2, range widgets. */
function limitsOf(element: Element, role: string): Pick<ElementFacts, 'limits'> {
  const isInput = element instanceof HTMLInputElement && NUMERIC_INPUTS.has(element.type);
  if (!isInput && !NUMERIC_ROLES.has(role)) return {};
  const byItself = isInput && element.type === 'range' ? { min: '0', max: '100', step: '1' } : {};
  const said = {
    min: getAttribute(element, isInput ? 'min' : 'aria-valuemin'),
    max: getAttribute(element, isInput ? 'max' : 'aria-valuemax'),
    step: isInput ? getAttribute(element, 'step') : null,
    now: isInput ? element.value : getAttribute(element, 'aria-valuenow'),
  };
  return { limits: { ...byItself, ...Object.fromEntries(Object.entries(said).filter(([, value]) => value)) } };
}

/** Why an action on the element does not get through. The point tried is the middle of the part inside the viewport. */
export function probe(element: Element | undefined, idOf: (element: Element) => number): Probe {
  if (element === undefined) return { connected: false, visible: false, disabled: false };
  const box = boxOf(shownIn(element));
  const visible = checkVisibility(element, { visibilityProperty: true }) && box.width > 0 && box.height > 0;
  const answer: Probe = {
    connected: true,
    visible,
    disabled: isDisabled(element),
    box: [box.left, box.top, box.width, box.height],
  };
  if (!visible) return answer;
  const x = (Math.max(0, box.left) + Math.min(window.innerWidth, box.right)) / 2;
  const y = (Math.max(0, box.top) + Math.min(window.innerHeight, box.bottom)) / 2;
  const cover = coverAt(element, x, y);
  if (cover === undefined) return answer;
  if (getComputedStyle(element).pointerEvents === 'none') answer.letsThrough = true;
  const free = ownPoint(element);
  if (free !== undefined) answer.free = fromPaddingBox(element, free);
  answer.coveredBy = cover.description;
  if (cover.passing) answer.passing = true;
  if (cover.wayOut !== undefined) answer.wayOutId = idOf(cover.wayOut);
  return answer;
}

/** The nearest element at or above this one that a person can act on. */
export function widgetAt(element: Element | null): Element | undefined {
  for (let node: Node | null = element; node !== null; node = parentInFlatTree(node)) {
    if (node instanceof Element && (hasWidgetRole(node, tagName(node), roleOf(node)) || isDeclaredClickable(node)))
      return node;
  }
  return undefined;
}

const OPTION_ROLES = new Set(['option', 'menuitem', 'menuitemradio', 'menuitemcheckbox', 'treeitem']);

/** The options of the lists that an element controls (WAI-ARIA 1.2: aria-controls, aria-owns). */
export function offersOf(element: Element): Element[] {
  const scope = element.getRootNode();
  if (!(scope instanceof Document || scope instanceof ShadowRoot)) return [];
  const ids = `${getAttribute(element, 'aria-controls') ?? ''} ${getAttribute(element, 'aria-owns') ?? ''}`.trim();
  const lists = ids === '' ? [] : ids.split(/\s+/).map(id => scope.getElementById(id));
  return lists.flatMap(list => (list === null ? [] : optionsIn(list)));
}

function optionsIn(list: Element): Element[] {
  return [...list.querySelectorAll('*')].filter(element => OPTION_ROLES.has(roleOf(element)));
}
