import { createContext, Script } from 'node:vm';
import { ToolError } from '../results/errors.js';

/** The text to find: in any case, or by a regular expression; any text where neither is given. */
export interface Pattern {
  text?: string;
  regex?: string;
}

/** A text that matches, and where in it. */
interface TextMatch {
  /** Index of the text. */
  index: number;
  at: number;
}

/** A model's expression may need longer than any page lives. */
const REGEX_TIME = 500;
const REGEX_INPUT = 2000;

/** Which of some texts match. */
export function matchTexts(texts: readonly string[], { text, regex }: Pattern): TextMatch[] {
  if (text !== undefined) return positions(texts, value => foldText(value).indexOf(foldText(text)));
  if (regex !== undefined) return runRegex(texts, regex);
  return texts.map((_, index) => ({ index, at: 0 }));
}

/** How well a text is what was looked for: 0 where it is that and nothing else, 1 where whole words are, else 2. */
export function looseness(value: string, text: string): number {
  const [whole, wanted] = [foldText(value), foldText(text)];
  if (whole === wanted) return 0;
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
    const [before, behind] = [whole.slice(0, at), whole.slice(at + wanted.length)];
    if (!(ENDS_IN_WORD.test(before) && STARTS_WITH_WORD.test(wanted))) {
      if (!(ENDS_IN_WORD.test(wanted) && STARTS_WITH_WORD.test(behind))) return 1;
    }
  }
  return 2;
}

const ENDS_IN_WORD = /[\p{L}\p{N}]$/u;
const STARTS_WITH_WORD = /^[\p{L}\p{N}]/u;

/** Which of some texts have the text in them when white space is no matter. */
export function matchLoosely(texts: readonly string[], text: string): TextMatch[] {
  const dense = foldText(text).replaceAll(' ', '');
  return positions(texts, value => {
    const found = foldText(value).replaceAll(' ', '').indexOf(dense);
    return found < 0 ? found : denseOffset(value, found);
  });
}

function positions(texts: readonly string[], find: (text: string) => number): TextMatch[] {
  return texts.flatMap((value, index) => {
    const at = find(value);
    return at < 0 ? [] : [{ index, at }];
  });
}

function foldText(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

/** Where the character stands that has so many others before it, white space not counted. */
function denseOffset(text: string, count: number): number {
  let left = count;
  for (let at = 0; at < text.length; at++) {
    if (/\s/.test(text[at] as string)) continue;
    if (left === 0) return at;
    left--;
  }
  return 0;
}

const SEARCH = new Script('texts.map(text => text.search(expression))');

function runRegex(texts: readonly string[], source: string): TextMatch[] {
  const context = createContext({
    expression: toRegExp(source),
    texts: texts.map(value => value.slice(0, REGEX_INPUT)),
  });
  try {
    const found = SEARCH.runInContext(context, { timeout: REGEX_TIME }) as number[];
    return found.flatMap((at, index) => (at < 0 ? [] : [{ index, at }]));
  } catch (cause) {
    throw new ToolError('invalid_input', `regex: ${JSON.stringify(source)} takes too long on this page.`, { cause });
  }
}

/** Models escape more than the strict syntax of unicode expressions allows. */
function toRegExp(source: string): RegExp {
  try {
    return new RegExp(source, 'iu');
  } catch {
    try {
      return new RegExp(source, 'i');
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : 'is not a regular expression';
      throw new ToolError('invalid_input', `regex: ${reason}`, { cause });
    }
  }
}
