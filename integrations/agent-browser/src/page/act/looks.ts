import type { LookChange } from '../answers.js';
import { getAttribute, isConnected, tagName } from '../dom.js';
import { parentInFlatTree } from '../visibility/flat-tree.js';
import { textLook } from './text-look.js';

/** Changes of looks that are told. */
const MOST_LOOKS = 3;
/** Elements whose attributes are noted for one action. */
const MOST_NOTED = 200;
const VALUE_LIMIT = 40;
/** Ways to look that a person tells in words; the rest is told by the attribute that changed. */
const WORDS = /^(?:bold|italic|underlined|struck through|superscript|subscript)$/;

/** The look of an element when an action found it. */
interface EarlierLook {
  element: WeakRef<Element>;
  look: readonly string[];
}

/**
 * Sees how the page makes things look other than before, from the moment an action finds its element: what text is told by
 * cannot tell that. What the mouse and the focus do by themselves (`:hover`) changes no attribute and is not told.
 */
export class Looks {
  #found: EarlierLook | undefined;
  #turn = 0;
  /** Attributes as they were, by element. */
  #before = new Map<Element, Map<string, string | null>>();
  readonly #observer = new MutationObserver(records => this.#note(records));

  /** An action is about to act on an element. */
  begin(element: Element): void {
    this.#turn++;
    this.#before = new Map();
    this.#observer.disconnect();
    this.#found = { element: new WeakRef(element), look: textLook(element) };
    this.#observer.observe(document, {
      subtree: true,
      attributeFilter: ['class', 'style', 'width', 'height', 'src', 'transform', 'fill'],
      attributeOldValue: true,
    });
  }

  /** The changes of look since then. */
  take(idOf: (element: Element) => number): LookChange[] {
    this.#note(this.#observer.takeRecords());
    const changes: LookChange[] = [];
    const acted = this.#found?.element.deref();
    for (const [element, attributes] of this.#before) {
      if (changes.length >= MOST_LOOKS) break;
      const change = isConnected(element) ? changeOf(element, attributes) : undefined;
      if (change === undefined) continue;
      const restyled = acted !== undefined && isAround(element, acted) ? this.#restyled(acted) : undefined;
      changes.push({
        id: idOf(acted !== undefined && restyled !== undefined ? acted : element),
        turn: this.#turn,
        ...change,
        ...restyled,
      });
    }
    return changes;
  }

  /** Words for what an attribute has made of the text that was acted on; undefined where it looks as before. */
  #restyled(acted: Element): Pick<LookChange, 'gained' | 'lost'> | undefined {
    const was = this.#found?.look ?? [];
    const now = textLook(acted);
    const gained = now.filter(word => WORDS.test(word) && !was.includes(word));
    const lost = was.filter(word => WORDS.test(word) && !now.includes(word));
    return gained.length + lost.length > 0 ? { gained, lost } : undefined;
  }

  #note(records: readonly MutationRecord[]): void {
    for (const { target, attributeName, oldValue } of records) {
      if (!(target instanceof Element) || attributeName === null) continue;
      const known = this.#before.get(target) ?? new Map<string, string | null>();
      if (!this.#before.has(target) && this.#before.size >= MOST_NOTED) return;
      if (!known.has(attributeName)) known.set(attributeName, oldValue);
      this.#before.set(target, known);
    }
  }
}

/** How the attributes of an element differ from what they were; undefined where they are as before. */
function changeOf(
  element: Element,
  before: ReadonlyMap<string, string | null>,
): Pick<LookChange, 'tag' | 'how'> | undefined {
  for (const [attribute, was] of before) {
    const now = getAttribute(element, attribute);
    if (now === was) continue;
    const how = describe(attribute, was ?? '', now ?? '');
    if (how !== '') return { tag: tagName(element).toLowerCase(), how };
  }
  return undefined;
}

function describe(attribute: string, was: string, now: string): string {
  if (attribute === 'class') return classChange(was, now);
  if (attribute !== 'style') return `${attribute} ${JSON.stringify(cut(now))}`;
  const before = new Set(was.split(';').map(declaration => declaration.trim()));
  const set = now.split(';').map(declaration => declaration.trim());
  return `style ${JSON.stringify(cut(set.filter(declaration => !before.has(declaration)).join('; ')))}`;
}

/** Such as `class +open -closed`. */
function classChange(was: string, now: string): string {
  const [before, after] = [new Set(was.split(/\s+/)), new Set(now.split(/\s+/))];
  const gained = [...after].filter(token => !before.has(token)).map(token => `+${token}`);
  const lost = [...before].filter(token => !after.has(token)).map(token => `-${token}`);
  const all = [...gained, ...lost].filter(token => token.length > 1);
  return all.length === 0 ? '' : `class ${cut(all.join(' '))}`;
}

function cut(text: string): string {
  return text.length > VALUE_LIMIT ? `${text.slice(0, VALUE_LIMIT)}…` : text;
}

function isAround(element: Element, inner: Element): boolean {
  for (let node: Node | null = inner; node !== null; node = parentInFlatTree(node)) if (node === element) return true;
  return false;
}
