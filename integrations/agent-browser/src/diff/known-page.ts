import { isNameless } from '#page-engine/names/hint-words.js';
import { Flag } from '#page-engine/protocol.js';
import { isVerbatim, pruneToContent, pruneToInteractive } from '../snapshot/prune.js';
import { counted, type Line, type RefOf, refRuns } from '../snapshot/render.js';
import {
  everyNode,
  isInteractive,
  madeNode,
  type PageSnapshot,
  type SnapshotNode,
  type ViewNode,
} from '../snapshot/tree.js';
import { itemLabelOf, type Memory, OF_THE_PLACE, shortenedName, signatures, subtreeSize } from './compare.js';

export function keysIn(roots: readonly SnapshotNode[]): Set<string> {
  return new Set(Array.from(everyNode(roots), ({ key }) => key));
}

/** The nodes of a page, merged with earlier nodes of the given keys that the page no longer exposes. */
export function withBehind(
  before: readonly SnapshotNode[],
  now: readonly SnapshotNode[],
  behind: ReadonlySet<string>,
): SnapshotNode[] {
  const present = keysIn(now);
  const roots = new Map(now.map(node => [node.key, node]));
  const old = new Map<string, SnapshotNode>();
  /** Nodes that the capture has at its top level because of a modal dialog, and that belong inside a hidden node. */
  const inside = new Set<string>();
  for (const node of everyNode(before)) {
    old.set(node.key, node);
    if (!behind.has(node.key)) continue;
    for (const { key } of everyNode(node.children)) if (roots.has(key)) inside.add(key);
  }
  /** Inserts hidden nodes after the siblings that they followed. */
  const together = (siblings: readonly SnapshotNode[], current: readonly SnapshotNode[]): SnapshotNode[] => {
    const own = new Set(current.map(({ key }) => key));
    const first: SnapshotNode[] = [];
    const after = new Map<string, SnapshotNode[]>();
    let place = first;
    for (const node of siblings) {
      if (own.has(node.key)) {
        place = [];
        after.set(node.key, place);
      } else if (behind.has(node.key)) place.push(kept(node));
    }
    return [...first, ...current.flatMap(node => [grown(node), ...(after.get(node.key) ?? [])])];
  };
  const grown = (node: SnapshotNode): SnapshotNode => {
    const was = old.get(node.key);
    return was === undefined || was.children.length === 0
      ? node
      : { ...node, children: together(was.children, node.children) };
  };
  const kept = (node: SnapshotNode): SnapshotNode => {
    const children = node.children.flatMap(child => {
      const root = roots.get(child.key);
      if (root !== undefined) return [grown(root)];
      return present.has(child.key) ? [] : [kept(child)];
    });
    return { ...node, children };
  };
  return together(
    before,
    now.filter(({ key }) => !inside.has(key)),
  );
}

/** In lines: shorter sequences are not folded. */
const SHORTEST_FOLD = 3;
/** A fold with more controls lists only their refs. */
const MOST_NAMES_OF_KNOWN = 8;
/** Landmarks and menus around the main content, which the pages of a site share. */
const MENU_LANDMARKS: ReadonlySet<string> = new Set([
  'banner',
  'contentinfo',
  'menu',
  'menubar',
  'navigation',
  'search',
]);
/** Roles of main content and messages, which are never folded even where the previous page had the same. */
const NEVER_FOLDED = new Set(['alert', 'alertdialog', 'dialog', 'main', 'status']);

/**
 * Folds what a page shares with the previous one, such as header, menus and footer: one line for each run, with its
 * refs on this page. In the main part only menus are folded.
 * @param before What the agent was given of the previous page.
 */
