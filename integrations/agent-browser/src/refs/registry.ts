import type { Target } from '../page/protocol.js';
import { everyNode, isInteractive, type PageSnapshot, type SnapshotNode } from '../snapshot/tree.js';

/** The description of a ref's element that the agent was given. */
export interface RefDescription {
  role: string;
  name: string;
  row: string;
  fingerprint: number;
}

function describeNode(node: SnapshotNode): RefDescription {
  return { role: node.role, name: node.name, row: node.row, fingerprint: node.fingerprint };
}

/** How much of a name and of a row is said. */
const SAID = 80;
/** How much text is shown before the point where two texts begin to differ. */
const BEFORE = 20;

/** Such as `button "Delete" in "Alpha"`. */
export function describeRef(told: Pick<RefDescription, 'role' | 'name' | 'row'>): string {
  const name = told.name === '' ? '' : ` ${JSON.stringify(told.name.slice(0, SAID))}`;
  const row = told.row === '' ? '' : ` in ${JSON.stringify(told.row.slice(0, SAID))}`;
  return `${told.role}${name}${row}`;
}

type Said = Pick<RefDescription, 'role' | 'name' | 'row'>;

/** The old and the new description of an element, each cut so that the difference shows. */
export function describeChange(was: Said, now: Said): [was: string, now: string] {
  const [wasName, nowName] = cutToDifference(was.name, now.name);
  const [wasRow, nowRow] = cutToDifference(was.row, now.row);
  return [
    describeRef({ role: was.role, name: wasName, row: wasRow }),
    describeRef({ role: now.role, name: nowName, row: nowRow }),
  ];
}

function cutToDifference(was: string, now: string): [was: string, now: string] {
  let same = 0;
  while (same < was.length && was[same] === now[same]) same++;
  if (was === now || Math.max(was.length, now.length) <= SAID || same < SAID - BEFORE) return [was, now];
  const from = was.lastIndexOf(' ', same - BEFORE) + 1 || same - BEFORE;
  return [`…${was.slice(from)}`, `…${now.slice(from)}`];
}

/** One ref: an element, and what the agent was told of it. */
export interface RefEntry {
  /** Such as `@e12`. */
  readonly ref: string;
  /** The element as it was in the latest capture that had it. */
  node: SnapshotNode;
  told: RefDescription;
  /** Highest element id of the document when the agent was told: a replacement must be newer. */
  lastId: number;
}

/** Namesakes on either side that a row is compared with. */
const NEARBY_IDS = 2;

/** What an action has changed. */
interface Deed {
  acted: RefEntry;
  /** The elements that were on the page before it and that are there after it, by their keys. */
  before: ReadonlyMap<string, SnapshotNode>;
  after: ReadonlyMap<string, SnapshotNode>;
}

/** Elements whose row says something else because of an action that left it the row that it was. `entries` are in the order of the page. */
function changedInPlace(entries: Iterable<RefEntry>, { acted, before, after }: Deed): RefEntry[] {
  const restocked = new Set([...missingIn(after, before), ...missingIn(before, after)]);
  const byName = new Map<string, RefEntry[]>();
  for (const entry of entries) {
    const { told, node } = entry;
    if (told.role !== node.role || told.name !== node.name) continue;
    const key = calledIn(node);
    const namesakes = byName.get(key);
    if (namesakes === undefined) byName.set(key, [entry]);
    else namesakes.push(entry);
  }
  return [...byName].flatMap(([called, namesakes]) => {
    const changed = namesakes.filter(({ told, node }) => told.fingerprint !== node.fingerprint);
    // A list that is used anew for other items changes in several rows, or has more or fewer of them.
    if (changed.length === 1 && !restocked.has(called)) return changed;
    return changed.filter(entry => isSameRow(entry, { namesakes, i: namesakes.indexOf(entry), acted }));
  });
}

function calledIn({ document, role, name }: SnapshotNode): string {
  return `${document.doc} ${role} ${name}`;
}

/** How those elements are called that one page has and the other does not. */
function missingIn(page: Deed['after'], other: Deed['after']): string[] {
  return [...other].flatMap(([key, node]) => (page.has(key) ? [] : [calledIn(node)]));
}

/**
 * A list that is used anew for other items shows what another row has shown, or shows elsewhere what this one did. Else a
 * row is known by a word that those near it did not have, or, where the action was in it, by being told by numbers alone.
 */
function isSameRow(
  { told, node }: RefEntry,
  { namesakes, i, acted }: { namesakes: readonly RefEntry[]; i: number; acted: RefEntry },
): boolean {
  const hasMoved = namesakes.some(
    other =>
      other.told.row !== other.node.row &&
      other !== namesakes[i] &&
      (other.told.row === node.row || other.node.row === told.row),
  );
  if (hasMoved) return false;
  const near = namesakes
    .slice(Math.max(0, i - NEARBY_IDS), i + NEARBY_IDS + 1)
    .map(other => new Set(other.told.row.split(' ')));
  const words = new Set(node.row.split(' '));
  const isTelling = (word: string): boolean =>
    words.has(word) && near.filter(said => said.has(word)).length <= NEARBY_IDS;
  if (told.row.split(' ').some(isTelling)) return true;
  return told.row === acted.told.row && node.row === acted.node.row && !/\p{L}/u.test(told.row);
}

