import {
  firstElementChild,
  getAttribute,
  hasMoreThan,
  nextElementSibling,
  nextSibling,
  nodeType,
  parentNode,
  previousElementSibling,
  previousSibling,
  shadowRootOf,
  tagName,
  textContent,
} from '../dom/dom.js';
import { getOrInsert } from '../dom/get-or-insert.js';
import { nameOf } from '../names/name.js';
import { roleOf } from '../names/role.js';
import { hash, mix, pathStep } from './element-record.js';
import {
  canBeRow,
  countless,
  hasWords,
  type IsObserved,
  isDeclaredRow,
  isOfKind,
  isRowField,
  RowReader,
  RowText,
  rowHolderOf,
  solid,
} from './row-text.js';

/** Sibling nodes of an element that are inspected. */
const RUN_REACH = 16;

type Step = (node: Node) => Node | null;
type IsLike = (node: Element) => boolean;

/**
 * The nodes of a row that has no element of its own, such as consecutive cells of a grid: those before an element up to
 * the previous one like it, or those after it where such elements begin their rows. Empty without a similar element
 * nearby.
 */
function similarRunOf(element: Element, isLike: IsLike): readonly Node[] {
  const before = similarBeside(element, previousSibling, isLike);
  const behind = similarBeside(element, nextSibling, isLike);
  if (before.isEnded && behind.isEnded) return [];
  const beginsRow = isBegunBy(element, isLike);
  const [own, other] = beginsRow ? [behind, before] : [before, behind];
  // The run at the edge of a list has no end of its own, so it is cut to the length of the one on the other side.
  const nodes = own.isEnded ? own.nodes.slice(0, other.nodes.length) : own.nodes;
  return beginsRow ? nodes : nodes.toReversed();
}

/** The same for one of several alike, if it repeats: a single title between toolbar buttons identifies no row. */
function repeatedRunOf(element: Element, likes: readonly Element[]): readonly Node[] {
  const isLike = (other: Node): boolean => other === element || likes.some(like => like === other);
  const nodes = similarRunOf(element, isLike);
  if (nodes.length === 0) return nodes;
  const step = isBegunBy(element, isLike) ? nextSibling : previousSibling;
  const isRepeated = likes.some(like => {
    const beside = nearest(step(like), step);
    return beside !== null && !isLike(beside);
  });
  return isRepeated ? nodes : [];
}

/** Whether an element and those like it begin the rows, rather than end them. */
function isBegunBy(element: Element, isLike: IsLike): boolean {
  const first = nearest(parentNode(element)?.firstChild ?? null, nextSibling);
  return first === element || (first instanceof Element && isLike(first));
}

/** Non-empty nodes up to the next element like this one. */
function similarBeside(element: Element, step: Step, isLike: IsLike): { nodes: Node[]; isEnded: boolean } {
  const nodes: Node[] = [];
  for (let node = step(element); node !== null && nodes.length <= RUN_REACH; node = step(node)) {
    if (node instanceof Element && isLike(node)) return { nodes, isEnded: false };
    if (isFilled(node)) nodes.push(node);
  }
  return { nodes, isEnded: true };
}

function nearest(from: Node | null, step: Step): Node | null {
  let node = from;
  while (node !== null && !isFilled(node)) node = step(node);
  return node;
}

function isFilled(node: Node): boolean {
  if (nodeType(node) === Node.TEXT_NODE) return /\S/.test((node as Text).data);
  return nodeType(node) === Node.ELEMENT_NODE;
}

/** Ever longer runs of siblings before and after an element, in document order: one may be the row that it was in. */
function* stretchesAround(element: Element): Generator<readonly Node[]> {
  const none = (): boolean => false;
  for (const step of [previousSibling, nextSibling]) {
    const { nodes } = similarBeside(element, step, none);
    for (let i = 1; i <= nodes.length; i++) {
      const stretch = nodes.slice(0, i);
      yield step === previousSibling ? stretch.reverse() : stretch;
    }
  }
}

