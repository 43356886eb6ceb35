import { controlValue, takesSecret } from '../dom/control.js';
import { elementsAround, getAttribute, treeScopeOf } from '../dom/dom.js';
import { getOrInsert } from '../dom/get-or-insert.js';
import { identityOf } from '../identity/identity.js';
import { beginPass, endPass } from '../names/generated-content.js';
import { widgetAt } from '../press/probe.js';
import { cutText } from '../text/cut-text.js';

interface FieldChange {
  did: 'change';
  /** Key of the field, unique across documents. */
  field: string;
  role: string;
  name: string;
  /** It holds what it held before the person reached it. */
  isAsBefore: boolean;
  /** A `change` event: the value follows from earlier input, by the person or by the agent. */
  isEcho: boolean;
}

/** A report of one thing that a person did. */
export type WitnessReport =
  | { did: 'click'; role: string; name: string }
  | (FieldChange & { secret: true })
  | (FieldChange & { value: string });

const WITNESS_VALUE_LIMIT = 200;
const WITNESS_NAME_LIMIT = 200;
/** What a person writes here is kept from the agent, while an agent that fills it in knows it already. */
const CARD_NUMBER = /\bcc-number\b/;
/** Events that precede a person's change of a field. */
const APPROACHES = ['focusin', 'pointerdown', 'keydown', 'beforeinput'] as const;

/**
 * Reports what a person does in one document as it happens, because the page may be gone a moment later. It runs in an
 * isolated world, and trusts only events that the browser made of a person's input (`isTrusted`).
 */
class Witness {
  readonly #document = Math.random().toString(36).slice(2);
  /** Values of fields when the person reached them. */
  readonly #before = new WeakMap<Element, string>();
  /** Fields that have ever been secret: a password may be shown in clear later. */
  readonly #secrets = new WeakSet<Element>();
  readonly #numbers = new WeakMap<Element, number>();
  #fields = 0;

  readonly #end = new AbortController();

  constructor(readonly report: (report: WitnessReport) => void) {}

  start(): void {
    const options = { capture: true, passive: true, signal: this.#end.signal };
    for (const type of APPROACHES) window.addEventListener(type, this.#onApproach, options);
    window.addEventListener('input', this.#onInput, options);
    window.addEventListener('change', this.#onChange, options);
    window.addEventListener('click', this.#onClick, options);
  }

  stop(): void {
    this.#end.abort();
  }

  readonly #onApproach = (event: Event): void => {
    const field = witnessedField(event);
    if (field === undefined) return;
    if (isSecretField(field)) this.#secrets.add(field);
    if (!this.#before.has(field)) this.#before.set(field, stateOf(field));
  };

  readonly #onInput = (event: Event): void => {
    const field = witnessedField(event);
    if (!event.isTrusted || field === undefined) return;
    this.#reportField(field, false);
  };

  /** Pages may reformat a value when the person leaves its field, even one that the agent typed. */
  readonly #onChange = (event: Event): void => {
    const field = witnessedField(event);
    if (event.isTrusted && field !== undefined) queueMicrotask(() => this.#reportField(field, true));
  };

  #reportField(field: Element, isEcho: boolean): void {
    if (isSecretField(field)) this.#secrets.add(field);
    const isAsBefore = stateOf(field) === this.#before.get(field);
    const what = { did: 'change', ...witnessedElement(field), field: this.#keyOf(field), isAsBefore, isEcho } as const;
    if (this.#secrets.has(field)) this.report({ ...what, secret: true });
    else this.report({ ...what, value: valueHeldBy(field).slice(0, WITNESS_VALUE_LIMIT) });
  }

  readonly #onClick = (event: MouseEvent): void => {
    const target = eventTargetOf(event);
    if (!event.isTrusted || target === undefined) return;
    // Enter in a field makes the browser click the form's button, which no person did.
    if (event.detail === 0 && !isFocused(target)) return;
    // The browser dispatches another click to the control of the label.
    if (target instanceof HTMLLabelElement && target.control !== null) return;
    const clicked = widgetAt(target) ?? outermostPointer(target);
    // A check box is reported by its value.
    if (clicked === undefined || isToggle(clicked)) return;
    this.report({ did: 'click', ...witnessedElement(clicked) });
  };

  #keyOf(field: Element): string {
    return `${this.#document}:${getOrInsert(this.#numbers, field, () => ++this.#fields)}`;
  }
}

function witnessedElement(element: Element): { role: string; name: string } {
  beginPass();
  try {
    const { role, name } = identityOf(element);
    return { role, name: cutText(name, WITNESS_NAME_LIMIT) };
  } finally {
    endPass();
  }
}

function eventTargetOf(event: Event): Element | undefined {
  const target = event.composedPath()[0];
  return target instanceof Element ? target : undefined;
}

/** The field of an event: a form control, or an editing host. */
function witnessedField(event: Event): Element | undefined {
  const target = eventTargetOf(event);
  const element = target instanceof HTMLLabelElement ? target.control : target;
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element;
  if (element instanceof HTMLSelectElement) return element;
  return element instanceof HTMLElement && element.isContentEditable ? editingHost(element) : undefined;
}

function editingHost(element: HTMLElement): HTMLElement {
  let host = element;
  while (host.parentElement?.isContentEditable) host = host.parentElement;
  return host;
}

function isToggle(element: Element): element is HTMLInputElement {
  return element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio');
}

/** The unmasked value, which never leaves the page. */
function stateOf(field: Element): string {
  if (isToggle(field)) return String(field.checked);
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  return isField ? field.value : controlValue(field);
}

function valueHeldBy(field: Element): string {
  if (isToggle(field)) return field.checked ? 'checked' : 'not checked';
  return controlValue(field);
}

function isSecretField(field: Element): boolean {
  return takesSecret(field) || CARD_NUMBER.test(getAttribute(field, 'autocomplete') ?? '');
}

function isFocused(element: Element): boolean {
  const root = treeScopeOf(element);
  return (root instanceof Document || root instanceof ShadowRoot) && root.activeElement === element;
}

/** The outermost ancestor with the pointer cursor, which is clickable as a whole. */
function outermostPointer(target: Element): Element | undefined {
  let found: Element | undefined;
  for (const node of elementsAround(target)) {
    if (getComputedStyle(node).cursor !== 'pointer') break;
    found = node;
  }
  return found;
}

interface WitnessGlobal {
  browserToolsetWitness?: Witness;
  [binding: string]: unknown;
}

/** @param binding Name of the function that receives each report outside the page. */
export function startWitness(binding: string): void {
  const world = globalThis as unknown as WitnessGlobal;
  const witness = new Witness((report: WitnessReport): void => {
    const carry = world[binding];
    if (typeof carry === 'function') carry(JSON.stringify(report));
  });
  // Isolated worlds of one name are shared: an earlier witness may still be there, with its old state.
  world.browserToolsetWitness?.stop();
  world.browserToolsetWitness = witness;
  witness.start();
}
