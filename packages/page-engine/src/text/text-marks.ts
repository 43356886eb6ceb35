/** Stands before and after a deleted text, as in Markdown. */
export const STRUCK = '~~';

const MAY_BE_RAISED_OVER = /[\p{L}\p{N})\]]$/u;
/** A number or a variable. Raised letters in `1st`, `No` and `2e` only abbreviate. */
const IS_RAISED = /^[-+−–]?(?:\p{N}|(?![aeor])[a-z](?!\p{L}))/iu;
const ANY_MARK = new RegExp(`${STRUCK}|(?<=[\\p{L}\\p{N})\\]])\\^(?=[-+−–\\p{L}\\p{N}])`, 'gu');

/** Whether a raised text would mean something else if it followed the text before it unmarked: `10^6`, `$19^99`. */
export function isRaisedOver(before: string, text: string): boolean {
  return MAY_BE_RAISED_OVER.test(before) && IS_RAISED.test(text);
}

/** Whether two texts would read as one number. */
export function isOneNumber(before: string, text: string): boolean {
  return /\p{N}$/u.test(before) && /^\p{N}/u.test(text);
}

/** A text as it is without its marks. */
export function withoutMarks(text: string): string {
  return text.replace(ANY_MARK, '');
}
