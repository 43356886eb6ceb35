/** Invisible characters (Unicode: default-ignorable, formats, controls). */
const UNSEEN = /(?:[\p{DI}\p{Cf}]|(?!\s)\p{Cc})+/gu;
/** Their HTML and JavaScript escapes, and the tags and comments between texts of markup. */
const UNSEEN_MARKUP = new RegExp(
  [
    UNSEEN.source,
    '&(?:amp;)*(?:shy|zwn?j|[lr]rm|ZeroWidthSpace|NoBreak|#(?:x0*(?:ad|200[b-f]|206\\d|feff)|0*(?:173|820[3-7]|8288|65279)));?',
    '\\\\+u(?:00ad|200[b-f]|206\\d|feff)',
    '<!--[^]{0,2000}?-->',
    '</?[a-z](?:[^<>"\']|"[^"]*"|\'[^\']*\')*>',
  ].join('|'),
  'giu',
);
/** Without one of these a text is the same when read as markup. */
const MARKUP = /<[a-z!/]|&[a-z#]|\\u/i;

/** A replacement in one of several texts. */
interface MarkupCut {
  text: number;
  start: number;
  end: number;
  by: string;
}

export interface Span {
  start: number;
  end: number;
  by: string;
}

/** Characters of one text that are contiguous in the stream. */
interface SlotRun {
  at: number;
  text: number;
  offset: number;
}

/** Adjacent texts as one: joined without what stands between them on a page, and without invisible characters. */
export class TextStream {
  readonly text: string;
  /** Where each text begins in the stream; the last entry is the end. */
  readonly starts: number[] = [];
  readonly #runs: SlotRun[] = [];
  #length = 0;

  constructor(texts: readonly string[], unseen: RegExp) {
    const parts = texts.flatMap((text, index) => this.#add(text, index, unseen));
    this.starts.push(this.#length);
    this.text = parts.join('');
  }

  /** Both readings of the texts: as plain text and as markup. */
  static *readings(texts: readonly string[]): Generator<TextStream> {
    yield new TextStream(texts, UNSEEN);
    if (texts.some(text => MARKUP.test(text))) yield new TextStream(texts, UNSEEN_MARKUP);
  }

  /** The cuts that make up a span: the first text gets the replacement, the others only lose characters. */
  cutsOf({ start, end, by }: Span): MarkupCut[] {
    const [first, last] = [this.#find(start), this.#find(end - 1)];
    return Array.from({ length: last.text - first.text + 1 }, (_, index) => ({
      text: first.text + index,
      start: index === 0 ? first.offset : 0,
      end: first.text + index === last.text ? last.offset + 1 : Number.POSITIVE_INFINITY,
      by: index === 0 ? by : '',
    }));
  }

  #add(text: string, index: number, unseen: RegExp): string[] {
    const parts: string[] = [];
    const begin = text.length - text.trimStart().length;
    const end = text.trimEnd().length;
    this.starts.push(this.#length);
    const push = (from: number, to: number): void => {
      if (to <= from) return;
      this.#runs.push({ at: this.#length, text: index, offset: from });
      parts.push(text.slice(from, to));
      this.#length += to - from;
    };
    let at = begin;
    // Most texts have no match, and `search` is cheaper than `matchAll`.
    for (const match of text.search(unseen) < 0 ? [] : text.matchAll(unseen)) {
      push(at, Math.min(match.index, end));
      at = Math.max(at, match.index + match[0].length);
    }
    push(at, end);
    return parts;
  }

  #find(place: number): { text: number; offset: number } {
    const { at, text, offset } = this.#runs.findLast(run => run.at <= place) ?? { at: 0, text: 0, offset: 0 };
    return { text, offset: offset + place - at };
  }
}

/** Applies cuts to texts; overlapping cuts are merged. */
export function replaceCuts(texts: readonly string[], cuts: readonly MarkupCut[]): string[] {
  const apart: MarkupCut[] = [];
  for (const cut of [...cuts].sort((a, b) => a.text - b.text || a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1);
    if (last?.text === cut.text && last.end > cut.start)
      apart.splice(-1, 1, { ...last, end: Math.max(last.end, cut.end), by: last.by || cut.by });
    else apart.push(cut);
  }
  const result = [...texts];
  for (const { text, start, end, by } of apart.reverse()) {
    const whole = result[text] ?? '';
    result[text] = whole.slice(0, start) + by + whole.slice(end);
  }
  return result;
}

/**
 * Patterns for a value in the forms in which pages, URLs and programs write it: other case, percent-encoding, HTML,
 * JSON or JavaScript escapes, base64, hexadecimal, added white space. Invisible characters are removed before.
 */
interface EncodedForms {
  /** Regular expression sources, for `iu`. */
  readonly written: string[];
  /** Case-sensitive regular expression sources. */
  readonly encoded: string[];
  /** Matches the value's beginning at the end of a truncated text; for `iu`. */
  readonly cut: string;
  /** Matches in any text that has an echo or its beginning; for `iu`. */
  readonly trace: string;
}

/** With white space ignored, a shorter value occurs by chance. */
const SHORTEST_SPACED = 8;
/** A shorter beginning reveals nothing. */
const SHORTEST_CUT = 4;
/** A character that was escaped four times has up to 15. */
const BACKSLASHES = '\\\\{0,15}';
/** A shorter piece of base64 occurs by chance. */
const SHORTEST_BASE64 = 5;

/** Replacements for these characters in file names, by Chromium or by us. */
const IN_FILE_NAMES = '[_-]';
const NOT_IN_FILE_NAMES = /^[<>:"/\\|?*~]$/;
const HTML_NAMES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };
/** White space of any kind and length in every encoding, or none where a text continues elsewhere. */
const ENCODED_SPACE =
  '(?:\\s|[\\^~]|\\+|%(?:25)*(?:20|0a|0d|09)|%(?:25)*c2%(?:25)*a0|&(?:amp;)*(?:#(?:x0*20|0*32|x0*a0|0*160)|nbsp);?|\\\\{1,15}(?:[nrt]|u00(?:20|0a|0d|09|a0)|x(?:20|a0)))*';

export function echoOf(value: string): EncodedForms {
  const forms = encodedFormsOf(value);
  const bytes = [...new Set(forms.flatMap(form => [form, seenOf(form)]))].map(form => Buffer.from(form));
  return {
    written: [...forms.flatMap(spellings), ...bytes.map(hexadecimal)],
    encoded: bytes.flatMap(base64),
    cut: forms.map(cutShort).join('|'),
    trace: [...forms.map(beginning), ...bytes.map(hexadecimal), ...bytes.flatMap(base64)].join('|'),
  };
}

/** Equivalent spellings of a value; regular expressions cover simple case changes. */
function encodedFormsOf(value: string): string[] {
  const upper = value.toUpperCase();
  const longer = [upper, upper.toLowerCase()].filter(text => text.length !== value.length);
  const written = [value, ...longer].flatMap(text =>
    ['NFC', 'NFD', 'NFKC'].map(form => text.normalize(form)).concat(text),
  );
  return [...new Set(written)];
}

/** A text without invisible characters, unless it has no others. */
function seenOf(text: string): string {
  return text.replace(UNSEEN, '') || text;
}

/** A short value with spaces between its letters must be a word of its own. */
function spellings(text: string): string[] {
  const spaced = spelled(characters(text), true);
  if (seenOf(text).length >= SHORTEST_SPACED) return [spaced];
  return [spelled(characters(text), false), `(?<![\\p{L}\\p{N}])${spaced}(?![\\p{L}\\p{N}])`];
}

function spelled(letters: readonly string[], isSpaced: boolean): string {
  return letters.map((letter, index) => gap(letters[index - 1], letter, isSpaced) + character(letter)).join('');
}

/** White space absorbs the gaps around it. Between texts stand the marks of what is raised or deleted. */
function gap(before: string | undefined, letter: string, isSpaced: boolean): string {
  return isSpaced && before !== undefined && !before.startsWith(' ') && !letter.startsWith(' ') ? '[\\s^~]*' : '';
}

/** A character with the invisible characters after it. */
const VISIBLE_CHARACTER = new RegExp(`(?!${UNSEEN.source})[^](?:${UNSEEN.source})?`, 'gu');

/** Any white space is equivalent to one space. */
function characters(text: string): string[] {
  const spaced = text.replace(/\s+/g, ' ');
  return spaced.match(VISIBLE_CHARACTER) ?? Array.from(spaced);
}

/** The spellings of a character. Invisible characters after it remain in a text only where they are escaped. */
function character(text: string): string {
  const [letter = '', ...unseen] = text;
  return (
    (letter === ' ' ? ENCODED_SPACE : writtenForms(letter)) + unseen.map(each => `${writtenForms(each)}?`).join('')
  );
}

function writtenForms(text: string): string {
  const code = text.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index).toString(16).padStart(4, '0'));
  const ways = [
    text === '\\' ? '\\\\{1,15}' : `${BACKSLASHES}${literally(text)}`,
    [...Buffer.from(text)].map(byte => `%(?:25)*${byte.toString(16).padStart(2, '0')}`).join(''),
    `&(?:amp;)*#(?:x0*${hex}|0*${code});?`,
    units.map(unit => `\\\\{1,15}u(?:${unit}|\\{0*${unit}\\})`).join(''),
    ...(NOT_IN_FILE_NAMES.test(text) ? [IN_FILE_NAMES] : []),
    ...(code < 256 ? [`\\\\{1,15}x${hex.padStart(2, '0')}`] : []),
    ...(HTML_NAMES[text] === undefined ? [] : [`&(?:amp;)*${HTML_NAMES[text]};?`]),
  ];
  return `(?:${ways.join('|')})`;
}

function beginning(text: string): string {
  return spelled(characters(text).slice(0, SHORTEST_CUT), true);
}

function cutShort(text: string): string {
  const letters = characters(text);
  const isSpaced = text.length >= SHORTEST_SPACED;
  const rest = letters.map((letter, index) => gap(letters[index - 1], letter, isSpaced) + character(letter));
  const first = rest.splice(0, SHORTEST_CUT).join('');
  return first + rest.reduceRight((inner, part) => `(?:${part}${inner})?`, '');
}

function hexadecimal(bytes: Buffer): string {
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('[\\s:-]*');
}

/** The base64 characters that encode only this value, for each of its offsets in a longer text. */
function base64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap(before => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const core = padded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    if (core.length < SHORTEST_BASE64) return [];
    const safe = Array.from(core, letter => (letter === '+' ? '[+-]' : letter === '/' ? '[/_]' : letter)).join('\\s*');
    return [`[\\w+/-]?${safe}[\\w+/-]?={0,2}`];
  });
}

function literally(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}/]/gu, '\\$&');
}
