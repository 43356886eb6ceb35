import { ToolError } from '../../outcome/errors.js';
import type { ElementFacts } from '../../page/protocol.js';
import { describeTold } from '../../refs/told.js';
import { dateIn, momentIn, monthIn, timeIn, weekIn } from './date-text.js';

interface Kind {
  /** The value that a field of the kind takes for a text; undefined where the text may mean several, or none. */
  read(text: string): string | undefined;
  /** The format that it takes, with an example. */
  needs: string;
}

/** Fields whose value is not typed: they take a whole one or none (HTML, states of the type attribute). */
const KINDS: Record<string, Kind> = {
  date: { read: dateIn, needs: 'YYYY-MM-DD, such as 2026-12-24' },
  time: { read: timeIn, needs: 'HH:MM, such as 14:30' },
  'datetime-local': { read: momentIn, needs: 'YYYY-MM-DDTHH:MM, such as 2026-12-24T14:30' },
  month: { read: monthIn, needs: 'YYYY-MM, such as 2026-12' },
  week: { read: weekIn, needs: 'YYYY-Www, such as 2026-W52' },
  color: { read: colourIn, needs: '#rrggbb, such as #ff8800' },
  range: { read: numberIn, needs: 'a number' },
};
/** https://www.w3.org/TR/css-color-4/#named-colors: the sixteen of HTML, and orange. */
const COLOURS: Record<string, string> = {
  black: '000000',
  silver: 'c0c0c0',
  gray: '808080',
  grey: '808080',
  white: 'ffffff',
  maroon: '800000',
  red: 'ff0000',
  purple: '800080',
  fuchsia: 'ff00ff',
  green: '008000',
  lime: '00ff00',
  olive: '808000',
  yellow: 'ffff00',
  navy: '000080',
  blue: '0000ff',
  teal: '008080',
  aqua: '00ffff',
  orange: 'ffa500',
};

export function isWhole(facts: ElementFacts): boolean {
  return facts.inputType in KINDS;
}

/**
 * The value that a field takes for a text.
 * @throws ToolError `invalid_input` that says what it needs.
 */
export function wholeValue(ref: string, facts: ElementFacts, text: string): string {
  const kind = KINDS[facts.inputType];
  if (kind === undefined || (text.trim() === '' && facts.inputType !== 'range')) return text;
  const value = kind.read(text);
  if (value !== undefined && isWithin(facts, value)) return value;
  const what = `${ref} (${describeTold(facts)})`;
  const given = JSON.stringify(text.slice(0, 100));
  throw new ToolError('invalid_input', `text: ${what} needs ${kind.needs}${limitsOf(facts)}, not ${given}.`);
}

/** A number written with separators or a sign that fields of numbers do not take; undefined where it may be one of two. */
export function numberIn(text: string): string | undefined {
  const plain = text
    .trim()
    .replace(/[\s\u00a0\u202f'’_](?=\d{3}(?!\d))/g, '')
    .replace(/^\+|\u2212/g, sign => (sign === '+' ? '' : '-'));
  if (plain !== '' && !Number.isNaN(Number(plain))) return plain;
  const [, english] = /^(-?\d{1,3}(?:,\d{3})+\.\d+|-?\d{1,3}(?:,\d{3}){2,})$/.exec(plain) ?? [];
  if (english !== undefined) return english.replaceAll(',', '');
  const [, european] = /^(-?\d{1,3}(?:\.\d{3})+,\d+|-?\d{1,3}(?:\.\d{3}){2,})$/.exec(plain) ?? [];
  if (european !== undefined) return european.replaceAll('.', '').replace(',', '.');
  // Thousands have three digits: with any other number of them a comma is a decimal one.
  return /^-?\d+,(?:\d{1,2}|\d{4,})$/.test(plain) ? plain.replace(',', '.') : undefined;
}

/** In words for a list of what is needed; empty where the field does not say. */
export function limitsOf({ limits = {} }: ElementFacts): string {
  const { min, max, step } = limits;
  const range = min !== undefined && max !== undefined ? ` from ${min} to ${max}` : '';
  return `${range}${step !== undefined && step !== '1' && step !== 'any' ? ` in steps of ${step}` : ''}`;
}

/** A slider takes no other value; other fields tell what they refuse when the form is sent. */
function isWithin({ inputType, limits = {} }: ElementFacts, value: string): boolean {
  if (inputType !== 'range') return true;
  const [min, max, step] = [Number(limits.min), Number(limits.max), Number(limits.step)];
  const steps = (Number(value) - min) / step;
  const isOnStep = Number.isNaN(step) || Math.abs(steps - Math.round(steps)) < 1e-6;
  return Number(value) >= min && Number(value) <= max && isOnStep;
}

function colourIn(text: string): string | undefined {
  const plain = text.trim().toLowerCase();
  const [, long, short] = /^#?(?:([\da-f]{6})|([\da-f]{3}))$/.exec(plain) ?? [];
  const [, ...rgb] = /^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/.exec(plain) ?? [];
  if (rgb.length > 0 && rgb.every(part => Number(part) <= 255))
    return `#${rgb.map(part => Number(part).toString(16).padStart(2, '0')).join('')}`;
  const hex = long ?? short?.replace(/./g, '$&$&') ?? COLOURS[plain];
  return hex === undefined ? undefined : `#${hex}`;
}
