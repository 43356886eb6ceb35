import { shadowRoot } from '../dom.js';
import { NameSources } from '../role-and-name/name-sources.js';

const OBSERVED: MutationObserverInit = { subtree: true, childList: true, attributes: true, characterData: true };

/**
 * Tells whether a document is, for all that roles, names and rows are made of, as it was at the last walk. These are what
 * it allows to remember, for they cost most; never what can be seen, which changes without any of it.
 */
export class Stillness {
  /** Grows whenever something may have changed. */
  generation = 0;
  /** What names were made of since then beside the tree. */
  readonly sources = new NameSources((host, root) => this.watch(host, root));
  #changed = true;
  #observing = false;
  #roots = new WeakSet<ShadowRoot>();
  #environment = '';
  readonly #observer = new MutationObserver(() => this.#note());

  constructor() {
    // Values of controls are part of some names, and change without a mutation.
    // A document that was left and comes back is counted anew.
    for (const type of ['input', 'change', 'load', 'pageshow'])
      window.addEventListener(type, () => this.#note(), { capture: true, passive: true });
  }

  /** Something changed since the last walk, apart from what style sheets show otherwise: that takes computing styles. */
  get isOver(): boolean {
    if (this.#observer.takeRecords().length > 0) this.#note();
    return this.#changed || !this.sources.fieldsStand;
  }

  /** Called when a walk begins. */
  beginWalk(): void {
    if (this.#observer.takeRecords().length > 0) this.#note();
    const environment = environmentNow();
    if (this.#changed || environment !== this.#environment || !this.sources.stand) {
      this.generation++;
      this.sources.forget();
    }
    this.#environment = environment;
    this.#changed = false;
    if (!this.#observing) {
      this.#observing = true;
      this.#roots = new WeakSet();
      this.#observer.observe(document, OBSERVED);
    }
  }

  /** Mutations inside a shadow root reach only who observes that root. */
  watch(element: Element, root: ShadowRoot): void {
    if (this.#roots.has(root)) return;
    this.#roots.add(root);
    this.#observer.observe(root, OBSERVED);
    if (shadowRoot(element) === null) this.generation++;
  }

  /** Something was found to be other than it was remembered. */
  end(): void {
    this.#note();
  }

  /** One change is enough to know; until the next walk the page pays for no more records. */
  #note(): void {
    this.#changed = true;
    this.#observing = false;
    this.#observer.disconnect();
  }
}

/** What media queries and late style sheets depend on. */
function environmentNow(): string {
  const { styleSheets, adoptedStyleSheets, readyState } = document;
  return `${styleSheets.length} ${adoptedStyleSheets.length} ${readyState} ${window.innerWidth} ${window.innerHeight}`;
}
