import { getOrInsert } from '#page-engine/dom/get-or-insert.js';
import { Flag } from '#page-engine/protocol.js';
import { shortText } from '#page-engine/text/cut-text.js';
import { elementText, type RefOf } from '../snapshot/render.js';
import { everyNode, hasInteractive, isInteractive, type SnapshotNode, type ViewNode } from '../snapshot/tree.js';
import { type Calendar, calendarKeys, calendarsIn } from './calendars.js';

/** Flags that are not compared: the focus, which every action moves, and those that only affect rendering. */
const UNSPOKEN = Flag.Focused | Flag.NamedByContent | Flag.RowBeside | Flag.Labelled | Flag.Titled | Flag.Offered;
/** States that mark the current page of a site in its menus. */
export const OF_THE_PLACE = Flag.Current | Flag.Selected | Flag.Expanded | Flag.Collapsed;

/** Properties of a node that are rendered, and therefore compared. */
const COMPARED_FIELDS = [
  'value',
  'level',
  'editable',
  'popup',
  'options',
  'hint',
  'text',
  'takes',
] as const satisfies readonly (keyof SnapshotNode)[];

/** The flags of a node that are rendered as states, as bits of {@link Flag}. */
export function spokenFlags({ flags }: SnapshotNode): number {
  return flags & ~UNSPOKEN;
}

/** Whether two nodes render the same, regardless of their children. */
function saysSame(one: ViewNode, other: ViewNode): boolean {
  return one.role === other.role && one.name === other.name && isAlike(one.node, other.node);
}

/** Whether two captured nodes have the same properties and states. */
export function isAlike(one: SnapshotNode, other: SnapshotNode): boolean {
  return (
    spokenFlags(one) === spokenFlags(other) &&
    COMPARED_FIELDS.every(property => String(one[property]) === String(other[property]))
  );
}

function headOf({ role, name, node }: ViewNode, flags: number): string {
  return [role, name, flags, ...COMPARED_FIELDS.map(property => node[property] ?? '')].join('\u0001');
}

/**
 * Serializes views with their subtrees: equal for views that render the same, whichever elements they are made of.
 * @param ignored States that are not compared.
 */
export function signatures(ignored = 0): (item: ViewNode) => string {
  const known = new WeakMap<ViewNode, string>();
  const of = (item: ViewNode): string =>
    getOrInsert(known, item, () => {
      const head = headOf(item, spokenFlags(item.node) & ~ignored);
      return item.children.length === 0 ? head : `${head}\u0002${item.children.map(of).join('\u0003')}\u0004`;
    });
  return of;
}

/** The largest number of lines that a view can take. */
export function subtreeSize(item: ViewNode): number {
  return item.children.reduce((sum, child) => sum + subtreeSize(child), 1);
}

const ORDER_NAMES = 5;
const DIFF_NAME_LIMIT = 24;

/** The names of reordered items, such as `: "Beta", "Alpha", "Gamma", … (12)`. */
export function orderText(order: readonly ViewNode[]): string {
  const names = order.flatMap(item => itemLabelOf(item) ?? []);
  if (names.length < 2) return '';
  const listed = names.slice(0, ORDER_NAMES).map(name => JSON.stringify(shortenedName(name)));
  return `: ${listed.join(', ')}${names.length > listed.length ? `, … (${names.length})` : ''}`;
}

export function shortenedName(name: string): string {
  return shortText(name, DIFF_NAME_LIMIT);
}

/** The label of a row: its name, otherwise the first name inside it. */
export function itemLabelOf(item: ViewNode): string | undefined {
  if (item.name !== '') return item.name;
  for (const child of item.children) {
    const label = itemLabelOf(child);
    if (label !== undefined) return label;
  }
  return undefined;
}

export function namePart({ role, name }: ViewNode): string {
  return name === '' ? role : `${role} ${JSON.stringify(shortText(name, 60))}`;
}

/** Roles of rows, which are identified by the first name inside them. */
export const LABELLED_ROWS = new Set(['article', 'listitem', 'row', 'treeitem']);

