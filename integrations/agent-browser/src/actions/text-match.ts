import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { inTime } from '@browser-toolset/core/waiting';
import { z } from 'zod/v4';
import { plainlyTyped, SIMILAR_CHARACTERS, typedSpelling, UNSEEN_CHARACTERS } from '#page-engine/text/line-breaks.js';
import { withoutMarks } from '#page-engine/text/text-marks.js';
import { ToolError } from '../results/errors.js';

/** The text to find, in any case, or a regular expression; any text matches where neither is given. */
export interface Pattern {
  text?: string;
  regex?: string;
}

/** The index of a text that matches, and the offset of the match in it. */
interface TextMatch {
  index: number;
  at: number;
}

/** Limits in milliseconds and characters: an expression of a model may backtrack for ever. */
const REGEX_MS = 2_000;
const REGEX_INPUT = 2000;

/** @throws ToolError `invalid_input` for an expression with an error, or one that takes too long. */
export async function matchTexts(texts: readonly string[], { text, regex }: Pattern): Promise<TextMatch[]> {
  if (text !== undefined) {
    const wanted = foldText(text);
    return positions(texts, value => {
      const at = foldText(value).indexOf(wanted);
      // Raised cents stand for `$19.99`.
      return at < 0 && value.includes('^') ? foldText(value.replaceAll('^', '.')).indexOf(wanted) : at;
    });
  }
  if (regex !== undefined) return matchRegex(texts, regex);
  return texts.map((_, index) => ({ index, at: 0 }));
}

/** How loosely a value matches a text: 0 when it equals the text, 1 when whole words do, else 2. */
export function looseness(value: string, text: string): number {
  const [whole, wanted] = [foldText(value), foldText(text)];
  if (whole === wanted) return 0;
  const words = new RegExp(`(?!${INSIDE_A_WORD})${escapedForRegExp(wanted)}(?!${INSIDE_A_WORD})`, 'u');
  return words.test(whole) ? 1 : 2;
}

const INSIDE_A_WORD = '(?<=[\\p{L}\\p{N}])(?=[\\p{L}\\p{N}])';

/** The texts that contain a text, ignoring white space. */
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

/** A text for comparisons that ignore case, white space, typography and marks. */
export function foldText(text: string): string {
  return typedSpelling(withoutMarks(text)).toLowerCase();
}

/** Offset of the character that follows `count` characters of a folded text without white space. */
function denseOffset(text: string, count: number): number {
  let left = count;
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    const { length } = foldText(segment).replaceAll(' ', '');
    if (length > left) return index;
    left -= length;
  }
  return 0;
}

/** Matches a text in any case and typography. Without the flag `u`, with which Playwright does not escape it. */
export function spellingPattern(text: string): RegExp {
  const unseen = `[${UNSEEN_CHARACTERS}]*`;
  const characters = [...new Intl.Segmenter().segment(plainlyTyped(text))].map(({ segment }) => {
    if (segment === ' ') return `[\\s${UNSEEN_CHARACTERS}]+`;
    const forms = new Set([segment, segment.normalize('NFC'), segment.normalize('NFD')]);
    return SIMILAR_CHARACTERS[segment] ?? `(?:${[...forms].map(escapedForRegExp).join('|')})`;
  });
  return new RegExp(characters.join(unseen), 'i');
}

function escapedForRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** Runs in a thread of its own: other sessions go on while an expression backtracks. */
const SEARCH = `
const { parentPort, workerData: { spellings, expression } } = require('node:worker_threads');
let found = [];
for (const texts of spellings) {
  found = texts.map(text => text.search(expression));
  if (found.some(at => at >= 0)) break;
}
parentPort.postMessage(found);
`;

const answerOfSearch = z.tuple([z.array(z.int())]);

/** Matches in the page's own spelling, or else in the one that is typed. */
async function matchRegex(texts: readonly string[], source: string): Promise<TextMatch[]> {
  const spellings = [texts, texts.map(typedSpelling)].map(all => all.map(text => text.slice(0, REGEX_INPUT)));
  const workerData = { spellings, expression: toRegExp(source) };
  // What the program loads before its own code has no part in this.
  const worker = new Worker(SEARCH, { eval: true, workerData, execArgv: [], env: {} });
  const late = (): Error =>
    new ToolError('invalid_input', `regex: ${JSON.stringify(source)} takes too long on this page.`);
  try {
    const [found] = answerOfSearch.parse(await inTime(REGEX_MS, once(worker, 'message'), late));
    return found.flatMap((at, index) => (at < 0 ? [] : [{ index, at }]));
  } finally {
    await worker.terminate();
  }
}

/** Models escape more characters than the unicode mode of regular expressions allows. */
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
