import { elementsAround, isConnected, textContent, treeScopeOf } from '../dom/dom.js';
import type { SecretPiece, SecretText } from '../protocol.js';
import { isEditorInputProxy } from '../visibility/visibility.js';
import { findMarks, foldUnits, type Marks, SHORTEST_PIECE, sharesPiece } from './secret-marks.js';

/** A longer text is masked in parts of so many characters. */
const LONGEST_PIECE = 200;
/** The type of dragged data that names, by their marks, the secrets of which it is a piece. */
const DRAGGED = 'application/x-browser-toolset-marks';
/** How far around the field that takes its keys an editor reaches. */
const EDITOR_DEPTH = 5;
const PASSIVELY = { capture: true, passive: true };

/** An element that secrets were put into or shown in, as it was when it last held them whole. */
interface Held {
  names: readonly string[];
  secret: string;
  /** The texts around the secrets: what stands between these now may be left of them. */
  before: string;
  after: string;
  /** How many whole secrets stood there. */
  count: number;
  /** Another text took their place. Undoing that may bring some of them back. */
  isReplaced?: true;
}

/** A whole secret in a text. */
interface WholeSecret {
  start: number;
  end: number;
  name: string;
}

/**
 * Knows which elements hold secrets, and what is left of them after an edit.
 * Invariant: elements are noted before they are edited, so all parts of a secret stand in an element that is noted.
 */
class HeldSecrets {
  marks: Marks = { bases: [1, 1], marks: [] };
  readonly #held = new WeakMap<Element, Held>();
  readonly #elements = new Set<WeakRef<Element>>();
  /** The text that was searched last: a key is reported twice, by itself and by what it puts in. */
  #latest: { text: string; found: readonly WholeSecret[] } = { text: '', found: [] };
  /** Names of the secrets that what is dropped is a piece of. */
  #dropped: readonly string[] = [];

  /** Called before each question is answered. */
  know(marks: Marks): void {
    if (marks.bases[0] === this.marks.bases[0]) return;
    const isFirst = this.marks.marks.length === 0;
    this.marks = marks;
    this.#latest = { text: '', found: [] };
    if (!isFirst) return;
    for (const type of ['keydown', 'beforeinput'])
      window.addEventListener(type, event => this.#noteEdit(event), PASSIVELY);
    window.addEventListener('dragstart', event => this.#noteDragged(event), PASSIVELY);
    window.addEventListener('drop', event => this.#noteDropped(event), PASSIVELY);
  }

  /** Called before text with secrets is inserted, so that nothing reads it in between. `append`: what the field holds stays. */
  put(field: Element, secrets: readonly SecretText[], append = false): void {
    const names = secrets.map(({ name }) => name);
    const secret = secrets.map(({ value }) => value).join('\n');
    const before = append ? textIn(field) : '';
    this.#hold(field, { names, secret, before, after: '', count: this.#in(secret).length });
  }

  /** Called when a new text replaces all that a field holds. */
  replace(field: Element): void {
    const held = this.#held.get(field);
    if (held !== undefined) held.isReplaced = true;
  }

  /** Names of the secrets that an element holds, as a whole or in part. */
  namesIn(element: Element): readonly string[] | undefined {
    const held = this.#held.get(element);
    return held !== undefined && this.#isWhole(held, textIn(element)) ? held.names : this.partIn(element)?.names;
  }

  /** What is left of secrets, or a changed form that redaction would not recognise, in an element that holds no whole. */
  partIn(element: Element): { names: readonly string[]; left: string } | undefined {
    const held = this.#held.get(element);
    if (held === undefined) return undefined;
    const text = textIn(element);
    const left = leftOf(held, text);
    if (left === '' || this.#isWhole(held, text) || (held.isReplaced && !sharesPiece(left, held.secret)))
      return undefined;
    return { names: held.names, left };
  }

  /** What is left of secrets in this document. */
  pieces(): SecretPiece[] {
    return this.#alive().flatMap(element => {
      const part = isConnected(element) ? this.partIn(element) : undefined;
      const texts = part?.left.match(new RegExp(`[^]{${SHORTEST_PIECE},${LONGEST_PIECE}}`, 'gu')) ?? [];
      return texts.map(text => ({ name: part?.names[0] ?? '', text }));
    });
  }

  /** Names of the secrets that a field with a selection holds, or of which only a piece is selected in the document. */
  selectedPartOf(target: EventTarget | null): string[] {
    if (hasValue(target)) {
      const { value, selectionStart, selectionEnd } = target;
      const own = this.namesIn(target) ?? [];
      return [...own, ...this.#cut(value, selectionStart ?? 0, selectionEnd ?? value.length)];
    }
    const selection = document.getSelection();
    if (selection === null || selection.isCollapsed) return [];
    const range = selection.getRangeAt(0);
    const around = document.createRange();
    around.selectNodeContents(treeScopeOf(range.startContainer));
    const whole = around.toString();
    around.setEnd(range.startContainer, range.startOffset);
    const start = around.toString().length;
    const parts = this.#alive().filter(element => range.intersectsNode(element));
    const names = parts.flatMap(element => this.partIn(element)?.names ?? []);
    return [...names, ...this.#cut(whole, start, start + range.toString().length)];
  }

  #alive(): Element[] {
    return [...this.#elements].flatMap(reference => {
      const element = reference.deref();
      if (element === undefined) this.#elements.delete(reference);
      return element ?? [];
    });
  }

  #cut(text: string, from: number, to: number): string[] {
    const touched = this.#in(text).filter(({ start, end }) => start < to && end > from);
    return touched.filter(({ start, end }) => start < from || end > to).map(({ name }) => name);
  }

  #hold(element: Element, held: Held): void {
    if (!this.#held.has(element)) this.#elements.add(new WeakRef(element));
    this.#held.set(element, held);
  }

  #in(text: string): readonly WholeSecret[] {
    if (text === this.#latest.text) return this.#latest.found;
    const units: number[] = [];
    const offsets: number[] = [];
    foldUnits(text, (unit, offset) => {
      units.push(unit);
      offsets.push(offset);
    });
    const found = findMarks(units, this.marks).map(({ start, end, name }) => ({
      start: offsets[start] ?? 0,
      end: (offsets[end - 1] ?? 0) + 1,
      name,
    }));
    this.#latest = { text, found };
    return found;
  }

  #isWhole({ count }: Held, text: string): boolean {
    return this.#in(text).length >= count;
  }