/** The nearest ancestor of a change that identifies its place: one with a name, or a labelled row. */
export function nearestPlace({ parents }: { parents: readonly ViewNode[] }): ViewNode | undefined {
  return parents.findLast(
    item => item.name !== '' || (LABELLED_ROWS.has(item.role) && itemLabelOf(item) !== undefined),
  );
}

export function nearestNamed(parents: readonly ViewNode[]): ViewNode | undefined {
  return parents.findLast(({ name }) => name !== '');
}

export function placeText(place: ViewNode, refOf: RefOf): string {
  const name = place.name === '' ? shortenedName(itemLabelOf(place) ?? '') : place.name;
  return elementText({ ...place, name }, refOf, place.node);
}

interface PlacedChange {
  /** The ancestors, outermost first. */
  parents: readonly ViewNode[];
}

/** One difference between two captures of a page. */
export type PageChange = PlacedChange &
  (
    | { kind: 'added'; item: ViewNode }
    /** It is back: an earlier capture had it, and the previous one did not. */
    | { kind: 'again'; item: ViewNode }
    | { kind: 'changed'; item: ViewNode; was: ViewNode }
    /** It renders as before, but is made of new elements. */
    | { kind: 'renewed'; item: ViewNode; was: ViewNode }
    /** It has another parent now; `beside` is its new neighbour. */
    | { kind: 'moved'; item: ViewNode; beside?: Beside | undefined }
    /** Its children are in another order; `item` is undefined at the top level. */
    | { kind: 'reordered'; item: ViewNode | undefined; order: readonly ViewNode[] }
    | { kind: 'removed'; was: ViewNode }
    /** A calendar shows another month, or many of its days have another state. */
    | { kind: 'days'; calendar: Calendar }
    | { kind: 'selected'; text: string }
    /** The selection, or the element that was acted on, is styled differently, in words such as `underlined`. */
    | { kind: 'restyled'; text: string; key?: string; tag?: string; gained: readonly string[]; lost: readonly string[] }
    | { kind: 'titled'; title: string }
    /** The page scrolled itself; `heading` is the first one in view. */
    | { kind: 'scrolled'; heading: string | undefined; percent: number }
    /** A carousel or similar box shows other items. */
    | { kind: 'slid'; into: readonly string[]; out: readonly string[] }
    /** The content of canvases with these names has changed. */
    | { kind: 'drawn'; names: readonly string[] }
    /** An attribute that only affects the styling of an element has changed. */
    | { kind: 'attribute'; key: string; tag: string; how: string }
  );

/** The place of a node among its siblings. */
interface Beside {
  where: 'after' | 'before';
  item: ViewNode;
}

/** The nodes of this document that the agent has read and that the previous capture did not have, by key. */
export type Memory = ReadonlyMap<string, SnapshotNode>;

/** All differences between the page as the agent knows it and as it is now, in document order. */
export function compareViews(
  before: readonly ViewNode[],
  after: readonly ViewNode[],
  memory: Memory = new Map(),
): PageChange[] {
  const comparison = new Comparison(before, after, memory);
  comparison.children({ before, after, parents: [] });
  return withCalendars(comparison.changes, before, after);
}

/** Days whose states changed are reported one by one up to this number. */
const SINGLE_DAYS = 4;

/** Joins the changes of the days of each calendar that shows another month, or other states. */
function withCalendars(changes: PageChange[], before: readonly ViewNode[], after: readonly ViewNode[]): PageChange[] {
  if (changes.length === 0) return changes;
  const calendars = calendarsIn(after);
  if (calendars.length === 0) return changes;
  const old = new Set(calendarsIn(before).flatMap(calendar => [...calendarKeys(before, calendar)]));
  return calendars.reduce((left, calendar) => {
    const keys = calendarKeys(after, calendar);
    const about = left.filter(change => isAboutDays(change, keys));
    // A calendar that opened is written with what is around it.
    if (old.size === 0 && about.every(({ kind }) => kind === 'added' || kind === 'again')) return left;
    const isNew = about.some(change => showsOtherDays(change, calendar));
    const [first] = about;
    if (first === undefined || !(isNew || about.length > SINGLE_DAYS)) return left;
    const parents = first.parents.filter(({ node }) => !keys.has(node.key));
    const joined: PageChange = { kind: 'days', calendar, parents };
    return left.flatMap(change => {
      if (change === first) return [joined];
      return isAboutDays(change, keys) || (change.kind === 'removed' && old.has(change.was.node.key)) ? [] : [change];
    });
  }, changes);
}

