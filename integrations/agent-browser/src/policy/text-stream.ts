/** Characters that nobody sees (Unicode: ignored by default, formats, controls). */
export const UNSEEN = /(?:[\p{DI}\p{Cf}]|(?!\s)\p{Cc})+/gu;
/** They as HTML and JavaScript write them, and the tags and comments between which markup has its text. */
const UNSEEN_MARKUP = new RegExp(
  [
    UNSEEN.source,
    '&(?:amp;)*(?:shy|zwn?j|[lr]rm|ZeroWidthSpace|NoBreak|#(?:x0*(?:ad|200[b-f]|206\\d|feff)|0*(?:173|820[3-7]|8288|65279)));?',
    '\\\\+u(?:00ad|200[b-f]|206\\d|feff)',
    '<!--[^]{0,2000}?-->',
    '</?[a-z](?:[^<>"\']|"[^"]*"|\'[^\']*\')*>',
  ].join('|'),
  'giu',
);
/** Without one of these a text reads the same as markup. */
const MARKUP = /<[a-z!/]|&[a-z#]|\\u/i;

/** A part of one of several texts, to be replaced. */
interface Cut {
  text: number;
  start: number;
  end: number;
  by: string;
}

/** A place in a stream, and by what to replace what stands there. */
export interface Span {
  start: number;
  end: number;
  by: string;
}

/** Characters of one of the texts, all of which stand in the stream from a place on. */
interface Run {
  at: number;
  text: number;
  offset: number;
}

/**
 * Texts that stand beside each other, as one: they go on where the one before ends, whatever stands between them on a page,
 * and what nobody sees is left out.
 */
export class TextStream {
  readonly text: string;
  /** Where each of the texts begins; behind the last, where it ends. */
  readonly starts: number[] = [];
  readonly #runs: Run[] = [];
  #length = 0;

  constructor(texts: readonly string[], unseen: RegExp) {
    const parts = texts.flatMap((text, index) => this.#add(text, index, unseen));
    this.starts.push(this.#length);
    this.text = parts.join('');
  }

  /** The texts read in the ways in which they can be meant: as they are, and as markup. */
  static *readings(texts: readonly string[]): Generator<TextStream> {
    yield new TextStream(texts, UNSEEN);
    if (texts.some(text => MARKUP.test(text))) yield new TextStream(texts, UNSEEN_MARKUP);
  }

  /** The parts of the texts that a span is made of; the first of them is to be replaced, the others are to go. */
  cutsOf({ start, end, by }: Span): Cut[] {
    const [first, last] = [this.#find(start), this.#find(end - 1)];
    return Array.from({ length: last.text - first.text + 1 }, (_, index) => ({
      text: first.text + index,
      start: index === 0 ? first.offset : 0,
      end: first.text + index === last.text ? last.offset + 1 : Number.POSITIVE_INFINITY,
      by: index === 0 ? by : '',
    }));
  }

  #add(text: string, index: number, unseen: RegExp): string[] {
    const parts: string[] = [];
    const begin = text.length - text.trimStart().length;
    const end = text.trimEnd().length;
    this.starts.push(this.#length);
    const push = (from: number, to: number): void => {
      if (to <= from) return;
      this.#runs.push({ at: this.#length, text: index, offset: from });
      parts.push(text.slice(from, to));
      this.#length += to - from;
    };
    let at = begin;
    // Most texts have nothing of the kind, and to look is cheaper than to go through matches.
    for (const match of text.search(unseen) < 0 ? [] : text.matchAll(unseen)) {
      push(at, Math.min(match.index, end));
      at = Math.max(at, match.index + match[0].length);
    }
    push(at, end);
    return parts;
  }

  #find(place: number): { text: number; offset: number } {
    let [low, high] = [0, this.#runs.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#runs[middle]?.at ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    const { at, text, offset } = this.#runs[low] ?? { at: 0, text: 0, offset: 0 };
    return { text, offset: offset + place - at };
  }
}

/** Texts with parts of them replaced; where two overlap, all of both goes. */
export function replaceCuts(texts: readonly string[], cuts: readonly Cut[]): string[] {
  const apart: Cut[] = [];
  for (const cut of [...cuts].sort((a, b) => a.text - b.text || a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1);
    if (last?.text === cut.text && last.end > cut.start)
      apart.splice(-1, 1, { ...last, end: Math.max(last.end, cut.end), by: last.by || cut.by });
    else apart.push(cut);
  }
  const result = [...texts];
  for (const { text, start, end, by } of apart.reverse()) {
    const whole = result[text] ?? '';
    result[text] = whole.slice(0, start) + by + whole.slice(end);
  }
  return result;
}