/** Nodes whose refs stand in some lines. */
interface Lines {
  shown: readonly SnapshotNode[];
  /** Those in folds, and what folds are in. */
  folded?: readonly SnapshotNode[];
  holders?: readonly SnapshotNode[];
}

/** A name in a record has no more characters; a page can put a book into a link. */
const RECORDED_NAME = 500;
/** The same of what tells its row. */
const RECORDED_ROW = 120;
/** Characters of an entry beside role and name. */
const RECORD_FRAME = 30;

/** Refs as programs read them. `row` tells one of several alike from the others, where its name does not say it. */
export type RefRecord = Record<string, { role: string; name?: string; row?: string }>;

type RefLookup = { found: RefEntry } | { code: 'invalid_ref' | 'stale_ref'; message: string };

const REF = /^\s*(?:ref=)?@?e(\d{1,9})\s*$/i;

/**
 * The refs of one session. A number is given to one element and never to another, in whatever document or frame.
 * Invariant: a ref that is found is in the latest capture of the page.
 */
export class RefRegistry {
  #entries = new Map<number, RefEntry>();
  #numbers = new Map<string, number>();
  #live = new Map<string, SnapshotNode>();
  /** Nodes that captures list to be read, if at all, and that the agent was given to act on. */
  #granted = new Map<string, SnapshotNode>();
  /** The tree that the agent was told all of, as long as nothing else was said since. */
  #told: readonly SnapshotNode[] | undefined;
  #age = 0;
  #next: number;

  /** @param first The number of the first ref. */
  constructor(first = 1) {
    this.#next = first;
  }

  /** The number of the next ref. */
  get next(): number {
    return this.#next;
  }

  /** Texts that were written in another age may hold refs that nothing is known of any more. */
  get age(): number {
    return this.#age;
  }

  /** Numbers below were given out by another process. */
  skipTo(next: number): void {
    this.#next = Math.max(this.#next, next);
  }