  #noteEdit(event: Event): void {
    const [target] = event.composedPath();
    const edited = target instanceof HTMLElement ? editedBy(target) : [];
    const [field] = edited;
    if (field === undefined) return;
    const text = textIn(field);
    if (text.trim().length < SHORTEST_PIECE) this.replace(field);
    edited.some(element => this.#noteWhole(element));
    if (!(event instanceof InputEvent) || event.inputType !== 'insertFromDrop' || this.#dropped.length === 0) return;
    const secret = event.data ?? event.dataTransfer?.getData('text/plain') ?? '';
    const count = this.#in(text).length + 1;
    this.#hold(field, { names: this.#dropped, secret, before: text, after: text, count });
  }

  #noteWhole(element: Element): boolean {
    const text = textIn(element);
    const found = this.#in(text);
    const held = this.#held.get(element);
    if (found.length === 0 || (!held?.isReplaced && found.length < (held?.count ?? 0))) return false;
    const start = Math.min(...found.map(each => each.start));
    const end = Math.max(...found.map(each => each.end));
    const around = { before: text.slice(0, start), after: text.slice(end) };
    const names = [...new Set(found.map(({ name }) => name))];
    this.#hold(element, { names, secret: text.slice(start, end), ...around, count: found.length });
    return true;
  }

  #noteDragged({ target, dataTransfer }: DragEvent): void {
    const names = this.selectedPartOf(target);
    const places = names.map(name => this.marks.marks.findIndex(mark => mark.name === name));
    if (places.length > 0) dataTransfer?.setData(DRAGGED, places.join(' '));
  }

  #noteDropped({ dataTransfer }: DragEvent): void {
    const places = dataTransfer?.getData(DRAGGED).split(' ') ?? [];
    this.#dropped = places.flatMap(place => this.marks.marks[Number(place || -1)]?.name ?? []);
  }
}

export const heldSecrets = new HeldSecrets();

/** What a key or a drop may edit. An editor that takes keys by a field of its own shows their text around that. */
function editedBy(target: HTMLElement): Element[] {
  if (isEditorInputProxy(target)) return [...elementsAround(target)].slice(0, EDITOR_DEPTH);
  if (hasValue(target)) return [target];
  let host = target.isContentEditable ? target : undefined;
  while (host?.parentElement?.isContentEditable) host = host.parentElement;
  return host === undefined ? [] : [host];
}

function hasValue(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

function textIn(element: Element): string {
  return hasValue(element) ? element.value : (textContent(element) ?? '');
}

function leftOf({ before, after }: Held, text: string): string {
  let start = 0;
  while (start < before.length && text[start] === before[start]) start++;
  let end = text.length;
  for (let at = after.length; at > 0 && end > start && text[end - 1] === after[at - 1]; at--) end--;
  return text.slice(start, end);
}
