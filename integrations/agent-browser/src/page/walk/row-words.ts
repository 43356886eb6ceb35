const UNIT = '(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|mos|months?|y|yrs?|years?)';
const SPAN = `(?:(?:\\d+|an?|one)\\s*${UNIT}\\b\\s*)+`;

/** What changes with time alone: "2 min ago", "in 1h 5m", "30 seconds left". Moments and dates stay what they are. */
const VOLATILE = new RegExp(
  `\\b${SPAN}ago\\b|\\bin\\s+${SPAN}|\\b${SPAN}(?:left|remaining|to go)\\b|\\bjust now\\b`,
  'giu',
);
/** What all of it has in it; most texts have none. */
const MAY_CHANGE = /\b(?:ago|in|left|remaining|to go|now)\b/i;

/** A text without what time makes of it, white space collapsed. */
export function lasting(text: string): string {
  const tidy = text.replace(/\s+/g, ' ').trim();
  return MAY_CHANGE.test(tidy) ? tidy.replace(VOLATILE, '~') : tidy;
}

/** A piece of text that is nothing but a number, such as "3", "$12.50", "+4 %" or "12:30:59". */
export function isNumber(piece: string): boolean {
  return /\p{Nd}/u.test(piece) && !/[\p{L}#]/u.test(piece);
}

export function hasWords(text: string): boolean {
  return /\p{L}/u.test(text);
}
