import { deepActiveElement } from '../capture/emit.js';
import { controlKind, controlValue } from '../dom/control.js';
import { isConnected } from '../dom/dom.js';
import { describeNow, type ElementIds, type Identity, identityOf } from '../identity/identity.js';
import { isEventAt, type Watch } from '../press/press-guard.js';
import { focusOf, selectAll } from '../press/probe.js';
import type { GuardReport, Missed, SecretText, Target } from '../protocol.js';
import { heldSecrets } from '../secrets/held-secrets.js';
import { inOneLine } from './line-breaks.js';

/** Input types whose value is set as a whole and not typed. */
const WHOLE_VALUE = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range']);

interface Insertion {
  text: string;
  secrets: readonly SecretText[];
  /** The caret is at the end of the value, which stays. */
  append: boolean;
  /** Character by character, following the focus within this document. */
  slowly: boolean;
}

/** Inserts text in one task: keys go to the browser's focus, which another document may take. True if it went in. */
export function insertText(field: HTMLElement, { text, secrets, append, slowly }: Insertion): boolean {
  if (field instanceof HTMLInputElement && WHOLE_VALUE.has(field.type)) return setWhole(field, text, secrets);
  if (!append && !selectContents(field)) return false;
  if (!deepActiveElement()?.contains(field)) return false;
  heldSecrets.put(field, secrets, append);
  const before = controlValue(field);
  if (!slowly) return insertAtCaret(text) || controlValue(field) !== before;
  return Array.from(text).every(letter => strike(letter, secrets, append));
}

function selectContents(field: HTMLElement): boolean {
  if (selectAll(field)) return true;
  if (!field.isContentEditable) return false;
  field.focus();
  document.getSelection()?.selectAllChildren(field);
  return true;
}

function insertAtCaret(text: string): boolean {
  const fitting = deepActiveElement() instanceof HTMLInputElement ? inOneLine(text) : text;
  return fitting === '' || document.execCommand('insertText', false, fitting);
}

function strike(letter: string, secrets: readonly SecretText[], append: boolean): boolean {
  const target = deepActiveElement();
  if (!(target instanceof HTMLElement)) return false;
  if (heldSecrets.namesIn(target) === undefined) heldSecrets.put(target, secrets, append);
  const init = { key: letter, bubbles: true, cancelable: true, composed: true };
  const goesOn = target.dispatchEvent(new KeyboardEvent('keydown', init));
  const isIn = goesOn && insertAtCaret(letter);
  target.dispatchEvent(new KeyboardEvent('keyup', init));
  return isIn;
}

function setWhole(field: HTMLInputElement, text: string, secrets: readonly SecretText[]): boolean {
  const before = field.value;
  field.value = text;
  if (field.value !== text) {
    field.value = before;
    return false;
  }
  heldSecrets.put(field, secrets);
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
}

/** Events that precede a change of the field. */
const TYPED = new Set(['keydown', 'beforeinput']);
/** Events that report a change of the field. */
const ENTRY_EVENTS = new Set(['input', 'change']);

/** The field that text or keys go into, and the element by which the agent knows it. */
interface EntryField {
  control: HTMLElement;
  element: Element;
  target: Target;
  /** There is no text, so events may be missing. */
  isEmpty?: boolean;
}

/**
 * Watches text and keys on their way into a field.
 * Invariant: the first event reaches the page only in that field, and only while the field matches what the agent was
 * given. Its effects around the field and on the focus belong to the action: later events reach the page until the
 * field is gone or has another name. What the focus and the text themselves make of its name belongs to the action, too.
 */
export class EntryWatch implements Watch {
  readonly report: GuardReport = {};
  readonly #before: string | undefined;
  /** Text follows, which begins with an event that no script can make. */
  #isText = false;
  #hasLanded = false;
  #elsewhere = '';
  /** The field as the agent was given it. */
  readonly #was: Identity;
  /** The name of the field after the handlers of the focus, or of the latest event. */
  #name: string | undefined;

  constructor(
    readonly field: EntryField,
    readonly ids: ElementIds,
  ) {
    this.#before = this.#value;
    this.#was = identityOf(field.element);
    this.#name = this.#was.name;
  }

