const LINE_BREAK = /\r\n|\r|\n/;

export function linesOf(text: string): string[] {
  return text.split(LINE_BREAK);
}

/**
 * A text as a field of one line takes it from a person who pastes it: without line breaks around it, with a space for each
 * in it. A line break that is inserted into such a field is a press of Enter to Chromium, which sends the form.
 */
export function inOneLine(text: string): string {
  return linesOf(text.replace(/^[\r\n]+|[\r\n]+$/g, '')).join(' ');
}

/** A text in one line, each run of white space one space. */
export function singleSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
