import { getAttribute, parentNode } from '../dom.js';
import { parentInFlatTree } from '../visibility/flat-tree.js';
import { hostOf } from '../visibility/tree-scope.js';

/** Styles of an element itself by which pages show what they have hidden. */
const SHOWING = ['display', 'visibility', 'opacity', 'pointer-events', 'clip-path', 'height', 'z-index'];

/**
 * Notices what opens in a document: what is put into it, and what is shown by its attributes. What only moves has not
 * opened.
 */
export class OpeningWatch {
  readonly #opened = new Set<Node>();
  readonly #removed = new Set<Node>();
  readonly #observer = new MutationObserver(records => this.#read(records));

  /** @param element The document and the shadow trees that it stands in are watched. */
  constructor(element: Element) {
    const how = { subtree: true, childList: true, attributes: true, attributeOldValue: true };
    for (let node: Node | null = element; node !== null; node = parentNode(node) ?? hostOf(node)) {
      // The root of a tree scope.
      if (parentNode(node) === null) this.#observer.observe(node, how);
    }
    // Tells of popovers, which open without a mutation; it does not bubble.
    window.addEventListener('beforetoggle', this.#toggled, { capture: true, passive: true });
  }

  /** Whether an element, or something around it, has opened since. */
  hasOpened(element: Element): boolean {
    this.#read(this.#observer.takeRecords());
    for (let node: Node | null = element; node !== null; node = parentInFlatTree(node)) {
      if (this.#opened.has(node)) return !this.#removed.has(node);
    }
    return false;
  }

  end(): void {
    this.#observer.disconnect();
    window.removeEventListener('beforetoggle', this.#toggled, { capture: true });
  }

  #toggled = (event: Event): void => {
    if (event instanceof ToggleEvent && event.newState === 'open' && event.target instanceof Node)
      this.#opened.add(event.target);
  };

  #read(records: readonly MutationRecord[]): void {
    for (const { type, target, addedNodes, removedNodes, attributeName, oldValue } of records) {
      for (const node of removedNodes) this.#removed.add(node);
      for (const node of addedNodes) this.#opened.add(node);
      const isShown = attributeName !== 'style' || isStyledToShow(target as Element, oldValue);
      if (type === 'attributes' && isShown) this.#opened.add(target);
    }
  }
}

function isStyledToShow(element: Element, before: string | null): boolean {
  const [was, is] = [before, getAttribute(element, 'style')].map(declarationOf);
  return SHOWING.some(name => was?.getPropertyValue(name) !== is?.getPropertyValue(name));
}

function declarationOf(text: string | null): CSSStyleDeclaration {
  const { style } = document.createElement('i');
  style.cssText = text ?? '';
  return style;
}
