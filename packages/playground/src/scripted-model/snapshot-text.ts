export interface ListedElement {
  readonly role: string;
  readonly name: string;
  readonly ref: string;
}

const STRING = String.raw`"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*"`;

/** A JSON string, a value behind `=` with its string, a ref, or a word; in this order, so that a string stays whole. */
const TOKENS = new RegExp(String.raw`${STRING}|\w+=${STRING}|@e\d+\b|[^\s"]+`, 'giu');

/**
 * The elements with refs in a snapshot or a list of changes, in the order of the text. What a page wrote inside quotes is
 * never taken for a ref.
 */
export function listedElements(text: string): ListedElement[] {
  return text.split('\n').flatMap(elementsOfLine);
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
