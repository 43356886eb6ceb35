import { estimateTokens } from '../../snapshot/tokens.js';

/** The last entries whose lines fit into a budget of tokens, and how many there are before them. */
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
