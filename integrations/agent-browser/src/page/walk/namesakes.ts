import { isConnected } from '../dom.js';
import { hasSameWords, isSameText } from './fingerprint.js';
import { describeNow, saidHash } from './identity.js';
import type { Known } from './known.js';

/** Namesakes on either side that are looked at again. */
const NEAR = 10;

/** The names of elements at each place of a list in the latest capture. Their fate tells the element's. */
export class Namesakes {
  readonly #all: readonly Known[];

  constructor(
    readonly known: Known | undefined,
    captured: Iterable<Known>,
  ) {
    this.#all = [...captured].filter(
      other => other.capture === known?.capture && other.said === known.said && other.path === known.path,
    );
  }

  /**
   * Whether an element of whose row nothing but numbers has changed is what it was: the rest of the row tells it from those
   * of all namesakes, and these say what they said. A list that is used for other items changes around the number.
   */
  standStill(now: number): boolean {
    const { known } = this;
    if (known === undefined || this.#others.some(other => hasSameWords(other.fingerprint, now))) return false;
    const at = this.#all.indexOf(known);
    const near = this.#all.slice(Math.max(0, at - NEAR), at + NEAR + 1);
    return near.every(other => {
      const element = elementOf(other);
      if (other === known || element === undefined) return true;
      const { fingerprint } = describeNow(element);
      return isSameText(fingerprint, other.fingerprint) || hasSameWords(fingerprint, other.fingerprint);
    });
  }

  /**
   * Whether the values that alone tell a row came from that of a namesake, which holds others now: what is entered into a
   * field makes no other row of it, but a list whose rows have moved does.
   */
  haveGiven(now: number, was: number): boolean {
    if (hasSameWords(now, was)) return false;
    return this.#others.some(other => {
      if (!hasSameWords(other.fingerprint, now)) return false;
      const element = elementOf(other);
      return element === undefined || describeNow(element).fingerprint !== other.fingerprint;
    });
  }

  /**
   * Whether the rows of the element and of those near it have lost no word that told one of them from the others: a state
   * that changes in several rows ("queued") is said by several, and a list that is used for other items loses such words.
   */
  keepWhatTellsThem(): boolean {
    const { known } = this;
    const at = known === undefined ? -1 : this.#all.indexOf(known);
    if (known === undefined || at === -1) return false;
    const near = this.#all.slice(Math.max(0, at - NEAR), at + NEAR + 1).map(other => ({
      words: wordsIn(other.row),
      element: elementOf(other),
      said: other.said,
    }));
    const counts = new Map<string, number>();
    for (const { words } of near) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return near.every(({ words, element, said }) => {
      const telling = [...words].filter(word => counts.get(word) === 1);
      if (element === undefined || !telling.some(isPlainWord)) return false;
      const now = describeNow(element);
      const kept = wordsIn(now.row);
      return saidHash(now) === said && telling.every(word => kept.has(word));
    });
  }

  get #others(): Known[] {
    return this.#all.filter(other => other !== this.known);
  }
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Numbers count, and are the same in one row and the other by chance. */
function isPlainWord(word: string): boolean {
  return /\p{L}/u.test(word) && !/\p{Nd}/u.test(word);
}

function elementOf({ node }: Known): Element | undefined {
  const element = node.deref();
  return element instanceof Element && isConnected(element) ? element : undefined;
}
