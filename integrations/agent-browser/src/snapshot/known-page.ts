import type { Memory } from './diff.js';
import { MENUS } from './familiar.js';
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
    this.tell(told);
    if (before?.doc === page.doc && before.page.roots !== page.roots) this.#remember(before.page, isThere);
  }

  get doc(): string {
    return this.page.doc;
  }

  get views(): readonly ViewNode[] {
    this.#views ??= pruneToContent(this.page.roots);
    return this.#views;
  }

  /** The parts whose lines the agent was all given, and the menus of which it was given some. */
  get told(): readonly ViewNode[] {
    const { roots } = this.page;
    return [this.views, pruneToInteractive(roots)].flatMap(views => toldIn(views, this.#told).parts);
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
