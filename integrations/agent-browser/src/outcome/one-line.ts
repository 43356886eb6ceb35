// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
const BREAKS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Text of a page as one line of at most so many characters. */
export function oneLine(text: string, limit: number): string {
  const line = text
    .slice(0, 4 * limit)
    .replace(BREAKS, ' ')
    .trim();
  return withoutHalf(line.slice(0, limit));
}

/** The first line of a text of a page that says something. */
export function firstLine(text: string, limit: number): string {
  const line = text.split(/[\r\n\u2028\u2029]+/, 50).find(part => part.trim() !== '') ?? '';
  return oneLine(line, limit);
}

/** A character of two parts that was cut in half is none. */
function withoutHalf(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}
