import { countTokens as count } from 'gpt-tokenizer/encoding/o200k_base';

/** Tokens of a text in o200k_base, the vocabulary of OpenAI's current models; others differ by some percent. */
export function countTokens(text: string): number {
  // A page may print a tokenizer's control words; to a model reading them in a result they are plain text.
  return count(text, { disallowedSpecial: new Set() });
}
