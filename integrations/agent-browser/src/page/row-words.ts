const UNIT = '(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|mos|months?|y|yrs?|years?)';

/** What changes with time alone: "2 min ago", "in 5 minutes", "30 seconds left", 12:30:59, "1h 02m 03s", "page 2 of 9". */
const VOLATILE = new RegExp(
  [
    `\\b(?:\\d+|an?|one)\\s*${UNIT}\\s+ago\\b`,
    `\\bin\\s+(?:\\d+|an?|one)\\s*${UNIT}\\b`,
    `\\b\\d+\\s*${UNIT}\\s+(?:left|remaining|to go)\\b`,
    '\\b(?:just now|a moment ago|moments ago)\\b',
    '\\b\\d{1,2}:\\d{2}:\\d{2}\\b',
    '\\b(?:\\d+\\s*[dhm]\\s*)+\\d+\\s*s\\b',
    '\\b\\d+(?:\\s*[-–]\\s*\\d+)?\\s*(?:of|\\/)\\s*\\d+\\b',
  ].join('|'),
  'giu',
);
const NUMBER = /\p{Nd}+(?:[.,:]\p{Nd}+)*/gu;

/** What all that is volatile has in it; most texts have none of it. */
const MAY_CHANGE = /\d|\b(?:ago|now|an?|one)\b/i;

/** A text without what time makes of it, white space collapsed. */
export function lasting(text: string): string {
  const tidy = text.replace(/\s+/g, ' ').trim();
  return MAY_CHANGE.test(tidy) ? tidy.replace(VOLATILE, '~') : tidy;
}

/** A text with its numbers blotted out; '' when it has no words beside them. */
export function wordsOf(text: string): string {
  const words = text.replace(NUMBER, '#');
  return /\p{L}/u.test(words) ? words : '';
}
