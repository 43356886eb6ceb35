const PIECES = /[A-Za-z]+|\d{1,3}|\s*\n\s*|[^\sA-Za-z\d]/g;

/** Letters that one token of a common word holds on average. */
const LETTERS = 7;

/**
 * Estimates how many tokens a model reads in a text, within about a tenth for English snapshots
 * (against o200k_base). Deliberately not a tokenizer: budgets need a bound, not a vocabulary of megabytes.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) {
    const code = piece.charCodeAt(0);
    tokens += isLetter(code) ? Math.ceil(piece.length / LETTERS) : code > 0x2e80 ? 1.2 : code > 0x7f ? 0.6 : 0.8;
  }
  return Math.ceil(tokens);
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
