import type { Memory } from './diff.js';
import { pruneToContent } from './prune.js';
import { everyNode, type PageSnapshot, type SnapshotNode } from './tree.js';
import type { ViewNode } from './view-node.js';

/** Nodes that are remembered of a document beside those of the latest look. */
const MOST_REMEMBERED = 20_000;

/** A page as the agent has read it. What to compare with is made when something is compared. */
export class KnownPage {
  #views: readonly ViewNode[] | undefined;
  readonly #memory: Map<string, SnapshotNode>;

  /**
   * @param before What the agent knew of the tab.
   * @param isThere Whether the page has a node of a key now.
   */
  constructor(
    readonly page: PageSnapshot,
    before?: KnownPage,
    isThere: (key: string) => boolean = () => false,
  ) {
    this.#memory = before?.doc === page.doc ? before.#memory : new Map();
    if (before?.doc === page.doc && before.page.roots !== page.roots) this.#remember(before.page, isThere);
  }

  get doc(): string {
    return this.page.doc;
  }

  get views(): readonly ViewNode[] {
    this.#views ??= pruneToContent(this.page.roots);
    return this.#views;
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
