import { NO_FINGERPRINT, type Target } from '#page-engine/protocol.js';
import { shortText } from '#page-engine/text/cut-text.js';
import { sharedLength } from '../snapshot/prune.js';
import { everyNode, isInteractive, type PageSnapshot, type SnapshotNode } from '../snapshot/tree.js';

/** The description of an element that the agent was given with its ref. */
export type RefDescription = Pick<SnapshotNode, 'role' | 'name' | 'row' | 'fingerprint'>;

function describeNode({ role, name, row, fingerprint }: SnapshotNode): RefDescription {
  return { role, name, row, fingerprint };
}

/** Characters of a name or a row in a description. */
const TEXT_MAX = 80;
/** Characters before the first difference of two texts. */
const BEFORE = 20;

/** Such as `button "Delete" in "Alpha"`. */
export function describeRef(description: RefText): string {
  const name = description.name === '' ? '' : ` ${JSON.stringify(shortText(description.name, TEXT_MAX))}`;
  const row = description.row === '' ? '' : ` in ${JSON.stringify(shortText(description.row, TEXT_MAX))}`;
  return `${description.role}${name}${row}`;
}

type RefText = Pick<RefDescription, 'role' | 'name' | 'row'>;

/** The old and the new description of an element, each cut so that the difference is visible. */
export function describeChange(was: RefText, now: RefText): [was: string, now: string] {
  const [wasName, nowName] = cutToDifference(was.name, now.name);
  const [wasRow, nowRow] = cutToDifference(was.row, now.row);
  return [describeRef({ ...was, name: wasName, row: wasRow }), describeRef({ ...now, name: nowName, row: nowRow })];
}

function cutToDifference(was: string, now: string): [was: string, now: string] {
  const same = sharedLength(was, now);
  if (was === now || Math.max(was.length, now.length) <= TEXT_MAX || same < TEXT_MAX - BEFORE) return [was, now];
  const from = was.lastIndexOf(' ', same - BEFORE) + 1 || same - BEFORE;
  return [`…${was.slice(from)}`, `…${now.slice(from)}`];
}

/** One ref: an element, and the description of it that the agent was given. */
export interface RefEntry {
  /** Such as `@e12`. */
  readonly ref: string;
  /** The element as it was in the latest capture that contained it. */
  node: SnapshotNode;
  shown: RefDescription;
  /** The highest element id of the document when the agent was given this: a replacement must be newer. */
  lastId: number;
}

/** Such as `@e12 (button "Delete" in "Alpha")`. */
export function describeEntry({ ref, shown }: Pick<RefEntry, 'ref' | 'shown'>): string {
  return `${ref} (${describeRef(shown)})`;
}

/** Namesakes on either side that a row is compared with. */
const NEARBY_IDS = 2;

/** An action, with the nodes of the page before and after it, by key. */
interface ActionOutcome {
  acted: RefEntry;
  before: ReadonlyMap<string, SnapshotNode>;
  after: ReadonlyMap<string, SnapshotNode>;
}

/** Elements whose row an action changed without making it another row. `entries` are in page order. */
function changedInPlace(entries: readonly RefEntry[], { acted, before, after }: ActionOutcome): RefEntry[] {
  const restocked = new Set([...missingIn(after, before), ...missingIn(before, after)]);
  const called = entries.filter(({ shown: { role, name }, node }) => role === node.role && name === node.name);
  return [...Map.groupBy(called, ({ node }) => calledIn(node))].flatMap(([name, namesakes]) => {
    const changed = namesakes.filter(({ shown, node }) => shown.fingerprint !== node.fingerprint);
    // A list that is reused for other items changes in several rows, or gains or loses some.
    if (changed.length === 1 && !restocked.has(name)) return changed;
    return changed.filter(entry => isSameRow(entry, namesakes, acted));
  });
}

function calledIn({ document, role, name }: SnapshotNode): string {
  return `${document.doc} ${role} ${name}`;
}

/** The elements of `other` that `page` lacks, by name. */
function missingIn(page: ActionOutcome['after'], other: ActionOutcome['after']): string[] {
  return [...other].flatMap(([key, node]) => (page.has(key) ? [] : [calledIn(node)]));
}

