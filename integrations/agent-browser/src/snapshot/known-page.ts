import type { Memory } from './diff.js';
import { MENUS } from './familiar.js';
import { keysIn, withBehind } from './merged-tree.js';
import { pruneToContent, pruneToInteractive } from './prune.js';
import { everyNode, type PageSnapshot, type SnapshotNode } from './tree.js';
import type { ViewNode } from './view-node.js';

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
    const isPart = isAll || (isSome && MENUS.has(item.role));
    return { parts: isPart ? [item] : inside.parts, isAll, isSome };
  });
  return {
    parts: told.flatMap(({ parts }) => parts),
    isAll: told.every(({ isAll }) => isAll),
    isSome: told.some(({ isSome }) => isSome),
  };
}
