import type { ElementFacts } from '#page-engine/protocol.js';
import colorString from '#vendored/color-string';
import { describeRef } from '../refs/registry.js';
import { ToolError } from '../results/errors.js';

interface Day {
  year: number;
  month: number;
  day: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const WEEKDAY = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\\.?,?\\s+)?';
const NTH = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
const YEAR_PATTERN = '(?<year>\\d{4})';
const DAYS = [
  `(?<year>\\d{4})(?<mark>[-/.])(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})`,
  `${WEEKDAY}${NTH}\\.?[\\s-]+(?:of\\s+)?${MONTH},?[\\s-]+${YEAR_PATTERN}`,
  `${WEEKDAY}${MONTH}\\s+${NTH},?\\s+${YEAR_PATTERN}`,
  `(?<first>\\d{1,2})(?<mark>[-/.])(?<second>\\d{1,2})\\k<mark>(?<year>\\d{4})`,
].map(wholly);
const MONTHS_OF = [
  `(?<year>\\d{4})[-/.](?<month>\\d{1,2})`,
  `${MONTH},?\\s+${YEAR_PATTERN}`,
  `(?<month>\\d{1,2})[-/.](?<year>\\d{4})`,
].map(wholly);
const WEEKS = [
  `(?<year>\\d{4})-?W(?<week>\\d{1,2})`,
  `(?:week|w)\\s*(?<week>\\d{1,2})(?:,|\\s+of)?\\s*${YEAR_PATTERN}`,
].map(wholly);
const TIME_OF_DAY = wholly(
  '(?<hour>\\d{1,2})(?::(?<minute>\\d{2})(?::(?<second>\\d{2})(?:\\.\\d+)?)?)?\\s*(?:(?<half>[ap])\\.?m\\.?)?',
);
/** A day followed by a time of day. */
const MOMENT = /^(?<day>.+?)(?:T|,?\s+(?:at\s+)?)(?<time>\d{1,2}(?::\d.*|\s*[ap]\.?m\.?))$/i;

function wholly(source: string): RegExp {
  return new RegExp(`^${source}$`, 'i');
}

/** `2026-12-24` for a day in words or numbers; undefined when it is ambiguous or does not exist. */
function dateIn(text: string): string | undefined {
  const day = readings(DAYS, text)
    .map(dayOf)
    .find(found => found !== undefined && exists(found));
  return day && [padded(day.year, 4), padded(day.month), padded(day.day)].join('-');
}

