import type { Budgeted } from './budget.js';
import type { SnapshotNode } from './tree.js';

/** Lines of a page within a budget, and how many there are in all. */
export interface PageView {
  body: Budgeted;
  total: number;
}

/** The view of a page that was written last: a page that stands still is not written anew at each look. */
export class LatestView {
  #latest: { roots: readonly SnapshotNode[]; manner: string; view: PageView } | undefined;

  /** @param manner All beside the page that the view depends on. */
  of(roots: readonly SnapshotNode[], manner: string, write: () => PageView): PageView {
    const latest = this.#latest;
    if (latest !== undefined && latest.roots === roots && latest.manner === manner) return latest.view;
    const view = write();
    this.#latest = { roots, manner, view };
    return view;
  }
}
