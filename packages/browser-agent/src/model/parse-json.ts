import { jsonrepair } from 'jsonrepair';

/** Characters of an answer that are looked at. */
const PARSED_TEXT_LIMIT = 400_000;

const THOUGHT = '(?:seed:)?(?:think(?:ing)?|reason(?:ing)?|thoughts?|reflection|analysis|scratchpad|draft)';
/** Ends of what a model thinks, as the templates of open models mark it. The beginning is often the template's own and is not there. */
const THOUGHT_END = new RegExp(`</\\s*${THOUGHT}\\s*>|\\[/THINK\\]|◁/think▷`, 'gi');
const THOUGHT_START = new RegExp(`<\\s*${THOUGHT}(?:\\s[^>]*)?>|\\[THINK\\]|◁think▷`, 'iy');
const START_ANYWHERE = new RegExp(THOUGHT_START.source, 'i');
/** What begins JSON, and no brace of a sentence. */
const JSON_START = /(?:\[\s*)*\{\s*(?:["'}]|[A-Za-z_]\w*\s*(?::|$)|$)/y;

const QUOTED_KEY = /^[[\s]*\{\s*(?:"[^"]*"|'[^']*')\s*:/;

/**
 * JSON out of what a model wrote: as it is, or the last object in the midst of prose and fences. What stands inside of thinking
 * is not read. What is almost JSON is repaired, but for its end: nobody knows what was to follow.
 *
 * @param isMeant Tells the object that is looked for from others, where the text has several.
 * @throws When there is none, and when the text ends before its JSON does.
 */
export function parseJson(text: string, isMeant: (value: object) => boolean = () => true): unknown {
  const trimmed = text.trim();
  if (trimmed === '') throw new Error('the answer is empty');
  if (trimmed.length > PARSED_TEXT_LIMIT) throw new Error(`the answer has ${trimmed.length} characters`);
  const whole = parsed(trimmed);
  if (whole !== undefined) return whole;
  const { regions, isOpen } = jsonIn(withoutThoughts(trimmed));
  if (isOpen) throw new Error('the answer ends in the middle of its JSON object');
  const found = regions.map(region => ({ region, value: parsed(region) ?? repaired(region) }));
  // An object that cannot be read takes the place of those before it, which may be drafts.
  const last =
    found.findLast(({ region, value }) => (value === undefined ? QUOTED_KEY.test(region) : isMeant(value))) ??
    found.findLast(({ value }) => value !== undefined);
  if (last === undefined) throw new Error('there is no JSON object in the answer');
  if (last.value === undefined) throw new Error('the JSON of the answer cannot be read');
  return last.value;
}

/** Whether a text ends before its JSON, or its thinking, does. */
export function isUnclosed(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > PARSED_TEXT_LIMIT || parsed(trimmed) !== undefined) return false;
  return jsonIn(withoutThoughts(trimmed)).isOpen;
}

/** A text that is no JSON without the thinking before it; undefined where that does not end. */
export function withoutThinking(text: string): string | undefined {
  const start = text.search(/\S/);
  const [first] = text.matchAll(THOUGHT_END);
  const begins = start >= 0 && startsAt(THOUGHT_START, text, start);
  if (begins) return first === undefined ? undefined : text.slice(first.index + first[0].length).trim();
  // The template of a model begins its thinking. A text on such marks has both.
  const isOwn = first !== undefined && !START_ANYWHERE.test(text.slice(0, first.index));
  return isOwn ? text.slice(first.index + first[0].length).trim() : text;
}

function withoutThoughts(text: string): string {
  const last = [...text.matchAll(THOUGHT_END)].at(-1);
  return last === undefined ? text : text.slice(last.index + last[0].length);
}

/** The objects and lists of a text that stand beside each other, and whether it ends inside of one. */
function jsonIn(text: string): { regions: string[]; isOpen: boolean } {
  const regions: string[] = [];
  for (let at = 0; at < text.length; at++) {
    if (!'{[<◁'.includes(text[at] as string)) continue;
    if (startsAt(THOUGHT_START, text, at)) return { regions, isOpen: true };
    if (!startsAt(JSON_START, text, at)) continue;
    const end = endOf(text, at);
    if (end === undefined) return { regions, isOpen: true };
    regions.push(text.slice(at, end));
    at = end - 1;
  }
  return { regions, isOpen: false };
}

function startsAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Where the object or list that starts there ends; undefined where its brackets or its strings do not close. */
function endOf(text: string, start: number): number | undefined {
  // Some models write strings with single quotes, and others words with apostrophes.
  const quotes = /^(?:\[\s*)*\{\s*'/.test(text.slice(start, start + 200)) ? `"'` : '"';
  const open: string[] = [];
  let quote: string | undefined;
  for (let at = start; at < text.length; at++) {
    const sign = text[at] as string;
    if (quote !== undefined) {
      if (sign === '\\') at++;
      else if (sign === quote) quote = undefined;
    } else if (quotes.includes(sign)) quote = sign;
    else if (sign === '{' || sign === '[') open.push(sign === '{' ? '}' : ']');
    else if (sign === '}' || sign === ']') {
      if (open.pop() !== sign) return undefined;
      if (open.length === 0) return at + 1;
    }
  }
  return undefined;
}

function parsed(text: string): object | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    // It is not JSON as it stands: others look closer.
    return undefined;
  }
}

function repaired(text: string): object | undefined {
  // What a model left out with an ellipsis cannot be put back.
  if (/(?:\.\.\.|…)\s*[\]}]/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '""'))) return undefined;
  try {
    return asObject(JSON.parse(jsonrepair(text)));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): object | undefined {
  return typeof value === 'object' && value !== null ? value : undefined;
}