/** Whether a change of a calendar's part is more than a state or a mark of a day. */
function showsOtherDays(change: PageChange, { parts }: Calendar): boolean {
  if (change.kind === 'changed') return change.item.name.replace(/\D+/g, ' ') !== change.was.name.replace(/\D+/g, ' ');
  if (change.kind !== 'added' && change.kind !== 'again' && change.kind !== 'renewed') return true;
  const partKeys = new Set([...parts].map(({ node }) => node.key));
  const holdsPart = ({ node, children }: ViewNode): boolean => partKeys.has(node.key) || children.some(holdsPart);
  return holdsPart(change.item);
}

function isAboutDays(change: PageChange, keys: ReadonlySet<string>): boolean {
  if (change.kind === 'reordered') return change.order.some(({ node }) => keys.has(node.key));
  return 'item' in change && change.item !== undefined && keys.has(change.item.node.key);
}

interface ComparedSiblings extends PlacedChange {
  before: readonly ViewNode[];
  after: readonly ViewNode[];
  /** The parent in the earlier capture; undefined at the top level. */
  oldParent?: ViewNode;
}

/** The earlier view of each current one. */
type Pairs = Map<ViewNode, ViewNode>;

class Comparison {
  readonly changes: PageChange[] = [];
  readonly #signature = signatures();
  readonly #before = new Map<string, { item: ViewNode; parent: ViewNode | undefined }>();
  readonly #now: ReadonlySet<string>;

  constructor(
    before: readonly ViewNode[],
    after: readonly ViewNode[],
    readonly memory: Memory,
  ) {
    for (const item of before) this.#before.set(item.node.key, { item, parent: undefined });
    for (const parent of everyNode(before))
      for (const item of parent.children) this.#before.set(item.node.key, { item, parent });
    this.#now = new Set(Array.from(everyNode(after), ({ node }) => node.key));
  }

  children(siblings: ComparedSiblings): void {
    const { before, after, parents } = siblings;
    const pairs = this.#pairs(siblings);
    const start = this.changes.length;
    let changed = 0;
    for (const item of after) {
      const count = this.changes.length;
      const was = pairs.get(item);
      if (was === undefined) this.#added(item, parents);
      else this.#compare(was, item, siblings);
      if (this.changes.length > count) changed++;
    }
    // The same rows in another order, whether the elements were moved or their contents were replaced.
    const isPermuted = changed > 1 && this.#isPermuted(siblings);
    if (isPermuted) this.changes.length = start;
    if (isPermuted || isShuffled(siblings, pairs))
      this.changes.push({ kind: 'reordered', item: parents.at(-1), order: after, parents: parents.slice(0, -1) });
    const paired = new Set(pairs.values());
    for (const was of before)
      if (!paired.has(was) && !this.#now.has(was.node.key)) this.changes.push({ kind: 'removed', was, parents });
  }

  #compare(was: ViewNode, item: ViewNode, { after, parents, oldParent }: ComparedSiblings): void {
    const known = this.#before.get(item.node.key);
    if (known === undefined && this.#signature(was) === this.#signature(item)) {
      if (hasInteractive(item)) this.changes.push({ kind: 'renewed', item, was, parents });
      return;
    }
    if (!saysSame(was, item)) this.changes.push({ kind: 'changed', item, was, parents });
    else if (known !== undefined && known.parent !== oldParent && this.#hasMoved(known.parent) && !isTied(was, item))
      this.changes.push({ kind: 'moved', item, beside: besideOf(item, after), parents });
    this.children({ before: was.children, after: item.children, parents: [...parents, item], oldParent: was });
  }

  /** A node counts as moved only if its old parent still exists; otherwise its surroundings are gone. */
  #hasMoved(parent: ViewNode | undefined): boolean {
    return parent === undefined || this.#now.has(parent.node.key);
  }

