import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

const plainText = { disallowedSpecial: new Set<string>() };

/** Tokens of a text in o200k_base; a page may hold what looks like a special token, and that is text too. */
export function tokensOf(text: string): number {
  return countTokens(text, plainText);
}
