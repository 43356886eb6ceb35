import { estimateTokens } from '../snapshot/tokens.js';

/** The last lines that fit into a budget of tokens, and how many there are before them. */
export function newestLines(lines: readonly string[], maxTokens: number): { shown: string[]; left: number } {
  let tokens = 0;
  let from = lines.length;
  while (from > 0) {
    tokens += estimateTokens(lines[from - 1] ?? '') + 1;
    if (tokens > maxTokens) break;
    from--;
  }
  return { shown: lines.slice(from), left: from };
}
