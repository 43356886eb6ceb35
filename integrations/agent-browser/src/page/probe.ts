import { controlKind, controlValue, isDisabled } from './control.js';
import { boxOf, checkVisibility, getAttribute, localName, shadowRoot } from './dom.js';
import { isReadOnly } from './fit.js';
import { parentInFlatTree } from './flat-tree.js';
import { describeNow, identityOf } from './identity.js';
import { hasWidgetRole, isDeclaredClickable } from './interactive.js';
import type { ElementFacts, ElementNow, Probe } from './protocol.js';
import { roleOf } from './role.js';

const OPTION_LIMIT = 500;

/** What an action needs to know of an element before it acts. */
export function factsOf(element: Element, now: ElementNow = describeNow(element)): ElementFacts {
  const box = boxOf(element);
  const select = element instanceof HTMLSelectElement ? element : undefined;
  const options = select === undefined ? [] : Array.from(select.options).slice(0, OPTION_LIMIT);
  return {
    ...now,
    kind: controlKind(element),
    tag: localName(element),
    inputType: element instanceof HTMLInputElement ? element.type : '',
    disabled: isDisabled(element),
    readOnly: isReadOnly(element),
    multiple: select?.multiple ?? false,
    checked: element instanceof HTMLInputElement ? element.checked : getAttribute(element, 'aria-checked') === 'true',
    options: options.map(option => ({
      value: option.value,
      label: option.label.trim(),
      selected: option.selected,
      disabled:
        option.disabled || (option.parentElement instanceof HTMLOptGroupElement && option.parentElement.disabled),
    })),
    value: controlValue(element),
    x: Math.round(box.left + box.width / 2),
    y: Math.round(box.top + box.height / 2),
  };
}

/** Why an action on the element does not get through. The point tried is the middle of the part inside the viewport. */
export function probe(element: Element | undefined, idOf: (element: Element) => number): Probe {
  if (element === undefined) return { connected: false, visible: false, disabled: false, editable: false };
  const box = boxOf(element);
  const visible = checkVisibility(element, { visibilityProperty: true }) && box.width > 0 && box.height > 0;
  const answer: Probe = {
    connected: true,
    visible,
    disabled: isDisabled(element),
    editable: controlKind(element) === 'text' && !isReadOnly(element),
  };
  if (!visible) return answer;
  const left = Math.max(0, box.left);
  const top = Math.max(0, box.top);
  const x = (left + Math.min(window.innerWidth, box.right)) / 2;
  const y = (top + Math.min(window.innerHeight, box.bottom)) / 2;
  const hit = deepElementFromPoint(x, y);
  if (hit === null || isWithin(hit, element)) return answer;
  answer.coveredBy = outline(hit);
  const wayOut = nearestWidget(hit);
  if (wayOut !== undefined) answer.coveredById = idOf(wayOut);
  return answer;
}

/** The topmost element at a point, through open shadow roots. */
export function deepElementFromPoint(x: number, y: number): Element | null {
  let hit = document.elementFromPoint(x, y);
  while (hit !== null) {
    const inner: Element | null | undefined = shadowRoot(hit)?.elementFromPoint(x, y);
    if (inner == null || inner === hit) break;
    hit = inner;
  }
  return hit;
}

/** The nearest element at or above this one that a person can act on. */
export function widgetAt(element: Element | null): Element | undefined {
  for (let node: Node | null = element; node !== null; node = parentInFlatTree(node)) {
    if (node instanceof Element && (hasWidgetRole(node, roleOf(node)) || isDeclaredClickable(node))) return node;
  }
  return undefined;
}

function isWithin(node: Node, ancestor: Element): boolean {
  for (let current: Node | null = node; current !== null; current = parentInFlatTree(current)) {
    if (current === ancestor) return true;
  }
  return false;
}

/** A button inside what covers, such as one that closes it. */
function nearestWidget(cover: Element): Element | undefined {
  const root = cover.closest('[role="dialog"], [role="alertdialog"], dialog') ?? cover;
  return root.querySelector('button, [role="button"], a[href]') ?? undefined;
}

function outline(element: Element): string {
  const { role, name } = identityOf(element);
  const id = getAttribute(element, 'id');
  const names = getAttribute(element, 'class')?.trim().split(/\s+/).slice(0, 2).join('.');
  const tag = `<${localName(element)}${id ? `#${id}` : names ? `.${names}` : ''}>`;
  return name === '' ? tag : `${tag} ${role === 'clickable' ? '' : `${role} `}"${name.slice(0, 60)}"`;
}
