/** Where a value of an extraction came from, as a model says. */
export interface ClaimedSource {
  path: string;
  quote?: string;
}

/** Where a value of an extraction came from, as far as the page bears it out. */
export interface Source extends ClaimedSource {
  /** The quote is on the page. */
  verified: boolean;
  /** The value itself stands in the quote, not only something that it was derived from. */
  exact: boolean;
}

/** Checks the source of each value against what the page says. Values without a source are listed as well. */
export function checkSources(data: unknown, claimed: readonly ClaimedSource[], pageTexts: readonly string[]): Source[] {
  const texts = pageTexts.map(tidy);
  const quotes = new Map(claimed.map(({ path, quote }) => [keysOf(path), quote]));
  return leavesOf(data, '').map(({ path, value }) => {
    const keys = keysOf(path);
    // Models put what they were asked for under `data`, as their whole answer has it.
    const quote = quotes.get(keys) ?? quotes.get(keys === '' ? 'data' : `data.${keys}`);
    const tidied = tidy(quote ?? '');
    const verified = tidied !== '' && texts.some(text => text.includes(tidied));
    return { path, ...(quote !== undefined && { quote }), verified, exact: verified && stands(value, tidied) };
  });
}

type Leaf = string | number | boolean;

/** The values of an object by their paths, such as `items[0].price`. What is null says nothing. */
function leavesOf(data: unknown, path: string): { path: string; value: Leaf }[] {
  if (Array.isArray(data)) return data.flatMap((item, index) => leavesOf(item, `${path}[${index}]`));
  if (typeof data === 'object' && data !== null)
    return Object.entries(data).flatMap(([key, value]) => leavesOf(value, path === '' ? key : `${path}.${key}`));
  return data === null || data === undefined || data === '' ? [] : [{ path, value: data as Leaf }];
}

/** Models write `items[0].price`, `$.items.0.price`, `["items"][0]['price']` and `/items/0/price` for the same. */
function keysOf(path: string): string {
  const steps = path.startsWith('/') ? path.replaceAll('/', '.') : path;
  return steps
    .replace(/^\$/, '')
    .replace(/\[\s*(["']?)(.*?)\1\s*\]/g, '.$2')
    .replace(/^\.+/, '');
}

/** White space, typographic quotes and the like are no difference. */
function tidy(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}

function stands(value: Leaf, quote: string): boolean {
  if (typeof value === 'string') return quote.toLowerCase().includes(tidy(value).toLowerCase());
  if (typeof value === 'boolean') return false;
  return numbersIn(quote).includes(Math.abs(value));
}

/** Numbers as they are written in one country or another: 1,299.00 and 1.299,00. */
function numbersIn(text: string): number[] {
  return [...text.matchAll(/\d[\d.,' ]*/g)].flatMap(([match]) => {
    const digits = match.replace(/[.,' ]+$/, '');
    const english = Number(digits.replace(/[,' ]/g, ''));
    const european = Number(digits.replace(/[.' ]/g, '').replace(',', '.'));
    return [english, european, ...digits.split(/[ ]/).map(Number)].filter(number => !Number.isNaN(number));
  });
}