/**
 * Whether a changed row is still the same. A list that is reused for other items shows what another row showed, or
 * shows elsewhere what this one did. Otherwise a row is identified by a word that its neighbours lack, or, where the
 * action was in it, by having only numbers.
 */
function isSameRow(entry: RefEntry, namesakes: readonly RefEntry[], acted: RefEntry): boolean {
  const { shown, node } = entry;
  const i = namesakes.indexOf(entry);
  const changed = namesakes.filter(other => other !== entry && other.shown.row !== other.node.row);
  if (changed.some(other => other.shown.row === node.row || other.node.row === shown.row)) return false;
  const near = namesakes
    .slice(Math.max(0, i - NEARBY_IDS), i + NEARBY_IDS + 1)
    .map(other => new Set(other.shown.row.split(' ')));
  const words = new Set(node.row.split(' '));
  const isOwn = (word: string): boolean => words.has(word) && near.filter(row => row.has(word)).length <= NEARBY_IDS;
  if (shown.row.split(' ').some(isOwn)) return true;
  return shown.row === acted.shown.row && node.row === acted.node.row && !/\p{L}/u.test(shown.row);
}

/** Nodes whose refs appear in some lines. */
export interface Lines {
  shown: readonly SnapshotNode[];
  /** Nodes inside folds, and the nodes that hold folds. */
  folded?: readonly SnapshotNode[];
  holders?: readonly SnapshotNode[];
}

/** Elements that may be what is meant instead of one that is gone. */
const MOST_LIKE = 3;

/** Characters of a recorded name; a page can put a book into a link. */
const RECORDED_NAME = 500;
const RECORDED_ROW = 120;
/** Characters of a record besides its role, name and row. */
const RECORD_FRAME = 30;

/** What a person reads of an element. `row` distinguishes elements that read alike, where the name does not contain it. */
interface RecordedElement {
  role: string;
  name?: string;
  row?: string;
}

/** Refs in machine-readable form. */
type RefRecord = Record<string, RecordedElement>;

function recordOf({ role, name: whole, row: text }: RefText): RecordedElement {
  const name = shortText(whole, RECORDED_NAME);
  const row = name.includes(text) ? '' : shortText(text, RECORDED_ROW);
  return { role, ...(name !== '' && { name }), ...(row !== '' && { row }) };
}

function isSameRecord(one: RecordedElement, other: RecordedElement): boolean {
  return one.role === other.role && one.name === other.name && one.row === other.row;
}

type RefLookup = { found: RefEntry } | { code: 'invalid_ref' | 'stale_ref'; message: string };