  /** Called in the task that made the field ready for text: events that made it ready no longer count. */
  awaitText(): void {
    this.#isText = true;
    this.#hasLanded = false;
    this.#name = identityOf(this.field.element).name;
  }

  /** Called when the page took a text from an event that is no input. */
  noteTaken(): void {
    this.#hasLanded = true;
  }

  allows(event: Event): boolean {
    const isTyped = TYPED.has(event.type) && event.isTrusted;
    if (!isTyped && (!ENTRY_EVENTS.has(event.type) || (this.#isText && !this.#hasLanded))) return true;
    const isHere = isEventAt(this.field.control, event);
    // A `change` of another field fires when it loses the focus, and scripts may dispatch events at any time.
    if (!isTyped && !isHere) {
      this.#noteElsewhere(event);
      return true;
    }
    if (this.#isKept) return this.#undo(event);
    if (this.#hasLanded) this.#checkNext(event, isHere);
    else this.#checkFirst(isHere);
    return !this.#isKept || this.#undo(event);
  }

  #checkFirst(isHere: boolean): void {
    const { element, target } = this.field;
    const now = this.ids.changeOf(element, target);
    if (now !== undefined && !this.ids.isOnlyRenamed(element, target, this.#was, this.#name)) this.report.blocked = now;
    else if (!isHere) this.report.missed = this.#goneElsewhere();
    else {
      this.#hasLanded = true;
      this.#noteName();
    }
  }

  #checkNext(event: Event, isHere: boolean): void {
    if (!event.isTrusted || !TYPED.has(event.type)) return;
    const { element, control } = this.field;
    if (!isHere && isPress(event)) this.report.missed = { ...this.#goneElsewhere(), begun: true };
    else if (!isConnected(control)) this.report.missed = {};
    else if (isHere && !this.#hasKeptName()) this.report.blocked = { ...describeNow(element), begun: true };
    else if (isHere) this.#noteName();
  }

  #hasKeptName(): boolean {
    const { element, target } = this.field;
    if (this.#name === undefined || identityOf(element).name === this.#name) return true;
    return this.ids.isOnlyRenamed(element, target, this.#was, this.#name);
  }

  #noteName(): void {
    this.#name = undefined;
    const note = (): void => {
      this.#name = identityOf(this.field.element).name;
    };
    void scheduler.postTask(note, { priority: 'user-blocking' });
  }

  /** The text that went into other fields because the page moved the focus while it was typed into this one. */
  elsewhereOf(control: Element): string {
    return control === this.field.control ? this.#elsewhere : '';
  }

  #noteElsewhere(event: Event): void {
    if (this.#hasLanded && event.isTrusted && event instanceof InputEvent) this.#elsewhere += event.data ?? '';
  }

  /** Reports text that reached no field. The value is checked as well, since a page may stop the events. */
  end(): void {
    const hasText = this.#isText && this.#value !== this.#before;
    if (!this.#hasLanded && !hasText && !this.#isKept && !this.field.isEmpty) this.report.missed = {};
  }

  /** Undefined unless the field is a form control. */
  get #value(): string | undefined {
    return (this.field.control as Partial<HTMLInputElement>).value;
  }

  #goneElsewhere(): Missed {
    const { is, holder } = focusOf(this.field.control);
    return is === 'here' ? {} : { unfocused: { ...(holder && { holder }) } };
  }

  get #isKept(): boolean {
    return this.report.blocked !== undefined || this.report.missed !== undefined;
  }

  /** A value set as a whole (dates, colours) is in the field before any event reports it. */
  #undo(event: Event): false {
    if (!event.isTrusted && this.#before !== undefined) (this.field.control as HTMLInputElement).value = this.#before;
    return false;
  }
}

/** Whether a space of the text would press a control, to which the page has moved the focus. */
function isPress(event: Event): boolean {
  const [target] = event.composedPath();
  return (
    event instanceof KeyboardEvent && event.key === ' ' && target instanceof Element && controlKind(target) !== 'text'
  );
}