  /** Pairs siblings by key first, then by rendering, then by role at the same position. */
  #pairs({ before, after }: ComparedSiblings): Pairs {
    const pairs: Pairs = new Map();
    for (const item of after) {
      const known = this.#before.get(item.node.key);
      if (known !== undefined) pairs.set(item, known.item);
    }
    const left = new Set(before.filter(item => !this.#now.has(item.node.key)));
    if (left.size === 0 || pairs.size === after.length) return pairs;
    const inRow = (item: ViewNode): string | undefined =>
      item.node.row === '' ? undefined : `${item.node.row}\0${this.#signature(item)}`;
    for (const keyOf of [inRow, this.#signature, containerHead]) pairBy(keyOf, { after, pairs, left });
    pairNeighbours(before, { after, pairs, left });
    return pairs;
  }

  /** Whether both lists render the same children in a different order. */
  #isPermuted({ before, after }: ComparedSiblings): boolean {
    if (before.length !== after.length || before.length < 2) return false;
    const was = before.map(this.#signature);
    const now = after.map(this.#signature);
    const areSame = (): boolean => was.every((text, index) => text === now[index]);
    if (areSame()) return false;
    was.sort();
    now.sort();
    return areSame();
  }

  #added(item: ViewNode, parents: readonly ViewNode[]): void {
    if (this.#wasRead(item)) this.#again(item, parents);
    else {
      const added = this.#newIn(item, [...parents, item]);
      const moved = saysNothing(added) ? item.children.filter(child => this.#hasLeft(child)) : [];
      if (moved.length === 0) this.changes.push({ kind: 'added', item: added, parents });
      for (const child of moved) this.changes.push({ kind: 'moved', item: child, parents: [...parents, item] });
    }
  }

  /** Whether its old parent still exists. */
  #hasLeft({ node }: ViewNode): boolean {
    const parent = this.#before.get(node.key)?.parent;
    return parent !== undefined && this.#hasMoved(parent);
  }

  /** Reports a part that is back as one change, and new nodes in it separately. */
  #again(item: ViewNode, parents: readonly ViewNode[]): void {
    this.changes.push({ kind: 'again', item, parents });
    const visit = (around: ViewNode, path: readonly ViewNode[]): void => {
      for (const child of around.children) {
        if (this.#wasRead(child)) visit(child, [...path, child]);
        else if (!this.#before.has(child.node.key)) this.#added(child, path);
      }
    };
    visit(item, [...parents, item]);
  }

  /** A new view without known nodes that only moved into it. */
  #newIn(item: ViewNode, path: readonly ViewNode[]): ViewNode {
    if (item.children.length === 0) return item;
    const children = item.children.flatMap(child => {
      if (this.#before.has(child.node.key)) return [];
      if (this.#wasRead(child)) {
        this.#again(child, path);
        return [];
      }
      return [this.#newIn(child, [...path, child])];
    });
    return { ...item, children };
  }

  #wasRead({ node }: ViewNode): boolean {
    const read = this.memory.get(node.key);
    return read !== undefined && read.name === node.name && read.value === node.value;
  }
}

/** A popup that is below its opener in one capture and at its place in the document in the other has not moved. */
function isTied(was: ViewNode, item: ViewNode): boolean {
  return was.node.isTied === true || item.node.isTied === true;
}

function saysNothing({ node, name, children }: ViewNode): boolean {
  return children.length === 0 && name === '' && !isInteractive(node);
}

function besideOf(item: ViewNode, siblings: readonly ViewNode[]): Beside | undefined {
  const index = siblings.indexOf(item);
  const [before, after] = [siblings[index - 1], siblings[index + 1]];
  if (before !== undefined) return { where: 'after', item: before };
  return after && { where: 'before', item: after };
}

interface Unpaired {
  after: readonly ViewNode[];
  pairs: Pairs;
  left: Set<ViewNode>;
}

function pairBy(keyOf: (item: ViewNode) => string | undefined, { after, pairs, left }: Unpaired): void {
  const byKey = Map.groupBy(left, keyOf);
  for (const item of after) {
    const key = pairs.has(item) ? undefined : keyOf(item);
    const was = key === undefined ? undefined : byKey.get(key)?.shift();
    if (was === undefined) continue;
    pairs.set(item, was);
    left.delete(was);
  }
}

/** Roles of one among many of a kind: a new one is not paired with an old one as a change of content. */
const UNNAMED_ROW_ROLES = new Set(['article', 'listitem', 'row']);

/** A container that was rendered again with other contents is the same to a reader. */
function containerHead({ role, name, children, node }: ViewNode): string | undefined {
  if (children.length === 0 || isInteractive(node) || (name === '' && UNNAMED_ROW_ROLES.has(role))) return undefined;
  return `${role}\0${name}`;
}

/** Pairs a text with the one that it replaced, as a changed text. */
function pairNeighbours(before: readonly ViewNode[], { after, pairs, left }: Unpaired): void {
  const places = new Map(before.map((item, index) => [item, index]));
  const strangers: ViewNode[] = [];
  for (const [index, item] of after.entries()) {
    if (pairs.has(item) || isInteractive(item.node)) continue;
    const neighbour = index === 0 ? undefined : pairs.get(after[index - 1] as ViewNode);
    const place = index === 0 ? 0 : neighbour === undefined ? undefined : (places.get(neighbour) ?? -2) + 1;
    const was = place === undefined ? undefined : before[place];
    if (was === undefined || !left.has(was) || was.role !== item.role || isInteractive(was.node)) continue;
    if (isOtherRow(item, was)) continue;
    pairs.set(item, was);
    left.delete(was);
    if (isRenewedRow(item, was)) strangers.push(item);
  }
  if (strangers.length < REPLACED_ROWS) return;
  for (const item of strangers) pairs.delete(item);
}

/** This many rows with other labels are other rows, such as those of the next page of a list. */
const REPLACED_ROWS = 3;

function isRenewedRow(item: ViewNode, was: ViewNode): boolean {
  return (
    UNNAMED_ROW_ROLES.has(item.role) &&
    item.children.length > 0 &&
    labelWithoutNumbers(item) !== labelWithoutNumbers(was)
  );
}

/** Whether a row has another label and less than half of its texts from an old one, as after a sort. */
function isOtherRow(item: ViewNode, was: ViewNode): boolean {
  if (!UNNAMED_ROW_ROLES.has(item.role) || itemLabelOf(item) === itemLabelOf(was)) return false;
  const texts = rowTextsOf(item);
  const before = new Set(rowTextsOf(was));
  return texts.length > 1 && texts.filter(text => before.has(text)).length * 2 < texts.length;
}

function rowTextsOf({ node, name, children }: ViewNode): string[] {
  const own = name === '' || isInteractive(node) ? [] : [name];
  return [...own, ...children.flatMap(rowTextsOf)];
}

/** The label of a row without numbers, which may be counters. */
function labelWithoutNumbers(item: ViewNode): string | undefined {
  return itemLabelOf(item)?.replace(/\d+/g, '');
}

/**
 * Whether siblings that stayed are in another order, or those that were rendered again unchanged. Both are checked
 * separately, because a new sibling may match an old one by chance.
 */
function isShuffled({ before, after }: ComparedSiblings, pairs: Pairs): boolean {
  const places = new Map(before.map((item, index) => [item, index]));
  const stayed: number[] = [];
  const renewed: number[] = [];
  for (const item of after) {
    const was = pairs.get(item);
    const place = was === undefined ? undefined : places.get(was);
    if (was === undefined || place === undefined) continue;
    if (was.node.key === item.node.key) stayed.push(place);
    else if (item.role !== 'text' && itemLabelOf(item) === itemLabelOf(was)) renewed.push(place);
  }
  return !isRising(stayed) || !isRising(renewed);
}

function isRising(places: readonly number[]): boolean {
  return places.every((place, index) => index === 0 || place > (places[index - 1] ?? -1));
}
