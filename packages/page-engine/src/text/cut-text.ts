/** As a share of the limit: where no word ends after it, a word is cut. */
const EARLIEST_END = 0.3;
const FIGURE = /[\p{N}\p{Sc}]/u;
const IN_FIGURE = /[\p{N}\p{Sc}.,:/'’-]/u;
const ENDS_PHRASE = /[,;:!?|·)\]}»”"]$/;
const YEAR = /^(?:19|20)\d\d(?!\d)/;
/** In characters: a longer word after a number is no unit, currency or month. */
const LONGEST_UNIT = 12;
/** What is one character with what stands before it: half of a pair, accents, parts of an emoji, flags. */
const JOINED = /^(?:[\udc00-\udfff]|\p{M}|\u200d|\ufe0f|[\u{1f3fb}-\u{1f3ff}\u{1f1e6}-\u{1f1ff}])/u;

/**
 * The beginning of a text in at most `limit` characters. It ends where a word ends, if one does near the limit, and
 * never inside a character, a number, a price or a date, such as `3 706 kr` or `5 May 2024`.
 */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end =
    lastEnd(limit, limit * EARLIEST_END, at => endsWordAt(text, at) && isBetweenPhrases(text, at)) ??
    lastEnd(limit, 1, at => isBetweenPhrases(text, at) || isInPlainWord(text, at)) ??
    lastEnd(
      limit,
      1,
      at => !isJoined(text, at) && !(matchesAt(IN_FIGURE, text, at - 1) && matchesAt(IN_FIGURE, text, at)),
    );
  return withoutHalf(text.slice(0, end ?? limit)).trimEnd();
}

/** The same, with an ellipsis where something is left out. */
export function shortText(text: string, limit: number): string {
  return text.length > limit ? `${cutText(text, limit)}…` : text;
}

/** Drops a lone high surrogate at the end. */
export function withoutHalf(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}

function lastEnd(limit: number, least: number, isEnd: (at: number) => boolean): number | undefined {
  for (let at = limit; at >= least; at--) if (isEnd(at)) return at;
  return undefined;
}

function matchesAt(kind: RegExp, text: string, at: number): boolean {
  return kind.test(text.charAt(at));
}

function endsWordAt(text: string, at: number): boolean {
  return matchesAt(/\s/, text, at) && !matchesAt(/\s/, text, at - 1);
}

/** Whether a word ends here, and what follows is no part of it, as the unit, currency or month of a number is. */
function isBetweenPhrases(text: string, at: number): boolean {
  if (!endsWordAt(text, at)) return false;
  const before = /\S*$/.exec(text.slice(0, at))?.[0] ?? '';
  const after = /\S+/.exec(text.slice(at))?.[0] ?? '';
  if (ENDS_PHRASE.test(before)) return !(FIGURE.test(before) && YEAR.test(after));
  return !FIGURE.test(before) && !FIGURE.test(after);
}

/** Whether a long word without figures, which is no unit of a number either, may be cut here. */
function isInPlainWord(text: string, at: number): boolean {
  if (matchesAt(/\s/, text, at) || matchesAt(FIGURE, text, at - 1) || matchesAt(FIGURE, text, at) || isJoined(text, at))
    return false;
  const start = at - (/\S*$/.exec(text.slice(0, at))?.[0].length ?? 0);
  const length = /^\S*/.exec(text.slice(start))?.[0].length ?? 0;
  return start === 0 || length > LONGEST_UNIT || isBetweenPhrases(text, start - 1);
}

function isJoined(text: string, at: number): boolean {
  return JOINED.test(text.slice(at)) || text.charAt(at - 1) === '\u200d';
}
