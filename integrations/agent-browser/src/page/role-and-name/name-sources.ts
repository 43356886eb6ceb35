import { fieldText } from './control.js';
import type { GeneratedIndex } from './generated-index.js';

/** A text that a name was made of, and how to read it again. */
interface Source<Read> {
  before: string;
  read: Read;
}

/**
 * What remembered names were made of that changes without a trace in the tree: text from style sheets and values of
 * fields. Reading it again costs a fraction of making the names anew.
 */
export class NameSources {
  /** @param tree Hears of the shadow trees that names reach into, which a walk may never see. */
  constructor(readonly tree: (host: Element, root: ShadowRoot) => void) {}

  readonly #styles = new Map<Element, Source<CSSStyleDeclaration>[]>();
  readonly #fields = new Map<Element, string>();
  readonly #indexes = new Map<Node, GeneratedIndex>();

  /** Computed styles stay up to date, so that their `content` is read again without looking the style up. */
  style(element: Element, styles: readonly CSSStyleDeclaration[]): void {
    this.#styles.set(
      element,
      styles.map(read => ({ before: shown(read), read })),
    );
  }

  field(element: Element): void {
    this.#fields.set(element, fieldText(element));
  }

  /** Of the elements that the index of a tree scope rules out, no style is looked at. */
  index(scope: Node, index: GeneratedIndex): void {
    this.#indexes.set(scope, index);
  }

  forget(): void {
    this.#styles.clear();
    this.#fields.clear();
    this.#indexes.clear();
  }

  /** Whether all of it reads as it did. */
  get stand(): boolean {
    for (const index of this.#indexes.values()) if (!index.stands) return false;
    for (const sources of this.#styles.values()) {
      for (const { before, read } of sources) if (shown(read) !== before) return false;
    }
    return this.fieldsStand;
  }

  get fieldsStand(): boolean {
    for (const [element, before] of this.#fields) if (fieldText(element) !== before) return false;
    return true;
  }
}

/** What a pseudo-element shows, as text to compare. */
function shown(style: CSSStyleDeclaration): string {
  const { content } = style;
  if (content === 'none' || content === 'normal' || content === '') return '';
  return `${style.display} ${style.visibility} ${content}`;
}
