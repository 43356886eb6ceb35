import type { Budgeted } from './budget.js';
import type { SnapshotNode } from './tree.js';

/** Lines of a page within a budget, and how many there are in all. */
export interface PageView {
  body: Budgeted;
  total: number;
}

/** Manners of looking at a page that are remembered. */
const MANNERS = 4;

/** The views of a page that were written last: a page that stands still is not written anew at each look. */
export class LatestViews {
  #latest = new Map<string, { roots: readonly SnapshotNode[]; view: PageView }>();

  /** @param manner All beside the page that the view depends on. */
  of(roots: readonly SnapshotNode[], manner: string, write: () => PageView): PageView {
    const latest = this.#latest.get(manner);
    if (latest?.roots === roots) return latest.view;
    const view = write();
    this.#latest.delete(manner);
    this.#latest.set(manner, { roots, view });
    for (const oldest of this.#latest.keys()) {
      if (this.#latest.size <= MANNERS) break;
      this.#latest.delete(oldest);
    }
    return view;
  }
}