/** `@e12` in the ways in which models and other tools write it, such as `e12`, `ref=e12` and `[ref=@e12]`. */
const REF = /^[\s[("'`]*(?:ref\s*[=:]\s*)?["'`]?@?e(\d{1,9})[\s\])"'`]*$/i;

/**
 * The refs of one session. A number is given to one element and never reused, in whatever document or frame.
 * Invariant: a ref that is found is in the latest capture of the page.
 */
export class RefRegistry {
  #entries = new Map<number, RefEntry>();
  readonly #byKey = new Map<string, RefEntry>();
  #live = new Map<string, SnapshotNode>();
  /** Nodes that captures list only for reading, if at all, and that the agent may act on. */
  #granted = new Map<string, SnapshotNode>();
  /** The tree that the agent has read completely; undefined once anything else was reported. */
  #completelyRead: readonly SnapshotNode[] | undefined;
  #age = 0;
  #next: number;

  /** @param first Number of the first ref. */
  constructor(first = 1) {
    this.#next = first;
  }

  get next(): number {
    return this.#next;
  }

  /** Changes when refs are forgotten: texts of an earlier age may contain unknown refs. */
  get age(): number {
    return this.#age;
  }

  /** Skips the numbers that another process has given out. */
  skipTo(next: number): void {
    this.#next = Math.max(this.#next, next);
  }

  /**
   * Takes over a new capture: elements that are not in it become stale. Changed elements keep the description that the
   * agent has, so that the next action on them is refused.
   */
  observe(page: PageSnapshot): void {
    this.#replace(page, false);
  }

  /** Takes over a new capture of which the agent reads everything. */
  give(page: PageSnapshot): void {
    this.#replace(page, true);
  }

  #replace(page: PageSnapshot, complete: boolean): void {
    if (page.roots === this.#completelyRead) return;
    this.#completelyRead = complete ? page.roots : undefined;
    this.#live = new Map();
    for (const node of everyNode(page.roots)) {
      this.#live.set(node.key, node);
      const entry = this.#byKey.get(node.key);
      if (entry === undefined) continue;
      if (node.fingerprint === NO_FINGERPRINT && this.#granted.has(node.key)) continue;
      entry.node = node;
      if (complete || entry.shown.fingerprint === node.fingerprint) this.#recordShown(entry, node);
    }
    this.#keepGranted();
    this.#forgetDead();
  }

  /** A granted node lives as long as its document; only its page knows whether the element still exists. */
  #keepGranted(): void {
    if (this.#granted.size === 0) return;
    const documents = new Set([...this.#live.values()].map(({ document }) => document.doc));
    for (const [key, node] of this.#granted) {
      const isActedOnAnyway = (this.#live.get(key)?.fingerprint ?? NO_FINGERPRINT) !== NO_FINGERPRINT;
      if (isActedOnAnyway || !documents.has(node.document.doc)) this.#granted.delete(key);
      else this.#live.set(key, node);
    }
  }

  /** Gives a ref for acting to the element that holds a node listed only for reading. */
  grant(node: SnapshotNode, id: number, shown: RefDescription): string {
    const key = `${node.document.doc}:${id}`;
    const live = this.#live.get(key);
    if (live !== undefined && live.fingerprint !== NO_FINGERPRINT) return this.refOf(live);
    const granted: SnapshotNode = { ...node, ...shown, id, key, children: [] };
    this.#granted.set(key, granted);
    this.#live.set(key, granted);
    const ref = this.refOf(granted);
    const entry = this.entryOf(node.document.doc, id);
    if (entry !== undefined) {
      entry.node = granted;
      this.#recordShown(entry, granted);
    }
    return ref;
  }

  /** The nodes of the latest capture, by key. */
  get live(): ReadonlyMap<string, SnapshotNode> {
    return this.#live;
  }

  /** Makes all refs stale, because the browser that held the elements is gone. Numbers are not reused. */
  clear(): void {
    this.#age++;
    this.#completelyRead = undefined;
    this.#live.clear();
    this.#granted.clear();
    this.#entries.clear();
    this.#byKey.clear();
  }

  /** The ref of a node, created if necessary with the node's current description. */
  readonly refOf = (node: SnapshotNode): string => this.#entryFor(node).ref;

  #entryFor(node: SnapshotNode): RefEntry {
    const known = this.#byKey.get(node.key);
    if (known !== undefined) return known;
    const number = this.#next++;
    const entry = { ref: `@e${number}`, node, shown: describeNode(node), lastId: node.document.lastId };
    this.#entries.set(number, entry);
    this.#byKey.set(node.key, entry);
    return entry;
  }

  /** Records that the agent has read these nodes. */
  recordShown(nodes: readonly SnapshotNode[]): void {
    for (const node of nodes) {
      const entry = this.#byKey.get(node.key);
      if (entry !== undefined) this.#recordShown(entry, node);
    }
  }

  /**
   * Records that the agent has read an action's effects: the element, and rows that it changed in place. Where it was
   * not given all of them, only another name of the element in the same row counts as its own effect.
   */
  acknowledgeActionResult(acted: RefEntry, before: ReadonlyMap<string, SnapshotNode>, isComplete: boolean): void {
    const outcome = { acted, before, after: this.#live };
    if (isComplete) {
      const inOrder = [...this.#live.keys()].flatMap(key => this.#byKey.get(key) ?? []);
      for (const entry of changedInPlace(inOrder, outcome)) this.#recordShown(entry, entry.node);
    }
    const { shown, node } = acted;
    const isKnown = isComplete || (shown.role === node.role && shown.row === node.row);
    if (isKnown && this.#live.get(node.key) === node) this.#recordShown(acted, node);
  }

  /** Records the description that a refusal gave to the agent. */
  update(entry: RefEntry, shown: RefDescription): void {
    this.#completelyRead = undefined;
    entry.shown = shown;
  }

  /** The entry of an element, if it has a ref. */
  entryOf(doc: string, id: number): RefEntry | undefined {
    return this.#byKey.get(`${doc}:${id}`);
  }

  /** Gives a ref to an element with the same description as one that is gone. */
  adopt(gone: RefEntry, id: number, shown: RefDescription): RefEntry {
    this.#completelyRead = undefined;
    const { document } = gone.node;
    const node: SnapshotNode = { ...gone.node, ...shown, id, key: `${document.doc}:${id}`, children: [] };
    this.#live.set(node.key, node);
    return this.#entryFor(node);
  }

  find(text: string): RefLookup {
    const number = Number(REF.exec(text)?.[1] ?? Number.NaN);
    const invalid = (why: string): RefLookup => ({ code: 'invalid_ref', message: why });
    if (Number.isNaN(number)) return invalid(`${JSON.stringify(text.slice(0, 60))} is not a ref. Refs look like @e12.`);
    const entry = this.#entries.get(number);
    if (entry === undefined) {
      if (number > 0 && number < this.#next) return stale(`@e${number}`);
      return invalid(`@e${number} does not exist in this session.`);
    }
    return this.#live.has(entry.node.key) ? { found: entry } : stale(entry.ref, { entry, like: this.#like(entry) });
  }

  /** Refs of what is now called like an element that is gone, in a row with the same text. */
  #like({ shown: { role, name, row } }: RefEntry): string[] {
    if (name === '') return [];
    const isLike = (node: SnapshotNode): boolean =>
      isInteractive(node) && node.role === role && node.name === name && node.row === row;
    const like = [...this.#live.values()].filter(isLike).slice(0, MOST_LIKE);
    return like.map(this.refOf);
  }

  /** Refs of lines in machine-readable form: of all shown nodes, and of folded ones up to `maxLength` characters. */
  record({ shown, folded = [], holders = [] }: Lines, maxLength: number): RefRecord {
    const refs: RefRecord = {};
    let length = 0;
    const add = (node: SnapshotNode): void => {
      const recorded = Object.freeze(recordOf(node));
      refs[this.refOf(node)] = recorded;
      const { role, name = '', row = '' } = recorded;
      length += role.length + name.length + row.length + RECORD_FRAME;
    };
    for (const node of [...shown.filter(isInteractive), ...holders]) add(node);
    for (const node of folded) {
      if (length > maxLength) break;
      add(node);
    }
    return refs;
  }

  /** What a person reads of an element now, and its place among those of the latest capture that read alike. */
  placeOf({ node }: RefEntry, now: RefText): RecordedElement & { index: number; count: number } {
    const record = recordOf(now);
    const alike = [...this.#live.values()].filter(
      other =>
        other === node ||
        ((isInteractive(other) || this.#granted.has(other.key)) && isSameRecord(recordOf(other), record)),
    );
    return { ...record, index: alike.indexOf(node), count: alike.length };
  }

  /** How an action identifies the element to the page, with all that must still be true of it. */
  target(entry: RefEntry): Target {
    const { document, id } = entry.node;
    return { doc: document.doc, id, fingerprint: entry.shown.fingerprint, lastId: entry.lastId };
  }

  #recordShown(entry: RefEntry, node: SnapshotNode): void {
    entry.shown = describeNode(node);
    entry.lastId = node.document.lastId;
  }

  /** Keeps entries of removed elements for a while, for errors that describe them. */
  #forgetDead(): void {
    if (this.#entries.size < 5000) return;
    const dead = [...this.#entries].filter(([, { node }]) => !this.#live.has(node.key));
    if (dead.length === 0) return;
    this.#age++;
    for (const [number, entry] of dead) {
      this.#entries.delete(number);
      this.#byKey.delete(entry.node.key);
      if (this.#entries.size < 2500) return;
    }
  }
}

function stale(ref: string, gone?: { entry: RefEntry; like: readonly string[] }): RefLookup {
  const what = gone === undefined ? '' : ` (${describeRef(gone.entry.shown)})`;
  return { code: 'stale_ref', message: `${ref}${what} is no longer on the page.${similar(gone?.like ?? [])}` };
}

/** Ends the message about an element that is gone. */
export function similar(refs: readonly string[]): string {
  return refs.length === 0 ? '' : ` Similar elements: ${refs.join(', ')}.`;
}