export function foldFamiliar(views: readonly ViewNode[], before: readonly ViewNode[], refOf: RefOf): ViewNode[] {
  const signatureOf = signatures(OF_THE_PLACE);
  const known = new Set(Array.from(everyNode(before), signatureOf));
  const isKnown = (item: ViewNode): boolean => !NEVER_FOLDED.has(item.role) && known.has(signatureOf(item));
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

/** The line of a folded run: it names a few controls with their refs, and lists only the refs of many. */
function foldView(run: readonly ViewNode[], size: number, refOf: RefOf): ViewNode {
  const [first] = run;
  const only = run.length === 1 && first !== undefined && first.children.length > 0 ? first : undefined;
  const controls = [...everyNode(run)].filter(({ node }) => isInteractive(node));
  const isFew = controls.length > 0 && controls.length <= MOST_NAMES_OF_KNOWN;
  const named = controls.map(item => `${foldedName(item)} ${refOf(item.node)}`);
  const refs = refRuns(controls.map(({ node }) => refOf(node)));
  const heading = [...everyNode(run)].find(({ role, name }) => role === 'heading' && name !== '');
  const title = heading === undefined ? [] : [`heading ${JSON.stringify(shortenedName(heading.name))}`];
  const who = only === undefined ? '…' : `${only.role}${only.name === '' ? '' : ` ${JSON.stringify(only.name)}`}`;
  const role = `${who} as before: ${[...title, ...(isFew ? named : [`${counted(size, 'line')}${refs}`])].join(', ')}`;
  const node = madeNode((first as ViewNode).node, 'familiar');
  return { node, role, name: '', children: [], standsFor: viewNodes(run) };
}

/** The name of a control, which may stand in the one line inside it; without any its hint. */
function foldedName(item: ViewNode): string {
  const name = itemLabelOf(item) ?? '';
  const { hint, role } = item.node;
  return isNameless(name) ? (hint === undefined ? role : `[${hint}]`) : JSON.stringify(shortenedName(name));
}

/** All nodes of views, each before those in it. */
export function viewNodes(views: readonly ViewNode[]): SnapshotNode[] {
  return Array.from(everyNode(views), ({ node }) => node);
}

/** Nodes of a document that are remembered in addition to those of the latest capture. */
const MOST_REMEMBERED = 20_000;

/** The page as the agent knows it. Its views are computed when they are first needed. */
export class KnownPage {
  #views: readonly ViewNode[] | undefined;
  readonly #memory: Map<string, SnapshotNode>;
  readonly #shown: Set<string>;
  /** Keys of nodes that an open popup hides. */
  readonly #behind: ReadonlySet<string>;
  /** What it says of the action that led to it. */
  readonly outcome: Set<string>;
  /** The page including the nodes that an open popup hides. */
  readonly roots: readonly SnapshotNode[];

  /**
   * @param shown Nodes whose lines the agent was given.
   * @param before The page as the agent knew it until now.
   * @param isThere Whether the page has a node with this key now.
   */
  constructor(
    readonly page: PageSnapshot,
    shown: readonly SnapshotNode[],
    before?: KnownPage,
    isThere: (key: string) => boolean = () => false,
  ) {
    this.#memory = before?.doc === page.doc ? before.#memory : new Map();
    this.#shown = before?.doc === page.doc ? before.#shown : new Set();
    this.outcome = before?.doc === page.doc ? before.outcome : new Set();
    this.roots = page.whole ?? rootsAfter(before, page);
    this.#behind = this.roots === page.roots ? NONE : without(keysIn(this.roots), keysIn(page.roots));
    this.recordShown(shown);
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

  /** Whether an open popup hides the node from the accessibility tree. */
  isBehind(key: string): boolean {
    return this.#behind.has(key);
  }

  /** Keys of the nodes that the popup hides, if it is still open in a later capture. */
  behindIn({ doc, roots }: PageSnapshot): ReadonlySet<string> {
    if (doc !== this.doc || !this.hasBehind) return NONE;
    const now = keysIn(roots);
    const isOpen = [...everyNode(this.page.roots)].some(({ key }) => now.has(key));
    return isOpen ? without(this.#behind, now) : NONE;
  }

  /** The parts of which the agent was given all lines, and the menus of which it was given any. */
  get shownParts(): readonly ViewNode[] {
    const { roots } = this.page;
    return [pruneToContent(roots), pruneToInteractive(roots)].flatMap(views => shownPartsOf(views, this.#shown).parts);
  }

  /** Records that the agent was given the lines of these nodes. */
  recordShown(nodes: readonly SnapshotNode[]): void {
    for (const { key } of nodes) this.#shown.add(key);
  }

  /** Whether the agent was ever given the line of a node. */
  wasShown({ key }: SnapshotNode): boolean {
    return this.#shown.has(key);
  }

  /** Nodes that were read earlier and were hidden in the latest capture, such as the page behind a dialog. */
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

/** A snapshot that is taken while a popup is open keeps the knowledge of what it hides. */
function rootsAfter(before: KnownPage | undefined, page: PageSnapshot): readonly SnapshotNode[] {
  const behind = before?.behindIn(page) ?? NONE;
  return before === undefined || behind.size === 0 ? page.roots : withBehind(before.roots, page.roots, behind);
}

interface ShownParts {
  parts: readonly ViewNode[];
  isAll: boolean;
  isSome: boolean;
}

function shownPartsOf(views: readonly ViewNode[], keys: ReadonlySet<string>): ShownParts {
  const all = views.map(item => {
    const inside = shownPartsOf(item.children, keys);
    const isOwn = keys.has(item.node.key);
    const isAll = isOwn && inside.isAll;
    const isSome = isOwn || inside.isSome;
    const isPart = isAll || (isSome && MENU_LANDMARKS.has(item.role));
    return { parts: isPart ? [item] : inside.parts, isAll, isSome };
  });
  return {
    parts: all.flatMap(({ parts }) => parts),
    isAll: all.every(({ isAll }) => isAll),
    isSome: all.some(({ isSome }) => isSome),
  };
}

/** On a page that is mostly the one before, such as a form that came back. */
const FORM_AGAIN = { texts: 5, characters: 300 };
/** On another page, and where much is new: only near the heading. */
const OTHER_PAGE = { texts: 2, characters: 120 };
/** More new texts are content, such as other results. */
const MOST_NEW_TEXTS = 8;
/** Distance from the heading, in texts, fields and headings. */
const NEAR_HEADING = 3;

/**
 * What a page says of the action that led to it, whatever its markup: short texts that the page before did not have.
 * Messages and dialogs are left out, as every view of a page has them.
 * @param shownBefore What the page before said of the action that led there: it may say the same again.
 */
export function actionOutcome(
  before: readonly SnapshotNode[],
  now: readonly SnapshotNode[],
  shownBefore: ReadonlySet<string>,
): SnapshotNode[] {
  const known = new Set(headingsAndTexts(before).map(({ name }) => name));
  const parts = headingsAndTexts(now);
  const isNew = (node: SnapshotNode): boolean =>
    isSeenText(node) && (shownBefore.has(node.name) || !known.has(node.name));
  const isFormAgain = parts.filter(({ name }) => known.has(name)).length > parts.length / 2;
  const isAlike = isFormAgain && parts.filter(isNew).length <= MOST_NEW_TEXTS;
  const heading = parts.findIndex(({ role }) => role === 'heading');
  const { texts, characters } = isAlike ? FORM_AGAIN : OTHER_PAGE;
  const found = parts.filter(
    (part, index) =>
      isNew(part) && part.name.length <= characters && (isAlike || Math.abs(index - heading) <= NEAR_HEADING),
  );
  return [...new Map(found.map(node => [node.name, node])).values()].slice(0, texts);
}

/** Headings, texts and what can be acted on, in the order of the page. */
function headingsAndTexts(nodes: readonly SnapshotNode[]): SnapshotNode[] {
  return nodes.flatMap(node => {
    if (isSeenText(node) || isInteractive(node) || node.role === 'heading') return node.name === '' ? [] : [node];
    return isVerbatim(node) ? [] : headingsAndTexts(node.children);
  });
}

function isSeenText({ role, flags }: SnapshotNode): boolean {
  return role === 'text' && (flags & Flag.HiddenText) === 0;
}

/** The rest of a truncated snapshot. */
interface KeptPage {
  page: PageSnapshot;
  rest: readonly Line[];
  /** Age of the refs in it. */
  age: number;
}

/** Truncated snapshots that can still be continued with `next`. */
const KEPT_PAGES = 5;

/** The rests of truncated snapshots, by the cursor for `next`. */
export class KeptPages {
  #kept = new Map<string, KeptPage>();
  #next = 1;

  keep(page: KeptPage): string {
    const cursor = `n${this.#next++}`;
    this.#kept.set(cursor, page);
    const [oldest = cursor] = this.#kept.keys();
    if (this.#kept.size > KEPT_PAGES) this.#kept.delete(oldest);
    return cursor;
  }

  /** The rest for a cursor; undefined when newer snapshots have replaced it. */
  take(cursor: string): KeptPage | undefined {
    return this.#kept.get(cursor.trim());
  }

  clear(): void {
    this.#kept.clear();
  }
}
