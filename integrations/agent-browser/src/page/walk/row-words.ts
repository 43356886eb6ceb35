const UNIT = '(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|mos|months?|y|yrs?|years?)';
const SPAN = `(?:(?:\\d+|an?|one)\\s*${UNIT}\\b\\s*)+`;

/**
 * Texts that change with time alone: "2 min ago", "in 1h 5m", "30 seconds left". Moments and dates stay what they are.
 */
const VOLATILE = new RegExp(
  `\\b${SPAN}ago\\b|\\bin\\s+${SPAN}|\\b${SPAN}(?:left|remaining|to go)\\b|\\bjust now\\b`,
  'giu',
);
/** A word that all of them contain; most texts have none. */
const MAY_CHANGE = /\b(?:ago|in|left|remaining|to go|now)\b/i;
/** White space that is not one space. */
const SPACES = /\s\s|[^\S ]/;
const NUMBERS = /\p{Nd}+/gu;
const HAS_NUMBER = /\p{Nd}/u;

/** A text without what time makes of it, white space collapsed. */
export function lasting(text: string): string {
  const trimmed = text.trim();
  const tidy = SPACES.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed;
  return MAY_CHANGE.test(tidy) ? tidy.replace(VOLATILE, '~') : tidy;
}

export function hasWords(text: string): boolean {
  return /\p{L}/u.test(text);
}

/**
 * What is left of a row's texts without what only counts: "3", "$12.50" and "12:30:59", and "3 likes" where another row
 * says "5 likes". A number that stands in other words than those of its neighbours ("Order #17") belongs to them.
 */
export function countless(pieces: readonly Piece[], others: readonly (readonly Piece[])[]): string {
  const isCounted = ({ counting }: Piece): boolean =>
    others.some(other => other.some(piece => piece.counting === counting));
  const isKept = (piece: Piece): boolean => piece.counting === '' || (piece.hasWords && !isCounted(piece));
  return pieces
    .filter(isKept)
    .map(({ text }) => text)
    .join(' ');
}

/** A part of a row's text, and what is asked of it again and again. */
export class Piece {
  readonly hasWords: boolean;
  /** The text with zeros for its numbers; '' where it has none. */
  readonly counting: string;

  constructor(readonly text: string) {
    this.hasWords = /\p{L}/u.test(text);
    const counting = text.replace(NUMBERS, '0');
    this.counting = counting === text && !HAS_NUMBER.test(text) ? '' : counting;
  }
}