  /**
   * Takes over a new capture: what is not in it is stale from now on. `complete` says that the agent reads all of it; if not, changed elements keep what the agent was told of them, so that acting on them is refused once.
   */
  replace(page: PageSnapshot, complete: boolean): void {
    if (page.roots === this.#told) return;
    this.#told = complete ? page.roots : undefined;
    this.#live = new Map();
    for (const node of everyNode(page.roots)) {
      this.#live.set(node.key, node);
      const number = this.#numbers.get(node.key);
      const entry = number === undefined ? undefined : this.#entries.get(number);
      if (entry === undefined) continue;
      if (node.fingerprint === 0 && this.#granted.has(node.key)) continue;
      entry.node = node;
      if (complete || entry.told.fingerprint === node.fingerprint) this.#tell(entry, node);
    }
    this.#keepGranted();
    this.#forgetDead();
  }

  /** A granted node is there as long as its document is; whether the element is, its page knows. */
  #keepGranted(): void {
    if (this.#granted.size === 0) return;
    const documents = new Set([...this.#live.values()].map(({ document }) => document.doc));
    for (const [key, node] of this.#granted) {
      const isActedOnAnyway = (this.#live.get(key)?.fingerprint ?? 0) !== 0;
      if (isActedOnAnyway || !documents.has(node.document.doc)) this.#granted.delete(key);
      else this.#live.set(key, node);
    }
  }

  /** Gives a ref to act on to the element that holds a node which is listed only to be read. */
  grant(node: SnapshotNode, id: number, told: RefDescription): string {
    const key = `${node.document.doc}:${id}`;
    const live = this.#live.get(key);
    if (live !== undefined && live.fingerprint !== 0) return this.refOf(live);
    const granted: SnapshotNode = { ...node, ...told, id, key, children: [] };
    this.#granted.set(key, granted);
    this.#live.set(key, granted);
    const ref = this.refOf(granted);
    const entry = this.entryOf(node.document.doc, id);
    if (entry !== undefined) {
      entry.node = granted;
      this.#tell(entry, granted);
    }
    return ref;
  }

  /** The nodes of the latest capture, by key. */
  get live(): ReadonlyMap<string, SnapshotNode> {
    return this.#live;
  }

  /** Everything is stale: the browser that held the elements is gone. Nothing of it is kept; numbers go on counting. */
  clear(): void {
    this.#age++;
    this.#told = undefined;
    this.#live.clear();
    this.#granted.clear();
    this.#entries.clear();
    this.#numbers.clear();
  }

  /** The ref of a node, given now if it has none. The agent is told of the node as it is. */
  refOf(node: SnapshotNode): string {
    let number = this.#numbers.get(node.key);
    let entry = number === undefined ? undefined : this.#entries.get(number);
    if (entry === undefined) {
      number = this.#next++;
      const { document } = node;
      entry = { ref: `@e${number}`, node, told: describeNode(node), lastId: document.lastId };
      this.#entries.set(number, entry);
      this.#numbers.set(node.key, number);
    }
    return entry.ref;
  }

  /** The agent has now read these lines. */
  tell(nodes: readonly SnapshotNode[]): void {
    for (const node of nodes) {
      const number = this.#numbers.get(node.key);
      const entry = number === undefined ? undefined : this.#entries.get(number);
      if (entry !== undefined) this.#tell(entry, node);
    }
  }

  /**
   * The agent has read all that came of what it did to an element: it knows that element for what it is now. What its action
   * changed in a row makes no other row of it.
   */
  acknowledgeActionResult(acted: RefEntry, before: ReadonlyMap<string, SnapshotNode>): void {
    const deed = { acted, before, after: this.#live };
    for (const entry of changedInPlace(this.#liveEntries(), deed)) this.#tell(entry, entry.node);
    if (this.#live.get(acted.node.key) === acted.node) this.#tell(acted, acted.node);
  }

  /** In the order of the page. */
  *#liveEntries(): Generator<RefEntry> {
    for (const key of this.#live.keys()) {
      const entry = this.#entries.get(this.#numbers.get(key) ?? 0);
      if (entry !== undefined) yield entry;
    }
  }

  /** The agent was told, by a refusal, what the element says now. */
  update(entry: RefEntry, told: RefDescription): void {
    this.#told = undefined;
    entry.told = told;
  }

  /** The entry of an element in the latest capture. */
  entryOf(doc: string, id: number): RefEntry | undefined {
    const number = this.#numbers.get(`${doc}:${id}`);
    return number === undefined ? undefined : this.#entries.get(number);
  }

  /** Gives a ref to an element that says what one that is gone said. */
  adopt(gone: RefEntry, id: number, told: RefDescription): RefEntry {
    this.#told = undefined;
    const { document } = gone.node;
    const node: SnapshotNode = { ...gone.node, ...told, id, key: `${document.doc}:${id}`, children: [] };
    this.#live.set(node.key, node);
    const number = Number(this.refOf(node).slice(2));
    const entry = this.#entries.get(number);
    if (entry === undefined) throw new Error(`ref @e${number} was given and is not known`);
    return entry;
  }

  find(text: string): RefLookup {
    const number = Number(REF.exec(text)?.[1] ?? Number.NaN);
    if (Number.isNaN(number)) {
      return {
        code: 'invalid_ref',
        message: `${JSON.stringify(text.slice(0, 60))} is not a ref. Refs look like @e12.`,
      };
    }
    const entry = this.#entries.get(number);
    if (entry === undefined) {
      if (number > 0 && number < this.#next) return stale(`@e${number}`);
      return { code: 'invalid_ref', message: `@e${number} does not exist in this session.` };
    }
    return this.#live.has(entry.node.key) ? { found: entry } : stale(entry.ref, entry);
  }

  /** Refs in lines as programs read them: of all that are shown, and of the folded ones while it has fewer characters. */
  record({ shown, folded = [], holders = [] }: Lines, maxLength: number): RefRecord {
    const refs: RefRecord = {};
    let length = 0;
    const add = (node: SnapshotNode): void => {
      const { role } = node;
      const name = node.name.length > RECORDED_NAME ? `${node.name.slice(0, RECORDED_NAME)}…` : node.name;
      const row = name.includes(node.row) ? '' : node.row.slice(0, RECORDED_ROW);
      refs[this.refOf(node)] = Object.freeze({ role, ...(name !== '' && { name }), ...(row !== '' && { row }) });
      length += role.length + name.length + row.length + RECORD_FRAME;
    };
    for (const node of shown) if (isInteractive(node)) add(node);
    for (const node of holders) add(node);
    for (const node of folded) {
      if (length > maxLength) break;
      add(node);
    }
    return refs;
  }

  /** How an action names the element to the page, with all that must still be true of it. */
  target(entry: RefEntry): Target {
    const { document, id } = entry.node;
    return { doc: document.doc, id, fingerprint: entry.told.fingerprint, lastId: entry.lastId };
  }

  #tell(entry: RefEntry, node: SnapshotNode): void {
    entry.told = describeNode(node);
    entry.lastId = node.document.lastId;
  }

  /** Entries of elements that are gone are kept for a while, to say what they were. */
  #forgetDead(): void {
    if (this.#entries.size < 5000) return;
    const dead = [...this.#entries].filter(([, { node }]) => !this.#live.has(node.key));
    if (dead.length === 0) return;
    this.#age++;
    for (const [number, entry] of dead) {
      this.#entries.delete(number);
      this.#numbers.delete(entry.node.key);
      if (this.#entries.size < 2500) return;
    }
  }
}

function stale(ref: string, entry?: RefEntry): RefLookup {
  const what = entry === undefined ? '' : ` (${describeRef(entry.told)})`;
  return { code: 'stale_ref', message: `${ref}${what} is no longer on the page.` };
}
