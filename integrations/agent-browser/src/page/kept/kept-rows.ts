import { hasMoreThan, tagName } from '../dom.js';
import { parentInFlatTree } from '../visibility/flat-tree.js';
import type { Changes } from '../walk/changes.js';
import { ROW_ELEMENTS, type RowOf, Rows } from '../walk/row.js';
import { Touched } from './touched.js';

interface KeptRow {
  name: string;
  row: RowOf;
  /** Number of the latest look that found it as it was. */
  look: number;
}

/**
 * The rows of elements, kept from look to look: most of a page is as it was when the agent looked before it acted.
 *
 * Invariant: a row that is kept is the one that would be read now. It follows from the nodes around its element up to the
 * first one that is too large to be a row, and their neighbours: mutations tell when these change. Rows that follow from
 * more, such as the values of fields, are not kept, and what an action is checked against is always read anew.
 */
export class KeptRows {
  readonly #kept = new WeakMap<Element, KeptRow>();
  #look = 0;
  #touched: Touched | undefined;
  #rows = new Rows();

  constructor(readonly changes: Changes) {}

  /** @param records The mutations since the look before; undefined where they are not known. */
  beginLook(records: readonly MutationRecord[] | undefined): void {
    // Elements that a look does not come to are read anew at the next.
    this.#look += records === undefined ? 2 : 1;
    this.#touched = records && new Touched(records);
    this.#rows = new Rows(root => this.changes.observes(root));
  }

  /** Forgets all, for something has come to light that no mutation told. Returns whether there was anything to forget. */
  forget(): boolean {
    const hadAny = this.#touched !== undefined;
    this.beginLook(undefined);
    return hadAny;
  }

  /** Whether the rows in an element may have changed. @param isAround Whether those in the element around it may. */
  areTouchedIn(element: Element, isAround: boolean): boolean {
    if (this.#touched === undefined) return true;
    return (isAround || this.#touched.has(element)) && !this.#wasLarge(element);
  }

  /** The same for what is in a node, whatever is known of the nodes around it. Pages nest deeper than a call stack goes. */
  areTouchedAround(node: Node | null): boolean {
    const around: Element[] = [];
    for (let at = node; at !== null; at = parentInFlatTree(at)) if (at instanceof Element) around.push(at);
    return around.reduceRight((isAround, element) => this.areTouchedIn(element, isAround), false);
  }

  of(element: Element, name: string, isTouched: boolean): RowOf {
    const kept = this.#kept.get(element);
    if (kept !== undefined && !isTouched && kept.name === name && kept.look >= this.#look - 1) {
      kept.look = this.#look;
      return kept.row;
    }
    const row = this.#rows.of(element, name);
    if (row.isLasting) this.#kept.set(element, { name, row, look: this.#look });
    return row;
  }

  /** No row goes beyond an element that was too large for one at the look before, and is so still. */
  #wasLarge(element: Element): boolean {
    return tagName(element) === 'BODY' || hasMoreThan(element, ROW_ELEMENTS + (this.#touched?.added ?? 0));
  }
}
