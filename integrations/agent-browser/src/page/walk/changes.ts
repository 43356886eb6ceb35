const OBSERVED: MutationObserverInit = { subtree: true, childList: true, attributes: true, characterData: true };

/** Tells whether a document has changed since it was last looked at, as far as its tree and its fields tell. */
export class Changes {
  #hasChanged = true;
  #roots = new WeakSet<ShadowRoot>();
  readonly #observer = new MutationObserver(() => this.#note());

  constructor() {
    // Fields change without a mutation. A document that was left may come back.
    for (const type of ['input', 'change', 'load', 'pageshow'])
      window.addEventListener(type, () => this.#note(), { capture: true, passive: true });
  }

  get sinceLook(): boolean {
    if (this.#observer.takeRecords().length > 0) this.#note();
    return this.#hasChanged;
  }

  /** Called when a look begins: what changes from now on counts. */
  look(): void {
    if (!this.sinceLook) return;
    this.#hasChanged = false;
    this.#roots = new WeakSet();
    this.#observer.observe(document, OBSERVED);
  }

  /** Mutations inside a shadow root reach only who observes that root. */
  watch(root: ShadowRoot): void {
    if (this.#hasChanged || this.#roots.has(root)) return;
    this.#roots.add(root);
    this.#observer.observe(root, OBSERVED);
  }

  /** One change is enough to know: until the next look the page pays for no more records. */
  #note(): void {
    this.#hasChanged = true;
    this.#observer.disconnect();
  }
}