/** Whether two siblings have the same label and text; the title counts where there is neither, as on an icon button. */
function isNamesake(a: Element, b: Element): boolean {
  const label = getAttribute(a, 'aria-label');
  const text = textContent(a)?.trim();
  if (tagName(a) !== tagName(b) || label !== getAttribute(b, 'aria-label') || text !== textContent(b)?.trim())
    return false;
  return label !== null || text !== '' || getAttribute(a, 'title') === getAttribute(b, 'title');
}

/** Siblings inspected on either side; rules and advertisements stand between cards. */
const ROW_NEIGHBOURS = 12;
/** Like siblings on either side that a row is compared with. */
const LIKES = 3;
/** An element with more descendants is a part of the page rather than a row. */
export const ROW_ELEMENTS = 300;

/** The row of an element, which distinguishes it from others like it. */
export interface RowIdentity {
  /** The text that distinguishes the row from its neighbours; '' when the element is in no row. */
  text: string;
  /** Hash of the texts of the rows around the element; 0 when it is in none. */
  hash: number;
  /**
   * The same without text that only counts; 0 where only such text distinguishes the row. Where only field values do,
   * their hash: they change without making it another row.
   */
  words: number;
  /** The text stands beside the element or its box, not around it. */
  isBeside?: true;
  /** False when it can change without a mutation around the element, through field values or labels elsewhere. */
  isLasting: boolean;
}

/** An ancestor that stands among like siblings. */
interface RowLevel {
  row: RowReader;
  likes: readonly RowReader[];
  /** False when it can change without a mutation in these rows. */
  isLasting: boolean;
  /** Computed on demand. */
  words?: number;
  run?: RowText;
}

/** An element or one of its ancestors, with the path down. */
interface AncestorStep {
  at: Element;
  path: number;
  /** The first step of the path. */
  via: Element;
}

interface RowLabel {
  text: RowText;
  words: number;
  isBeside?: true;
}

interface Named {
  element: Element;
  name: string;
}

/** The texts that a sibling must contain to be a namesake. */
interface NamesakeSearch extends Named {
  twin: string[];
  /** A sibling without a namesake does not count: the name distinguishes the element from all of its content. */
  needsTwin: boolean;
}

const NO_ROW: Omit<RowIdentity, 'isLasting'> = { text: '', hash: 0, words: 0 };

/** Finds rows, and caches them while the page does not change. */
export class Rows {
  readonly #readers = new Map<Element, RowReader>();
  readonly #siblings = new Map<Element, readonly Element[]>();
  readonly #large = new Map<Element, boolean>();
  readonly #levels = new Map<Element, Map<number, RowLevel | undefined>>();

  /** @param isObserved Whether mutations in a shadow root are observed. */
  constructor(readonly isObserved?: IsObserved) {}

  /**
   * The nearest row that distinguishes the element, and outer rows as long as one of their siblings contains the same:
   * the size "M" of one shirt is not that of another.
   */
  of(element: Element, name: string): RowIdentity {
    const asked: NamesakeSearch = {
      element,
      name,
      twin: [name],
      needsTwin: isRowField(element) || isDeclaredRow(element),
    };
    let row: Omit<RowIdentity, 'isLasting'> | undefined;
    let held: RowText | undefined;
    const cellRun = cellRunOf(asked, this.isObserved);
    let isLasting = !isRowField(element);
    for (const around of this.#around(element)) {
      const { at } = around;
      const level = at === element ? undefined : this.#levelAt(around);
      isLasting &&= level?.isLasting !== false;
      if (at !== element && (level === undefined || !isCompared(level, asked))) continue;
      const label = level === undefined ? cellLabel(cellRun, asked) : this.#labelOf(level, asked);
      isLasting &&= (level ?? cellRun).isLasting;
      if (label === undefined) {
        held ??= level && valuesOf(level, asked);
        continue;
      }
      row = row === undefined ? rowOf(label) : { ...row, hash: mix(label.text.hash, row.hash) };
      asked.twin.push(...label.text.reported);
      asked.needsTwin = true;
    }
    if (row !== undefined) return { ...row, isLasting };
    if (held === undefined) return { ...NO_ROW, isLasting };
    return { ...NO_ROW, text: held.shown, words: held.hash, isLasting };
  }

