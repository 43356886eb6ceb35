/** A piece of text with the white space before it: a word, up to three digits, punctuation, or one other character. */
const PIECES = /(\s?)(?:([A-Za-z\u00c0-\u024f]+)|(\d{1,3})|([!-/:-@[-`{-~]+)|([^\0-\x7f]))|\s+/g;

/** Tokens per character of a script, up to (not including) the code unit `end`. */
const SCRIPTS: readonly [end: number, tokens: number][] = [
  [0x370, 0.9],
  [0x400, 0.44], // Greek
  [0x530, 0.22], // Cyrillic
  [0x600, 0.42], // Hebrew
  [0x780, 0.28], // Arabic
  [0xf00, 0.38], // South and South East Asia
  [0x1e00, 0.5],
  [0x1f00, 0.15], // Vietnamese letters
  [0x2e80, 0.9],
  [0xac00, 0.68], // Chinese, Japanese
  [0xd800, 0.7], // Korean
];
/** A surrogate half, such as half of an emoji, and rarer characters. */
const RARE = 0.9;

/**
 * Estimates the tokens of a text. It is within 15 % of o200k_base for page snapshots, whatever their language.
 * Deliberately not a tokenizer: a budget needs a bound, not a vocabulary of several megabytes.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece, space, word, digits, punctuation, other] of text.matchAll(PIECES)) {
    if (word !== undefined) tokens += wordTokens(word, space === ' ') + (space === ' ' || space === '' ? 0 : 1);
    else if (digits !== undefined) tokens += space === '' ? 1 : 2;
    else if (punctuation !== undefined) tokens += runTokens(punctuation) + lineBreak(space);
    else if (other !== undefined) tokens += characterTokens(other.charCodeAt(0)) + lineBreak(space);
    else tokens += /\n +$/.test(piece) ? 2 : 1;
  }
  return Math.ceil(tokens);
}

/** A space is part of the token after it, whereas a line break is a token of its own. */
function lineBreak(space: string | undefined): number {
  return space === '\n' ? 1 : 0;
}

/** Vocabularies contain most short words as one token that includes the space before them. */
function wordTokens(word: string, isSpaced: boolean): number {
  const { length } = word;
  let tokens = 1 + Math.max(0, isSpaced ? (length - 5) * 0.08 : (length - 4) * 0.11);
  let capitals = 0;
  for (let i = 0; i < length; i++) {
    const code = word.charCodeAt(i);
    if (code > 0x7f) tokens += code < 0x100 ? 0.55 : 0.9;
    else if (code < 97) {
      capitals++;
      if (i > 0 && word.charCodeAt(i - 1) >= 97) tokens += 0.9;
    }
  }
  return capitals === length && length > 2 ? tokens + (length - 2) * 0.2 : tokens;
}

function runTokens(punctuation: string): number {
  return 1 + Math.max(0, punctuation.length - 2) * 0.4;
}

function characterTokens(code: number): number {
  for (const [end, tokens] of SCRIPTS) if (code < end) return tokens;
  return RARE;
}
