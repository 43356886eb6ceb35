import { estimateTokens } from '../tokens.js';

/** A value that fits its budget. Lengths are estimated tokens of its JSON. */
interface CutValue {
  value: unknown;
  /** Left out when nothing was cut. */
  truncated?: { shown: number; total: number };
}

/** Cuts a JSON value to a budget of tokens. What is left out is counted in its place. */
export function cutValue(value: unknown, maxTokens: number): CutValue {
  const total = valueTokens(value);
  if (total <= maxTokens) return { value };
  for (let budget = maxTokens; ; budget = Math.floor(budget * 0.8)) {
    const cut = new ValueCut(budget).of(value);
    const shown = valueTokens(cut);
    if (shown <= maxTokens || budget <= 1) return { value: cut, truncated: { shown, total } };
  }
}

/** Budget for a value that a script or a tool of the page (WebMCP) returns, in estimated tokens. */
const RETURNED_VALUE_TOKENS = 4_000;

/** The result fields of a value that a script or a tool of the page has returned. */
export function returnedValue(returned: unknown): { result?: unknown; truncated?: CutValue['truncated'] } {
  const { value, truncated } = cutValue(returned, RETURNED_VALUE_TOKENS);
  return { ...(value !== undefined && { result: value }), ...(truncated !== undefined && { truncated }) };
}

function valueTokens(value: unknown): number {
  return value === undefined ? 1 : estimateTokens(JSON.stringify(value));
}

/** Tokens reserved for the mark of left-out content. */
const CUT_MARK_TOKENS = 6;

class ValueCut {
  constructor(public left: number) {}

  of(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    this.left -= 1;
    if (Array.isArray(value)) return this.#list(value);
    if (typeof value === 'object' && value !== null) return this.#fields(value);
    return value;
  }

  #text(text: string): string {
    const tokens = valueTokens(text);
    if (tokens <= this.left) {
      this.left -= tokens;
      return text;
    }
    const length = Math.floor((text.length * Math.max(0, this.left - CUT_MARK_TOKENS)) / tokens);
    this.left = 0;
    const [mark = '', more = 0] = /… (\d+) more characters$/.exec(text) ?? [];
    return `${text.slice(0, length)}… ${text.length - mark.length + Number(more) - length} more characters`;
  }

  #list(list: readonly unknown[]): unknown[] {
    const cut: unknown[] = [];
    for (const item of list) {
      if (this.left < CUT_MARK_TOKENS) return [...cut, `… ${countOf(list.length, list.at(-1)) - cut.length} more`];
      cut.push(this.of(item));
    }
    return cut;
  }

  #fields(fields: object): object {
    const entries = Object.entries(fields);
    const cut: [string, unknown][] = [];
    for (const [key, value] of entries) {
      if (this.left < CUT_MARK_TOKENS) {
        cut.push(['…', `${countOf(entries.length, entries.at(-1)?.join(' ')) - cut.length} more`]);
        break;
      }
      this.left -= valueTokens(key);
      cut.push([key, this.of(value)]);
    }
    return Object.fromEntries(cut);
  }
}

/** The original length; the page itself may have counted left-out entries in the last one. */
function countOf(length: number, last: unknown): number {
  const more = typeof last === 'string' ? /^… (\d+) more$/.exec(last)?.[1] : undefined;
  return more === undefined ? length : length - 1 + Number(more);
}

/** The last entries whose lines fit into a budget of tokens, and the number of earlier ones. */
export function newest<Entry>(
  entries: readonly Entry[],
  lineOf: (entry: Entry) => string,
  maxTokens: number,
): { shown: Entry[]; earlier: number } {
  let tokens = 0;
  let from = entries.length;
  for (const entry of entries.toReversed()) {
    tokens += estimateTokens(lineOf(entry)) + 1;
    if (tokens > maxTokens) break;
    from--;
  }
  return { shown: entries.slice(from), earlier: from };
}
