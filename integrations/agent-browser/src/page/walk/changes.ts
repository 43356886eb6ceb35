const OBSERVED: MutationObserverInit = { subtree: true, childList: true, attributes: true, characterData: true };

/** More mutations than this between two looks are not kept: the page is read anew. */
const MOST_RECORDS = 300;

/** Tells whether and where a document has changed since it was last looked at, as far as its tree and its fields tell. */
export class Changes {
  #hasChanged = true;
  /** Undefined where not all are known. */
  #records: MutationRecord[] | undefined;
  #roots = new WeakSet<ShadowRoot>();
  readonly #observer = new MutationObserver(records => this.#note(records));

  constructor() {
    // Fields change without a mutation. A document that was left may come back.
    for (const type of ['input', 'change', 'load', 'pageshow'])
      window.addEventListener(type, () => this.#note([]), { capture: true, passive: true });
  }

  get sinceLook(): boolean {
    const records = this.#observer.takeRecords();
    if (records.length > 0) this.#note(records);
    return this.#hasChanged;
  }

  /** Called when a look begins: what changes from now on counts. Returns the mutations since the look before. */
  look(): readonly MutationRecord[] | undefined {
    if (!this.sinceLook) return [];
    const records = this.#records;
    if (records === undefined) {
      this.#roots = new WeakSet();
      this.#observer.observe(document, OBSERVED);
    }
    this.#hasChanged = false;
    this.#records = [];
    return records;
  }

  /** Mutations inside a shadow root reach only who observes that root. Returns whether nobody did. */
  observe(root: ShadowRoot): boolean {
    if (this.#records === undefined || this.#roots.has(root)) return false;
    this.#roots.add(root);
    this.#observer.observe(root, OBSERVED);
    return true;
  }

  observes(root: ShadowRoot): boolean {
    return this.#roots.has(root);
  }

  #note(records: readonly MutationRecord[]): void {
    this.#hasChanged = true;
    if (this.#records === undefined) return;
    if (this.#records.length + records.length <= MOST_RECORDS) this.#records.push(...records);
    else {
      // Until the next look the page pays for no more records.
      this.#records = undefined;
      this.#observer.disconnect();
    }
  }
}
