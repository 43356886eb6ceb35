import { boxOf } from './dom.js';
import { isUnreadable, type Viewport } from './visible.js';

interface Seen {
  text: string;
  hidden: boolean;
}

/** Remembers which texts a person can read: asking the layout for each costs more than the rest of a walk. */
export class Texts {
  /** How often a text was found to be other than it was remembered. */
  changes = 0;
  #seen = new WeakMap<Node, Seen>();

  /** Whether nobody can read this text. What was looked at before, and still says the same, is not looked at again. */
  isHidden(node: Node, text: string, parent: Element, viewport: Viewport): boolean {
    const seen = this.#seen.get(node);
    if (seen !== undefined && seen.text === text) return seen.hidden;
    return this.look(node, text, parent, viewport).hidden;
  }

  /** Looks anew, and tells the box as well. */
  look(node: Node, text: string, parent: Element, viewport: Viewport): { hidden: boolean; box: DOMRect } {
    const box = boxOf(parent);
    const hidden = isUnreadable(parent, box, viewport);
    const before = this.#seen.get(node);
    if (before !== undefined && before.hidden !== hidden) this.changes++;
    this.#seen.set(node, { text, hidden });
    return { hidden, box };
  }
}
