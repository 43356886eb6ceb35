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