  /** Hashes of rows that the element would have if its present surroundings distinguished it from removed siblings. */
  *possible(element: Element, name: string): Generator<number> {
    yield 0;
    const inner: number[] = [];
    for (const around of this.#around(element)) {
      const own = this.#possibleAt(around, { element, name });
      for (const value of own) {
        yield value;
        for (const around of inner) yield mix(value, around);
      }
      inner.push(...own);
    }
  }

  #possibleAt(around: AncestorStep, asked: Named): number[] {
    const { at } = around;
    const reader = at === asked.element ? undefined : this.#readerOf(at);
    const own = reader?.text;
    const texts =
      own === undefined || !canBeRow(at) ? [] : [own, ...(reader === undefined ? [] : [own.with(reader.offered)])];
    const run = this.#runAt(around, asked);
    // Beside others alike, the text on the other side belongs to the next row.
    if (run.key !== '') texts.push(run.with(own));
    else for (const nodes of stretchesAround(at)) texts.push(new RowReader(at).nodes(nodes).text.with(own));
    return texts.filter(({ key }) => key !== '').map(text => text.hash);
  }

  #runAt(around: AncestorStep, asked: Named): RowText {
    if (around.at === asked.element) return cellRunOf(asked, this.isObserved);
    const level = this.#levelAt(around);
    if (level === undefined) return new RowText();
    level.run ??= runTextOf(level, this.isObserved);
    return level.run;
  }

  /** The element and its ancestors, each with the path down from it. */
  *#around(element: Element): Generator<AncestorStep> {
    let path = 0;
    let power = 1;
    let via = element;
    for (let at: Element | null = element; at !== null && !this.#isLarge(at); at = rowHolderOf(at)) {
      yield { at, path, via };
      path = (Math.imul(pathStep(0, at), power) + path) | 0;
      power = Math.imul(power, 31);
      via = at;
    }
  }

  #isLarge(at: Element): boolean {
    return getOrInsert(this.#large, at, () => tagName(at) === 'BODY' || hasMoreThan(at, ROW_ELEMENTS));
  }

  #levelAt({ at, path, via }: AncestorStep): RowLevel | undefined {
    if (this.#siblingsOf(at).length === 0) return undefined;
    const levels = getOrInsert(this.#levels, at, () => new Map());
    if (!levels.has(path)) levels.set(path, this.#levelFrom(at, path, via));
    return levels.get(path);
  }

  #levelFrom(at: Element, path: number, via: Element): RowLevel | undefined {
    const siblings = this.#siblingsOf(at).filter(sibling => hasChild(sibling, via));
    if (siblings.length === 0) return undefined;
    const row = this.#readerOf(at);
    const likes = siblings.map(sibling => this.#readerOf(sibling)).filter(other => row.isLike(other, path));
    return likes.length === 0 ? undefined : this.#levelWith(row, likes);
  }

  /** Reuses a level with the same likes, which the cells of a row usually share. */
  #levelWith(row: RowReader, likes: readonly RowReader[]): RowLevel {
    for (const level of this.#levels.get(row.element)?.values() ?? [])
      if (level?.likes.length === likes.length && likes.every((like, i) => like === level.likes[i])) return level;
    return { row, likes, isLasting: [row, ...likes].every(reader => reader.isLasting) };
  }

  #siblingsOf(at: Element): readonly Element[] {
    return getOrInsert(this.#siblings, at, () =>
      canBeRow(at) ? [...ofKind(at, nextElementSibling), ...ofKind(at, previousElementSibling)] : [],
    );
  }

  #readerOf(element: Element): RowReader {
    const known = this.#readers.get(element);
    if (known !== undefined) return known;
    const reader = new RowReader(element, this.isObserved).row();
    this.#readers.set(element, reader);
    return reader;
  }

  /** The text that identifies a row: its words, else the text beside it, its numbers or the names of its buttons. */
  #labelOf(level: RowLevel, asked: NamesakeSearch): RowLabel | undefined {
    const { row, likes } = level;
    const { text, offered } = row;
    const name = solid(asked.name);
    const isDistinct = text.key !== '' && text.key !== name && likes.some(like => like.text.key !== text.key);
    if (text.key === name) asked.needsTwin = true;
    level.words ??= isDistinct ? distinguishingWords(level) : undefined;
    if (isDistinct && level.words) return { text, words: level.words };
    level.run ??= runTextOf(level, this.isObserved);
    const { run } = level;
    level.isLasting &&= run.isLasting;
    if (run.key !== '' && run.key !== name) return beside(run.with(text), run);
    if (isDistinct) return { text, words: 0 };
    const isOffered =
      offered.key !== '' && likes.some(like => like.contains(asked.name) && like.offered.key !== offered.key);
    return isOffered ? { text: text.with(offered), words: 0 } : undefined;
  }
}

