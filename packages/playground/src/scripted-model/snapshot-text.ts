export interface ListedElement {
  readonly role: string;
  readonly name: string;
  readonly ref: string;
}

const STRING = String.raw`"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*"`;

/** A JSON string, a value behind `=` with its string, a ref, or a word; in this order, so that a string stays whole. */
const TOKENS = new RegExp(String.raw`${STRING}|\w+=${STRING}|@e\d+\b|[^\s"]+`, 'giu');

/** The days of a calendar in one line, whose refs rise with them. */
const DAYS = /^[~+]? *days (\d+)-(\d+): @e(\d+)-@e\d+/;

/** The month that a calendar's table is named after. */
const MONTH = /^[~+]? *table ("\p{L}+ \d{4}")/u;

/**
 * The elements with refs in a snapshot or a list of changes, in the order of the text. What a page wrote inside quotes is
 * never taken for a ref. A day of a calendar is the button "8 July 2031".
 */
export function listedElements(text: string): ListedElement[] {
  let month = '';
  return text.split('\n').flatMap(line => {
    const [, table] = MONTH.exec(line) ?? [];
    if (table !== undefined) month = unquoted(table);
    const [, first, last, ref] = DAYS.exec(line) ?? [];
    return first === undefined ? elementsOfLine(line) : daysOf(month, [first, last, ref].map(Number));
  });
}

function daysOf(month: string, [first = 1, last = 0, ref = 0]: readonly number[]): ListedElement[] {
  return Array.from({ length: last - first + 1 }, (_, at) => ({
    role: 'button',
    name: `${first + at} ${month}`,
    ref: `@e${ref + at}`,
  }));
}

function elementsOfLine(line: string): ListedElement[] {
  const elements: ListedElement[] = [];
  let role = '';
  let name = '';
  for (const [token] of line.matchAll(TOKENS)) {
    if (token.startsWith('"')) name = unquoted(token);
    else if (token.startsWith('@')) elements.push({ role, name, ref: token });
    else [role, name] = [token, ''];
  }
  return elements;
}

function unquoted(token: string): string {
  return JSON.parse(token) as string;
}
