import { parentInFlatTree } from '../visibility/flat-tree.js';
import { hash, mix } from './hash.js';
import { leadOf } from './lead.js';
import { type ReadOptions, RowReader } from './row-reader.js';
import { isDeclaredRow, isDialog, looksLikeRow, twinOf } from './row-shape.js';
import { hasWords, lasting } from './row-words.js';

/** How much of a row's text is told. */
const ROW_TEXT = 200;
/** A row with more elements than this is known by how it begins. */
const ROW_ELEMENTS = 120;
/** Of a larger dialog, its title says what it is about. */
const DIALOG_ELEMENTS = 40;
/** How much of a large row is compared. */
const BEGINNING = 100;

/** A row of the page: one of several alike, such as a list item, a table row or a card, or a dialog. */
interface Row extends Told {
  readonly element: Element;
  /** It says itself that it is a row; else it only looks like what stands beside it. */
  readonly isDeclared: boolean;
  readonly above: Row | null;
}

/** What a row says. */
interface Told {
  /** For people. */
  readonly text: string;
  /** To compare. */
  readonly key: string;
  /** The same without what is nothing but a number. */
  readonly words: string;
  /** Nothing but its buttons says it. */
  readonly isWeak: boolean;
}

/** Among which others alike an element stands. */
export interface RowOf {
  /** What tells the row from its neighbours; '' when the element is in no row. */
  text: string;
  /** Differs where the rows around the element differ; 0 when it is in none. */
  hash: number;
  /** Like the hash, of the words alone; 0 when there are none. */
  words: number;
  /** The text stands before the element, and maybe in another row: no row around it says anything. */
  isBeside?: true;
}

const NO_ROW: RowOf = { text: '', hash: 0, words: 0 };
const NOTHING: Told = { text: '', key: '', words: '', isWeak: true };

/** Looks rows up for as long as the page stands still. */
export class Rows {
  #at = new Map<Node, Row | null>();
  #read = new Map<Element, RowReader>();

  /**
   * The row that holds the element and says more than the element's own name. A row that only looks like one may be a
   * part of the real one (the actions of a card), so what is around it is compared as well.
   */
  of(element: Element, ownName: string): RowOf {
    const own = this.#rowAt(parentInFlatTree(element));
    const nearest = telling(own, ownName);
    if (nearest === null || nearest.isWeak)
      return this.#beside(element, nearest, { ownName, isOwnRow: own !== null && own !== nearest && own.key !== '' });
    let around = nearest;
    while (!around.isDeclared && around.above !== null) around = around.above;
    if (!around.isDeclared || around.key === '') around = telling(nearest.above, nearest.key) ?? nearest;
    const shown = around.isDeclared ? around : nearest;
    return rowOf(shown.text, around === nearest ? [nearest] : [around, nearest]);
  }

