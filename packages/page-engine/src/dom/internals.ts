import { defaultAttributesOf, matches, setDefaultAttributes } from './dom.js';

/** Elements of one tag that are asked about before it counts as one without semantics of its own. */
const SAMPLES_PER_TAG = 2;
/** Elements of one document that are asked about in one capture. */
const MOST_SUSPECTS = 200;

/**
 * The custom elements of one document that may have a role, a name or states by ElementInternals, which scripts of
 * another world cannot read: CDP can. Only elements that take presses are asked about, a few of each tag, until one has
 * such semantics; the page then uses them, and all its custom elements are candidates.
 */
export class InternalSemantics {
  /** Those of the latest walk. */
  suspects: Element[] = [];
  readonly #tags = new Set<string>();
  /** Elements without semantics, by tag. */
  readonly #plain = new Map<string, number>();
  #met = new Map<string, number>();

  /** @param onChange Called after a change, which causes no mutation. */
  constructor(readonly onChange: () => void) {}

  beginWalk(): void {
    this.suspects = [];
    this.#met = new Map();
  }

  consider(element: Element, tag: string, isWidget: boolean): void {
    if (this.suspects.length >= MOST_SUSPECTS) return;
    if (!this.#tags.has(tag)) {
      const met = (this.#met.get(tag) ?? this.#plain.get(tag) ?? 0) + 1;
      if (met > SAMPLES_PER_TAG || !(isWidget || this.#tags.size > 0) || !matches(element, ':defined')) return;
      this.#met.set(tag, met);
    }
    this.suspects.push(element);
  }

  /** Called over CDP with the attributes of the first suspects, by name. Returns how many elements have changed. */
  note(found: readonly Readonly<Record<string, string>>[]): number {
    let changed = 0;
    for (const [index, each] of found.entries()) {
      const element = this.suspects[index];
      if (element === undefined) break;
      const now = Object.entries(each);
      const before = defaultAttributesOf(element);
      if (before === undefined && now.length === 0) this.#notePlain(element.tagName);
      else if (JSON.stringify([...(before ?? [])]) !== JSON.stringify(now)) {
        this.#tags.add(element.tagName);
        setDefaultAttributes(element, new Map(now));
        changed++;
      }
    }
    if (changed > 0) this.onChange();
    return changed;
  }

  #notePlain(tag: string): void {
    this.#plain.set(tag, (this.#plain.get(tag) ?? 0) + 1);
  }
}
