import { pruneToContent, pruneToInteractive } from '../snapshot/prune.js';
import { counted, type Line, type RefOf, refRuns } from '../snapshot/render.js';
import { everyNode, isInteractive, type PageSnapshot, type SnapshotNode, type ViewNode } from '../snapshot/tree.js';
import { type Memory, Signatures, shortenedName, subtreeSize } from './compare.js';

export function keysIn(roots: readonly SnapshotNode[]): Set<string> {
  return new Set(Array.from(everyNode(roots), ({ key }) => key));
}

/** The nodes of a page with those parts of how it was, of these keys, that it has no more. */
export function withBehind(
  before: readonly SnapshotNode[],
  now: readonly SnapshotNode[],
  behind: ReadonlySet<string>,
): SnapshotNode[] {
  return new Merger(before, now, behind).merged();
}

class Merger {
  readonly #present: ReadonlySet<string>;
  readonly #old = new Map<string, SnapshotNode>();
  readonly #roots: ReadonlyMap<string, SnapshotNode>;
  /** What a modal dialog left alone in the capture, and stands where it stood. */
  readonly #inside = new Set<string>();

  constructor(
    readonly before: readonly SnapshotNode[],
    readonly now: readonly SnapshotNode[],
    readonly behind: ReadonlySet<string>,
  ) {
    this.#present = keysIn(now);
    this.#roots = new Map(now.map(node => [node.key, node]));
    for (const node of everyNode(before)) {
      this.#old.set(node.key, node);
      if (!behind.has(node.key)) continue;
      for (const { key } of everyNode(node.children)) if (this.#roots.has(key)) this.#inside.add(key);
    }
  }

  merged(): SnapshotNode[] {
    const now = this.now.filter(({ key }) => !this.#inside.has(key));
    return this.#together(this.before, now);
  }

  /** What is behind stands after what it stood after. */
  #together(before: readonly SnapshotNode[], now: readonly SnapshotNode[]): SnapshotNode[] {
    const own = new Set(now.map(({ key }) => key));
    const first: SnapshotNode[] = [];
    const after = new Map<string, SnapshotNode[]>();
    let place = first;
    for (const node of before) {
      if (own.has(node.key)) {
        place = [];
        after.set(node.key, place);
      } else if (this.behind.has(node.key)) place.push(this.#kept(node));
    }
    return [...first, ...now.flatMap(node => [this.#grown(node), ...(after.get(node.key) ?? [])])];
  }

  #grown(node: SnapshotNode): SnapshotNode {
    const old = this.#old.get(node.key);
    if (old === undefined || old.children.length === 0) return node;
    return { ...node, children: this.#together(old.children, node.children) };
  }

  #kept(node: SnapshotNode): SnapshotNode {
    const children = node.children.flatMap(child => {
      const root = this.#roots.get(child.key);
      if (root !== undefined) return [this.#grown(root)];
      return this.#present.has(child.key) ? [] : [this.#kept(child)];
    });
    return { ...node, children };
  }
}

/** A familiar sequence is folded when it takes at least so many lines. */
const SHORTEST_FOLD = 3;
/** So many controls of a fold are named. */
const MOST_NAMES_OF_KNOWN = 8;
/** Parts around what a page is about, which pages of one site share. */
const MENU_LANDMARKS: ReadonlySet<string> = new Set([
  'banner',
  'contentinfo',
  'menu',
  'menubar',
  'navigation',
  'search',
]);
/** Nothing that a page is about is left out for having been on the page before. */
const NEVER_FOLDED = new Set(['alert', 'alertdialog', 'dialog', 'main', 'status']);

/**
 * Folds what a page shares with the page before it, such as header, menus and footer, into one line for each run, which
 * names the refs that it has on this page. Of its main part only the menus in it are folded.
 * @param before What the agent was told of that page.
 */
export function foldFamiliar(views: readonly ViewNode[], before: readonly ViewNode[], refOf: RefOf): ViewNode[] {
  const signatures = new Signatures(true);
  const known = new Set<string>();
  const learn = (items: readonly ViewNode[]): void => {
    for (const item of items) {
      known.add(signatures.of(item));
      learn(item.children);
    }
  };
  learn(before);
  const isKnown = (item: ViewNode): boolean => !NEVER_FOLDED.has(item.role) && known.has(signatures.of(item));
  return foldRuns(views, { isKnown, isInMain: false, refOf });
}

interface KnownFolding {
  isKnown: (item: ViewNode) => boolean;
  isInMain: boolean;
  refOf: RefOf;
}

function foldRuns(views: readonly ViewNode[], folding: KnownFolding): ViewNode[] {
  const { isKnown, isInMain } = folding;
  const isFolded = (item: ViewNode): boolean => (!isInMain || MENU_LANDMARKS.has(item.role)) && isKnown(item);
  const out: ViewNode[] = [];
  for (let start = 0; start < views.length; ) {
    let end = start;
    while (end < views.length && isFolded(views[end] as ViewNode)) end++;
    const run = views.slice(start, Math.max(end, start + 1));
    out.push(...foldedRun(run, end > start, folding));
    start += run.length;
  }
  return out;
}

function foldedRun(run: readonly ViewNode[], isRun: boolean, { isInMain, ...folding }: KnownFolding): ViewNode[] {
  const size = run.reduce((sum, item) => sum + subtreeSize(item), 0);
  if (isRun && size >= SHORTEST_FOLD) return [foldView(run, size, folding.refOf)];
  return run.map(item => {
    if (isRun || item.children.length === 0) return item;
    const inside = { ...folding, isInMain: item.role === 'main' || (isInMain && !MENU_LANDMARKS.has(item.role)) };
    return { ...item, children: foldRuns(item.children, inside) };
  });
}

/** A line that stands for a run: few controls by name, of many the refs. */
function foldView(run: readonly ViewNode[], size: number, refOf: RefOf): ViewNode {
  const [first] = run;
  const only = run.length === 1 && first !== undefined && first.children.length > 0 ? first : undefined;
  const { key, id, document, distance } = (first as ViewNode).node;
  const controls = controlsIn(run);
  const isFew = controls.length > 0 && controls.length <= MOST_NAMES_OF_KNOWN;
  const named = controls.map(({ node, name }) => `${JSON.stringify(shortenedName(name))} ${refOf(node)}`).join(', ');
  const refs = refRuns(controls.map(({ node }) => refOf(node)));
  const who = only === undefined ? '…' : `${only.role}${only.name === '' ? '' : ` ${JSON.stringify(only.name)}`}`;
  const role = `${who} as before: ${isFew ? named : `${counted(size, 'line')}${refs}`}`;
  const node: SnapshotNode = {
    key: `${key}:familiar`,
    id,
    document,
    distance,
    role: 'familiar',
    name: '',
    flags: 0,
    fingerprint: 0,
    row: '',
    children: [],
  };
  return { node, role, name: '', children: [], standsFor: viewNodes(run) };
}

function viewNodes(views: readonly ViewNode[]): SnapshotNode[] {
  return views.flatMap(({ node, children }) => [node, ...viewNodes(children)]);
}

function controlsIn(views: readonly ViewNode[]): ViewNode[] {
  return views.flatMap(item => [...(isInteractive(item.node) ? [item] : []), ...controlsIn(item.children)]);
}

/** Nodes that are remembered of a document beside those of the latest look. */
const MOST_REMEMBERED = 20_000;

/** A page as the agent has read it. What to compare with is made when something is compared. */
export class KnownPage {
  #views: readonly ViewNode[] | undefined;
  readonly #memory: Map<string, SnapshotNode>;
  /** Keys of nodes whose lines the agent was given. */
  readonly #told: Set<string>;
  /** Keys of nodes that are behind an open popup. */
  readonly #behind: ReadonlySet<string>;
  /** The page with what is behind an open popup. */
  readonly roots: readonly SnapshotNode[];

  /**
   * @param told Nodes whose lines it was given.
   * @param before What the agent knew of the tab.
   * @param isThere Whether the page has a node of a key now.
   */
  constructor(
    readonly page: PageSnapshot,
    told: readonly SnapshotNode[],
    before?: KnownPage,
    isThere: (key: string) => boolean = () => false,
  ) {
    this.#memory = before?.doc === page.doc ? before.#memory : new Map();
    this.#told = before?.doc === page.doc ? before.#told : new Set();
    this.roots = page.whole ?? rootsAfter(before, page);
    this.#behind = this.roots === page.roots ? NONE : without(keysIn(this.roots), keysIn(page.roots));
    this.tell(told);
    if (before?.doc === page.doc && before.page.roots !== page.roots) this.#remember(before.page, isThere);
  }

  get doc(): string {
    return this.page.doc;
  }

  get views(): readonly ViewNode[] {
    this.#views ??= pruneToContent(this.roots);
    return this.#views;
  }

  get hasBehind(): boolean {
    return this.#behind.size > 0;
  }

  /** Whether a node is one that an open popup keeps from being read. */
  isBehind(key: string): boolean {
    return this.#behind.has(key);
  }

  /** Keys of what is behind the popup that is open, so far as that is open in a page that was looked at since. */
  behindIn({ doc, roots }: PageSnapshot): ReadonlySet<string> {
    if (doc !== this.doc || !this.hasBehind) return NONE;
    const now = keysIn(roots);
    const isOpen = [...everyNode(this.page.roots)].some(({ key }) => now.has(key));
    return isOpen ? without(this.#behind, now) : NONE;
  }

  /** The parts whose lines the agent was all given, and the menus of which it was given some. */
  get told(): readonly ViewNode[] {
    const { roots } = this.page;
    return [pruneToContent(roots), pruneToInteractive(roots)].flatMap(views => toldIn(views, this.#told).parts);
  }

  /** The agent was given lines of it since. */
  tell(nodes: readonly SnapshotNode[]): void {
    for (const { key } of nodes) this.#told.add(key);
  }

  /** Nodes that were read earlier and were hidden at the latest look, such as the page behind a dialog. */
  get memory(): Memory {
    return this.#memory;
  }

  #remember(page: PageSnapshot, isThere: (key: string) => boolean): void {
    for (const node of everyNode(page.roots)) {
      if (isThere(node.key)) this.#memory.delete(node.key);
      else if (this.#memory.size < MOST_REMEMBERED) this.#memory.set(node.key, node);
    }
  }
}

const NONE: ReadonlySet<string> = new Set();

function without(keys: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...keys].filter(key => !others.has(key)));
}

/** Whoever takes a snapshot while a popup is open still knows what is behind it. */
function rootsAfter(before: KnownPage | undefined, page: PageSnapshot): readonly SnapshotNode[] {
  const behind = before?.behindIn(page) ?? NONE;
  return before === undefined || behind.size === 0 ? page.roots : withBehind(before.roots, page.roots, behind);
}

interface ToldParts {
  parts: readonly ViewNode[];
  isAll: boolean;
  isSome: boolean;
}

function toldIn(views: readonly ViewNode[], keys: ReadonlySet<string>): ToldParts {
  const told = views.map(item => {
    const inside = toldIn(item.children, keys);
    const isOwn = keys.has(item.node.key);
    const isAll = isOwn && inside.isAll;
    const isSome = isOwn || inside.isSome;
    const isPart = isAll || (isSome && MENU_LANDMARKS.has(item.role));
    return { parts: isPart ? [item] : inside.parts, isAll, isSome };
  });
  return {
    parts: told.flatMap(({ parts }) => parts),
    isAll: told.every(({ isAll }) => isAll),
    isSome: told.some(({ isSome }) => isSome),
  };
}

/** The rest of a truncated snapshot. */
interface KeptPage {
  page: PageSnapshot;
  rest: readonly Line[];
  /** Of the refs in it. */
  age: number;
}

/** Snapshots whose rest can still be asked for. */
const KEPT_PAGES = 5;

/** The rests of truncated snapshots by cursor, for `next`. */
export class KeptPages {
  #kept = new Map<string, KeptPage>();
  #next = 1;

  keep(page: KeptPage): string {
    const cursor = `n${this.#next++}`;
    this.#kept.set(cursor, page);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_PAGES) break;
      this.#kept.delete(oldest);
    }
    return cursor;
  }

  /** The rest behind a cursor; undefined when newer snapshots took its place. */
  take(cursor: string): KeptPage | undefined {
    return this.#kept.get(cursor.trim());
  }

  clear(): void {
    this.#kept.clear();
  }
}
