import { controlValue, isMasked } from './control.js';
import { getAttribute, parentInFlatTree, treeScopeOf } from './dom.js';
import { identityOf } from './identity.js';
import { beginPass, endPass } from './name.js';
import { widgetAt } from './probe.js';

interface FieldChange {
  did: 'change';
  /** Names the field in its document. */
  field: string;
  role: string;
  name: string;
  /** It holds again what it held before the person came. */
  isAsBefore: boolean;
  /** The field was left: what it holds now follows from what was put in before, whoever did that. */
  isEcho: boolean;
}

/** The witness's report of one thing that a person did, as it happened. */
export type Testimony =
  | { did: 'click'; role: string; name: string }
  | (FieldChange & { secret: true })
  | (FieldChange & { value: string });

const WITNESS_VALUE_LIMIT = 200;
const WITNESS_NAME_LIMIT = 200;
/** Fields that hold a secret whether they show dots or not (HTML, section 4.10.18.7.1, autofill). */
const SECRET_AUTOFILL = /\b(current-password|new-password|one-time-code|cc-number|cc-csc)\b/;
/** Events that come before a person changes a field. */
const APPROACHES = ['focusin', 'pointerdown', 'keydown', 'beforeinput'] as const;

/**
 * Sees what a person does in one document and tells it at once: a page may be gone a moment later. It runs in a world
 * that the page does not see, and believes events alone that the browser made of a person's input (`isTrusted`).
 */
class Witness {
  readonly #tell: (testimony: Testimony) => void;
  readonly #document = Math.random().toString(36).slice(2);
  /** The values of fields when the person came to them. */
  readonly #before = new WeakMap<Element, string>();
  /** Once a secret, always one: a password may be shown in clear. */
  readonly #secrets = new WeakSet<Element>();
  readonly #numbers = new WeakMap<Element, number>();
  #fields = 0;

  constructor(tell: (testimony: Testimony) => void) {
    this.#tell = tell;
  }

  start(): void {
    const options = { capture: true, passive: true };
    for (const type of APPROACHES) window.addEventListener(type, this.#onApproach, options);
    window.addEventListener('input', this.#onInput, options);
    window.addEventListener('change', this.#onChange, options);
    window.addEventListener('click', this.#onClick, options);
  }

  stop(): void {
    for (const type of APPROACHES) window.removeEventListener(type, this.#onApproach, true);
    window.removeEventListener('input', this.#onInput, true);
    window.removeEventListener('change', this.#onChange, true);
    window.removeEventListener('click', this.#onClick, true);
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
    this.#tellField(field, false);
  };

  /** Pages bring what was typed into a form of their own once the person leaves the field, whoever typed it. */
  readonly #onChange = (event: Event): void => {
    const field = witnessedField(event);
    if (event.isTrusted && field !== undefined) queueMicrotask(() => this.#tellField(field, true));
  };

  #tellField(field: Element, isEcho: boolean): void {
    if (isSecretField(field)) this.#secrets.add(field);
    const isAsBefore = stateOf(field) === this.#before.get(field);
    const what = { did: 'change', ...witnessedElement(field), field: this.#keyOf(field), isAsBefore, isEcho } as const;
    if (this.#secrets.has(field)) this.#tell({ ...what, secret: true });
    else this.#tell({ ...what, value: valueHeldBy(field).slice(0, WITNESS_VALUE_LIMIT) });
  }

  readonly #onClick = (event: MouseEvent): void => {
    const target = eventTargetOf(event);
    if (!event.isTrusted || target === undefined) return;
    // Enter in a field makes the browser click the form's button; nobody else did.
    if (event.detail === 0 && !isFocused(target)) return;
    // Of a label, the browser clicks the control as well.
    if (target instanceof HTMLLabelElement && target.control !== null) return;
    const clicked = widgetAt(target) ?? outermostPointer(target);
    // A check box is told by what it holds.
    if (clicked === undefined || isToggle(clicked)) return;
    this.#tell({ did: 'click', ...witnessedElement(clicked) });
  };

  #keyOf(field: Element): string {
    let number = this.#numbers.get(field);
    if (number === undefined) {
      number = ++this.#fields;
      this.#numbers.set(field, number);
    }
    return `${this.#document}:${number}`;
  }
}

function witnessedElement(element: Element): { role: string; name: string } {
  beginPass();
  try {
    const { role, name } = identityOf(element);
    return { role, name: name.slice(0, WITNESS_NAME_LIMIT) };
  } finally {
    endPass();
  }
}

function eventTargetOf(event: Event): Element | undefined {
  const target = event.composedPath()[0];
  return target instanceof Element ? target : undefined;
}

/** The field that an event is about: a control, or the element that a person edits. */
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

/** Stays in the page. */
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
  return isMasked(field) || SECRET_AUTOFILL.test(getAttribute(field, 'autocomplete') ?? '');
}

function isFocused(element: Element): boolean {
  const root = treeScopeOf(element);
  return (root instanceof Document || root instanceof ShadowRoot) && root.activeElement === element;
}

/** The outermost element that looks clickable as a whole. */
function outermostPointer(target: Element): Element | undefined {
  let found: Element | undefined;
  for (let node: Node | null = target; node !== null; node = parentInFlatTree(node)) {
    if (!(node instanceof Element)) continue;
    if (getComputedStyle(node).cursor !== 'pointer') break;
    found = node;
  }
  return found;
}

interface WitnessGlobal {
  browserToolsetWitness?: Witness;
  [binding: string]: unknown;
}

/** @param binding Name of the function that carries a testimony out of the page. */
export function startWitness(binding: string): void {
  const world = globalThis as unknown as WitnessGlobal;
  const witness = new Witness((testimony: Testimony): void => {
    const carry = world[binding];
    if (typeof carry === 'function') carry(JSON.stringify(testimony));
  });
  // Worlds of one name are one: the witness of the last time may still be there, with what it knew then.
  world.browserToolsetWitness?.stop();
  world.browserToolsetWitness = witness;
  witness.start();
}
