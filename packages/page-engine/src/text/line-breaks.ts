const LINE_BREAK = /\r\n|\r|\n/;

export function linesOf(text: string): string[] {
  return text.split(LINE_BREAK);
}

/**
 * The text as a single-line field takes it on paste: outer line breaks are removed, inner ones become a space. Chromium
 * treats a line break inserted into such a field as Enter, which submits the form.
 */
export function inOneLine(text: string): string {
  return linesOf(text.replace(/^[\r\n]+|[\r\n]+$/g, '')).join(' ');
}

export function singleSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Characters that nobody sees: soft hyphens, joiners, direction marks and other zero-width ones. */
export const UNSEEN_CHARACTERS =
  '\\u00ad\\u034f\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069\\ufeff';
/** Characters for which people type a similar one, as classes of regular expressions without plain quotes. */
export const SIMILAR_CHARACTERS: Readonly<Record<string, string>> = {
  "'": '[\\u0027\\u0060\\u00b4\\u2018-\\u201b\\u2032]',
  '"': '[\\u0022\\u00ab\\u00bb\\u201c-\\u201f\\u2033]',
  '-': '[-\\u2010-\\u2015\\u2212]',
};

const ALL_UNSEEN = new RegExp(`[${UNSEEN_CHARACTERS}]`, 'g');
const TYPED_FOR = Object.entries(SIMILAR_CHARACTERS).map(([typed, like]) => [typed, new RegExp(like, 'g')] as const);

/** A text with the quotes, dashes and spaces of a keyboard, and without characters that nobody sees. */
export function plainlyTyped(text: string): string {
  return singleSpaced(TYPED_FOR.reduce((so, [typed, like]) => so.replace(like, typed), text.replace(ALL_UNSEEN, '')));
}

/** A text as people type it: pages write the same with other quotes, dashes, spaces and letters, and hints for breaks. */
export function typedSpelling(text: string): string {
  return singleSpaced(plainlyTyped(text).normalize('NFKC'));
}
