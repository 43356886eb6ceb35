import { type KnownView, knownView } from './diff.js';
import { pruneToContent } from './prune.js';
import type { PageSnapshot } from './tree.js';

/** A page as the agent has read it. What to compare with is made when something is compared. */
export class KnownPage {
  #view: KnownView | undefined;

  constructor(readonly page: PageSnapshot) {}

  get doc(): string {
    return this.page.doc;
  }

  get view(): KnownView {
    this.#view ??= knownView(pruneToContent(this.page.roots));
    return this.#view;
  }
}
