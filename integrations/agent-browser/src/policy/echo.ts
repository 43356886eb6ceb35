/**
 * Recognises a text in whatever form a page, a url or a program writes it: in another case, percent-encoded, with HTML,
 * JSON or JavaScript escapes, in base64 or hexadecimal, with line breaks in it.
 */
export interface Echo {
  /** Sources of regular expressions, for `iu`. */
  readonly written: string[];
  /** Sources of regular expressions in which case matters. */
  readonly encoded: string[];
  /** Source of a regular expression for the beginning of it at the end of a text that was cut, for `iu`. */
  readonly cut: string;
  /** Source of a regular expression that finds something in any text that has an echo or its beginning, for `iu`. */
  readonly trace: string;
}

/** What may stand between two characters of a text that was wrapped. */
const INVISIBLE = '\\u00ad\\u200b-\\u200f\\u2060\\ufeff';
/** A shorter text that is spelled out stands in many others by chance. */
const SHORTEST_SPACED = 8;
/** A beginning shorter than this says nothing. */
const SHORTEST_CUT = 4;
/** A shorter piece of base64 stands in many texts by chance. */
const SHORTEST_BASE64 = 5;

/** What stands for these in the name of a file, Chromium's or ours. */
const IN_FILE_NAMES = '[_-]';
const NOT_IN_FILE_NAMES = /^[<>:"/\\|?*~]$/;
const HTML_NAMES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };
/** White space of any kind and length, in all ways to write it. */
const SPACE =
  '(?:\\s|\\+|%(?:25)*(?:20|0a|0d|09)|%(?:25)*c2%(?:25)*a0|&(?:amp;)*(?:#(?:x0*20|0*32|x0*a0|0*160)|nbsp);?|\\\\+(?:[nrt]|u00(?:20|0a|0d|09|a0)|x(?:20|a0)))+';

export function echoOf(value: string): Echo {
  const forms = formsOf(value);
  const bytes = [...new Set(forms.map(form => Buffer.from(form)))];
  return {
    written: [...forms.map(form => characters(form).map(character).join(between(form))), ...bytes.map(hexadecimal)],
    encoded: bytes.flatMap(base64),
    cut: forms.map(cutShort).join('|'),
    trace: [...forms.map(beginning), ...bytes.map(hexadecimal), ...bytes.flatMap(base64)].join('|'),
  };
}

/** How else a text is spelled by those who mean the same; regular expressions know letters of the other case by themselves. */
function formsOf(value: string): string[] {
  const upper = value.toUpperCase();
  const longer = [upper, upper.toLowerCase()].filter(text => text.length !== value.length);
  return [
    ...new Set(
      [value, ...longer].flatMap(text => ['NFC', 'NFD', 'NFKC'].map(form => text.normalize(form)).concat(text)),
    ),
  ];
}

function between(text: string): string {
  return `[${text.length < SHORTEST_SPACED ? '' : '\\s'}${INVISIBLE}]{0,3}`;
}

/** White space of any kind and length is the same to who reads it. */
function characters(text: string): string[] {
  return Array.from(text.replace(/\s+/g, ' '));
}

/** All ways to write one character. */
function character(text: string): string {
  if (text === ' ') return SPACE;
  const code = text.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index).toString(16).padStart(4, '0'));
  const ways = [
    text === '\\' ? '\\\\+' : `\\\\*${literally(text)}`,
    [...Buffer.from(text)].map(byte => `%(?:25)*${byte.toString(16).padStart(2, '0')}`).join(''),
    `&(?:amp;)*#(?:x0*${hex}|0*${code});?`,
    units.map(unit => `\\\\+u(?:${unit}|\\{0*${unit}\\})`).join(''),
    ...(NOT_IN_FILE_NAMES.test(text) ? [IN_FILE_NAMES] : []),
    ...(code < 256 ? [`\\\\+x${hex.padStart(2, '0')}`] : []),
    ...(HTML_NAMES[text] === undefined ? [] : [`&(?:amp;)*${HTML_NAMES[text]};?`]),
  ];
  return `(?:${ways.join('|')})`;
}

function beginning(text: string): string {
  return characters(text).slice(0, SHORTEST_CUT).map(character).join(between(text));
}

function cutShort(text: string): string {
  const rest = characters(text).slice(SHORTEST_CUT).map(character);
  return beginning(text) + rest.reduceRight((inner, part) => `(?:${between(text)}${part}${inner})?`, '');
}

function hexadecimal(bytes: Buffer): string {
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('[\\s:-]?');
}

/** The characters of base64 that stand for a text alone, wherever in a longer one it begins. */
function base64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap(before => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const core = padded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    if (core.length < SHORTEST_BASE64) return [];
    const safe = Array.from(core, letter => (letter === '+' ? '[+-]' : letter === '/' ? '[/_]' : letter)).join('\\s?');
    return [`[\\w+/-]?${safe}[\\w+/-]?={0,2}`];
  });
}

function literally(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}/]/gu, '\\$&');
}
