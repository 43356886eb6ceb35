import { controlValue } from '../role-and-name/control.js';

/** What a field held before anybody typed into it, and what it has held since. */
interface Entry {
  before: string;
  now: string;
}

/** Fields of this document whose value tells a row. */
const entries = new WeakMap<Element, Entry>();

/**
 * The value that a field's row is known by. What a person or an agent typed makes no other row of it, so the value before
 * counts for as long as the field holds what was typed; a value that the page set by itself counts at once.
 */
export function valueKnownBy(field: Element): string {
  const value = controlValue(field);
  const entry = entries.get(field);
  if (entry?.now === value) return entry.before;
  entries.set(field, { before: value, now: value });
  return value;
}

/** Called when somebody has entered a value. */
export function noteEntry(field: Element): void {
  const entry = entries.get(field);
  if (entry === undefined) return;
  const note = (): void => {
    entry.now = controlValue(field);
  };
  note();
  // Handlers of the page bring what was typed into the form that it wants.
  void scheduler.postTask(note, { priority: 'user-blocking' });
}

/** Hears of what is entered into the fields of this document. `isActedOn` names a field that the toolset fills by script. */
export function listenForEntries(isActedOn: (field: Element) => boolean): void {
  const hear = (event: Event): void => {
    const field = event.composedPath()[0];
    if (field instanceof Element && (event.isTrusted || isActedOn(field))) noteEntry(field);
  };
  for (const type of ['input', 'change']) window.addEventListener(type, hear, { capture: true, passive: true });
}