/** The text beside an element that has namesakes among its siblings. */
function cellLabel(text: RowText, { element, name }: Named): RowLabel | undefined {
  const { key, hasWords } = text;
  if (key === '' || key === solid(name)) return undefined;
  return isRowField(element) && !hasWords ? undefined : beside(text, text);
}

function cellRunOf({ element, name }: Named, isObserved?: IsObserved): RowText {
  const isInField = isRowField(element);
  const nodes = similarRunOf(element, sibling =>
    isInField
      ? tagName(sibling) === tagName(element) && nameOf(sibling, roleOf(sibling)) === name
      : isNamesake(sibling, element),
  );
  return nodes.length === 0 ? new RowText() : new RowReader(element, isObserved).nodes(nodes).text;
}

function isCompared({ likes }: RowLevel, { needsTwin, twin }: NamesakeSearch): boolean {
  return !needsTwin || likes.some(like => twin.every(text => like.contains(text)));
}

/** The field values of a row, where nothing else identifies it. */
function valuesOf({ row, likes }: RowLevel, { name }: NamesakeSearch): RowText | undefined {
  const { held } = row;
  return held.key !== '' && likes.some(like => like.contains(name) && like.held.key !== held.key) ? held : undefined;
}

/** Hash of the distinguishing text of a row without counts; 0 where the rest does not distinguish it. */
function distinguishingWords({ row, likes }: RowLevel): number {
  const { pieces } = row.text;
  const others = likes.map(like => like.text.pieces);
  const words = countless(pieces, others);
  return !hasWords(words) || others.some(other => countless(other, [pieces]) === words) ? 0 : hash(words);
}

function runTextOf({ row, likes }: RowLevel, isObserved?: IsObserved): RowText {
  const elements = likes.map(({ element }) => element);
  const nodes = repeatedRunOf(row.element, elements);
  return nodes.length === 0 ? new RowText() : new RowReader(row.element, isObserved).nodes(nodes).text;
}

function beside(text: RowText, run: RowText): RowLabel {
  const words = countless(run.pieces, []);
  return { text, words: hasWords(words) ? hash(words) : 0, isBeside: true };
}

function rowOf({ text, words, isBeside }: RowLabel): Omit<RowIdentity, 'isLasting'> {
  return { text: text.shown, hash: text.hash, words, ...(isBeside && { isBeside }) };
}

/** Whether an element could have a child like the given one; a shadow tree may contain it anywhere. */
function hasChild(element: Element, like: Element): boolean {
  const tag = tagName(like);
  for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child))
    if (tagName(child) === tag) return true;
  return shadowRootOf(element) != null;
}

function ofKind(element: Element, step: (from: Element) => Element | null): Element[] {
  const found: Element[] = [];
  let inspected = 0;
  for (let at = step(element); at !== null && inspected < ROW_NEIGHBOURS && found.length < LIKES; at = step(at)) {
    inspected++;
    if (isOfKind(element, at)) found.push(at);
  }
  return found;
}