  /** Where no row says more than the names of its buttons: what stands before the element, and what is around. */
  #beside(element: Element, weak: Row | null, { ownName, isOwnRow }: { ownName: string; isOwnRow: boolean }): RowOf {
    const around = weak === null ? null : telling(weak.above, weak.key);
    const before = leadOf(element);
    const lead = before === undefined ? NOTHING : toldBy(before.read, { isDeclared: true });
    const isNews = lead.key !== '' && lead.key !== lasting(ownName) && !lead.isWeak;
    const parts = [...(around === null ? [] : [around]), ...(weak === null ? [] : [weak]), ...(isNews ? [lead] : [])];
    if (parts.length === 0) return NO_ROW;
    if (!isNews) return rowOf((parts[0] as Told).text, parts);
    // What stands before a row that says nothing but the element's name is other rows: to compare, not to tell.
    return { ...rowOf(isOwnRow && !before?.isTitle ? '' : lead.text, parts), isBeside: true };
  }

  /** The nearest row at or above a node. */
  #rowAt(node: Node | null): Row | null {
    const path: Node[] = [];
    let row: Row | null = null;
    for (let current = node; current !== null; current = parentInFlatTree(current)) {
      const seen = this.#at.get(current);
      if (seen !== undefined) {
        row = seen;
        break;
      }
      path.push(current);
    }
    for (let i = path.length - 1; i >= 0; i--) {
      const current = path[i] as Node;
      if (current instanceof Element) row = this.#rowFrom(current, row);
      this.#at.set(current, row);
    }
    return row;
  }

  /** The row that an element is; else the one above it. */
  #rowFrom(element: Element, above: Row | null): Row | null {
    const isDeclared = isDeclaredRow(element) || isDialog(element);
    if (!isDeclared && !looksLikeRow(element)) return above;
    let told: Told | undefined;
    const tell = (): Told => {
      told ??= isDialog(element) ? this.#dialog(element) : this.#row(element, isDeclared);
      return told;
    };
    return {
      element,
      isDeclared,
      above,
      get text() {
        return tell().text;
      },
      get key() {
        return tell().key;
      },
      get words() {
        return tell().words;
      },
      get isWeak() {
        return tell().isWeak;
      },
    };
  }

  #row(element: Element, isDeclared: boolean): Told {
    const read = this.#reader(element, { elements: ROW_ELEMENTS });
    if (read.isLarge) return beginningOf(read);
    const twin = twinOf(element);
    const other = twin && this.#reader(twin, { elements: ROW_ELEMENTS });
    return toldBy(read, { isDeclared, other });
  }

  /** What a dialog asks. What stands below its first field comes and goes with what is entered. */
  #dialog(element: Element): Told {
    const read = this.#reader(element, { elements: DIALOG_ELEMENTS, untilField: true });
    return read.isLarge ? beginningOf(read) : told(read.said.told, read.said);
  }

  #reader(element: Element, options: ReadOptions): RowReader {
    let read = this.#read.get(element);
    if (read === undefined) {
      read = new RowReader(options).row(element);
      this.#read.set(element, read);
    }
    return read;
  }
}

/** The nearest row, this one or above it, that says anything but the given text. */
function telling(row: Row | null, known: string): Row | null {
  let at = row;
  while (at !== null && (at.key === '' || at.key === known)) at = at.above;
  return at;
}

function rowOf(text: string, parts: readonly Told[]): RowOf {
  let value = 0;
  let words = 0;
  for (const part of parts) {
    value = value === 0 ? hash(part.key) : mix(value, hash(part.key));
    if (hasWords(part.words)) words = mix(words, hash(part.words));
  }
  return { text: text.slice(0, ROW_TEXT), hash: value, words };
}

function told(text: string, { key, words }: Pick<Told, 'key' | 'words'>, isWeak = false): Told {
  return { text: text.replace(/\s+/g, ' ').trim(), key, words, isWeak };
}

/** A large row: a list item with all that opens from it, a part of the page. */
function beginningOf(read: RowReader): Told {
  const text = read.heading === '' ? read.said.told : read.heading;
  const key = lasting(read.heading === '' ? read.said.compared : read.heading).slice(0, BEGINNING);
  return told(text, { key, words: key });
}

/**
 * What a row says: its text. The values of its fields as well, where it is a row for sure, or says without them what
 * the row beside it says, such as "Name:"; for the fields of a form are filled one after another, also by the page. The
 * names of its buttons only where nothing else tells it, because they change with what they would do next.
 */
function toldBy(read: RowReader, { isDeclared, other }: { isDeclared: boolean; other?: RowReader }): Told {
  const { said, held, offered } = read;
  let text = said.told;
  let { key, words } = said;
  const saysTheSame = other?.said.key === said.key;
  if (isDeclared || key === '' || saysTheSame) {
    text += held.told;
    key = `${key} ${held.key}`.trim();
    words = `${words} ${held.words}`.trim();
  }
  const isWeak = key === '';
  if (isWeak || (saysTheSame && other?.held.key === held.key)) {
    text += offered.told;
    key = `${key} ${offered.key}`.trim();
    words = `${words} ${offered.words}`.trim();
  }
  return told(text, { key, words }, isWeak);
}
