import { beginPass, endPass } from '../role-and-name/name.js';
import { layersOver, topModal } from '../visibility/modal.js';
import type { DocumentKnowledge } from './document-knowledge.js';
import { Walk, type WalkOptions } from './walk.js';

/** A walk of the document, or of the modal dialog that hides the rest of it. */
export interface Walked {
  walk: Walk;
  modal: Element | undefined;
}

/** Walks a document, again and again: it remembers the modal dialogs that only a walk finds. */
export class Walker {
  #modalsInShadow: WeakRef<Element>[] = [];

  constructor(readonly knowledge: DocumentKnowledge) {}

  /** Walks the document, or the modal dialog that hides the rest of it. */
  walk(options: WalkOptions, onBegin?: (modal: Element | undefined) => void): Walked {
    const known = this.#modalsInShadow.flatMap(modal => modal.deref() ?? []);
    const modal = topModal(known);
    const walk = this.#from(modal, options, onBegin);
    const { modals } = walk.emitter;
    // A modal dialog in a shadow tree is found out by the walk alone.
    if (modals.every(each => known.includes(each))) return { walk, modal };
    this.#modalsInShadow = modals.map(each => new WeakRef(each));
    const found = topModal(modals);
    return found === modal ? { walk, modal } : { walk: this.#from(found, options, onBegin), modal: found };
  }

  #from(modal: Element | undefined, options: WalkOptions, onBegin?: (modal: Element | undefined) => void): Walk {
    onBegin?.(modal);
    this.knowledge.reactions.beginWalk();
    beginPass();
    try {
      const walk = new Walk(this.knowledge, options);
      const root = modal ?? document.body ?? document.documentElement;
      if (root !== null) walk.from(root);
      if (modal !== undefined) for (const layer of layersOver(modal)) walk.from(layer);
      return walk.hasMet && this.knowledge.rows.forget() ? this.#from(modal, options, onBegin) : walk;
    } finally {
      endPass();
    }
  }
}
