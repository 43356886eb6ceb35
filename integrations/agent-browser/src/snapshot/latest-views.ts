import type { Budgeted } from './budget.js';
import type { SnapshotNode } from './tree.js';

/** Lines of a page within a budget, and how many there are in all. */
export interface PageView {
  body: Budgeted;
  total: number;
}

/** Refs as programs read them. `row` tells one of several alike from the others, where its name does not say it. */
export type RefRecord = Record<string, Readonly<{ role: string; name?: string; row?: string }>>;

/** A view with what programs read of it. */
export interface WrittenPage extends PageView {
  refs: RefRecord;
  /** Interactive elements in its lines, with those that are folded. */
  elementCount: number;
}

/** Manners of looking at a page that are remembered. */
const MANNERS = 4;

/** The views of a page that were written last: a page that stands still is not written anew at each look. */
export class LatestViews {
  #latest = new Map<string, { roots: readonly SnapshotNode[]; view: WrittenPage }>();

  /** @param manner All beside the page that the view depends on. */
  of(roots: readonly SnapshotNode[], manner: string, write: () => WrittenPage): WrittenPage {
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