/** `14:05` or `14:05:30`. */
function timeIn(text: string): string | undefined {
  const { hour = '', minute, second, half } = TIME_OF_DAY.exec(text.trim())?.groups ?? {};
  if (hour === '' || (minute === undefined && half === undefined)) return undefined;
  const given = Number(hour);
  if (half !== undefined && (given < 1 || given > 12)) return undefined;
  const hours = half === undefined ? given : (given % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (hours > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) return undefined;
  return [padded(hours), padded(Number(minute ?? 0)), ...(Number(second ?? 0) === 0 ? [] : [second])].join(':');
}

/** `2026-12-24T14:05`. */
function momentIn(text: string): string | undefined {
  const { day = '', time = '' } = MOMENT.exec(text.trim())?.groups ?? {};
  const [date, clock] = [dateIn(day), timeIn(time)];
  return date === undefined || clock === undefined ? undefined : `${date}T${clock}`;
}

/** `2026-12`. */
function monthIn(text: string): string | undefined {
  const found = readings(MONTHS_OF, text).find(groups => monthOf(groups) >= 1 && monthOf(groups) <= 12);
  return found && `${found.year}-${padded(monthOf(found))}`;
}

/** `2026-W52` (ISO 8601). */
function weekIn(text: string): string | undefined {
  const found = readings(WEEKS, text).find(({ week }) => Number(week) >= 1 && Number(week) <= 53);
  return found && `${found.year}-W${padded(Number(found.week))}`;
}

type Groups = Record<string, string | undefined>;

/** The groups of all patterns that a text matches. */
function readings(patterns: readonly RegExp[], text: string): Groups[] {
  return patterns.map(pattern => pattern.exec(text.trim())?.groups).filter(groups => groups !== undefined);
}

/** Of two numbers the one above twelve is the day; two equal numbers are not ambiguous. */
function dayOf(groups: Groups): Day | undefined {
  const year = Number(groups.year);
  if (groups.first === undefined) return { year, month: monthOf(groups), day: Number(groups.day) };
  const [first, second] = [Number(groups.first), Number(groups.second)];
  if (first !== second && first <= 12 && second <= 12) return undefined;
  return first > 12 ? { year, month: second, day: first } : { year, month: first, day: second };
}

function monthOf({ name, month }: Groups): number {
  return name === undefined ? Number(month) : MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function exists({ year, month, day }: Day): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function padded(value: number, length = 2): string {
  return String(value).padStart(length, '0');
}

interface Kind {
  /** The value of such a field for a text; undefined when the text is ambiguous or has none. */
  read(text: string): string | undefined;
  /** The required format, with an example. */
  needs: string;
}

/** Fields whose value is set as a whole instead of typed (HTML, states of the type attribute). */
const KINDS: Record<string, Kind> = {
  date: { read: dateIn, needs: 'YYYY-MM-DD, such as 2026-12-24' },
  time: { read: timeIn, needs: 'HH:MM, such as 14:30' },
  'datetime-local': { read: momentIn, needs: 'YYYY-MM-DDTHH:MM, such as 2026-12-24T14:30' },
  month: { read: monthIn, needs: 'YYYY-MM, such as 2026-12' },
  week: { read: weekIn, needs: 'YYYY-Www, such as 2026-W52' },
  color: { read: colourIn, needs: '#rrggbb, such as #ff8800' },
  range: { read: numberIn, needs: 'a number' },
};

export function isWhole(facts: ElementFacts): boolean {
  return facts.inputType in KINDS;
}

/**
 * The value that a field takes for a text.
 * @throws ToolError `invalid_input` that names the required format.
 */
export function wholeValue(ref: string, facts: ElementFacts, text: string): string {
  const kind = KINDS[facts.inputType];
  if (kind === undefined || (text.trim() === '' && facts.inputType !== 'range')) return text;
  const value = kind.read(text);
  if (value !== undefined && isWithinRange(facts, value)) return value;
  const what = `${ref} (${describeRef(facts)})`;
  const given = JSON.stringify(text.slice(0, 100));
  throw new ToolError('invalid_input', `text: ${what} expects ${kind.needs}${rangeWords(facts)}, not ${given}.`);
}

/** A number without the separators and signs that number fields refuse; undefined when it is ambiguous. */
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
  // Groups of thousands have three digits: before any other number of digits a comma is a decimal separator.
  return /^-?\d+,(?:\d{1,2}|\d{4,})$/.test(plain) ? plain.replace(',', '.') : undefined;
}

/** The limits of a field in words, for an error message; empty where it has none. */
export function rangeWords({ limits = {} }: ElementFacts): string {
  const { min, max, step } = limits;
  const range = min !== undefined && max !== undefined ? ` from ${min} to ${max}` : '';
  return `${range}${step !== undefined && step !== '1' && step !== 'any' ? ` in steps of ${step}` : ''}`;
}

/** Only a slider is limited to its range; other fields report what they refuse when the form is submitted. */
function isWithinRange({ inputType, limits = {} }: ElementFacts, value: string): boolean {
  if (inputType !== 'range') return true;
  const [min, max, step] = [Number(limits.min), Number(limits.max), Number(limits.step)];
  const steps = (Number(value) - min) / step;
  const isOnStep = Number.isNaN(step) || Math.abs(steps - Math.round(steps)) < 1e-6;
  return Number(value) >= min && Number(value) <= max && isOnStep;
}

/** `#rrggbb` for an opaque colour as style sheets name it (CSS Color 4), also without its `#`. */
function colourIn(text: string): string | undefined {
  const plain = text.trim().toLowerCase();
  const colour = /^(?:[\da-f]{3}){1,2}$/.test(plain) ? `#${plain}` : plain;
  const [red = 0, green = 0, blue = 0, opacity] = colorString.get.rgb(colour) ?? [];
  return opacity === 1 ? `#${Buffer.from([red, green, blue]).toString('hex')}` : undefined;
}
