/** A day, as far as a text says: of a month alone there is no day. */
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
const YEAR = '(?<year>\\d{4})';
const DAYS = [
  `(?<year>\\d{4})(?<mark>[-/.])(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})`,
  `${WEEKDAY}${NTH}\\.?[\\s-]+(?:of\\s+)?${MONTH},?[\\s-]+${YEAR}`,
  `${WEEKDAY}${MONTH}\\s+${NTH},?\\s+${YEAR}`,
  `(?<first>\\d{1,2})(?<mark>[-/.])(?<second>\\d{1,2})\\k<mark>(?<year>\\d{4})`,
].map(wholly);
const MONTHS_OF = [
  `(?<year>\\d{4})[-/.](?<month>\\d{1,2})`,
  `${MONTH},?\\s+${YEAR}`,
  `(?<month>\\d{1,2})[-/.](?<year>\\d{4})`,
].map(wholly);
const WEEKS = [`(?<year>\\d{4})-?W(?<week>\\d{1,2})`, `(?:week|w)\\s*(?<week>\\d{1,2})(?:,|\\s+of)?\\s*${YEAR}`].map(
  wholly,
);
const TIME = wholly(
  '(?<hour>\\d{1,2})(?::(?<minute>\\d{2})(?::(?<second>\\d{2})(?:\\.\\d+)?)?)?\\s*(?:(?<half>[ap])\\.?m\\.?)?',
);
/** Between a day and a time of it. */
const MOMENT = /^(?<day>.+?)(?:T|,?\s+(?:at\s+)?)(?<time>\d{1,2}(?::\d.*|\s*[ap]\.?m\.?))$/i;

function wholly(source: string): RegExp {
  return new RegExp(`^${source}$`, 'i');
}

/** `2026-12-24` for a day in words or numbers; undefined where it may be one of two, or is none. */
export function dateIn(text: string): string | undefined {
  for (const pattern of DAYS) {
    const groups = pattern.exec(text.trim())?.groups;
    const day = groups && dayOf(groups);
    if (day !== undefined && exists(day)) return [padded(day.year, 4), padded(day.month), padded(day.day)].join('-');
  }
  return undefined;
}

/** `14:05` or `14:05:30`. */
export function timeIn(text: string): string | undefined {
  const { hour = '', minute, second, half } = TIME.exec(text.trim())?.groups ?? {};
  if (hour === '' || (minute === undefined && half === undefined)) return undefined;
  const given = Number(hour);
  if (half !== undefined && (given < 1 || given > 12)) return undefined;
  const hours = half === undefined ? given : (given % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (hours > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) return undefined;
  return [padded(hours), padded(Number(minute ?? 0)), ...(Number(second ?? 0) === 0 ? [] : [second])].join(':');
}

/** `2026-12-24T14:05`. */
export function momentIn(text: string): string | undefined {
  const { day = '', time = '' } = MOMENT.exec(text.trim())?.groups ?? {};
  const [date, clock] = [dateIn(day), timeIn(time)];
  return date === undefined || clock === undefined ? undefined : `${date}T${clock}`;
}

/** `2026-12`. */
export function monthIn(text: string): string | undefined {
  for (const pattern of MONTHS_OF) {
    const groups = pattern.exec(text.trim())?.groups;
    if (groups === undefined) continue;
    const month = monthOf(groups);
    if (month >= 1 && month <= 12) return `${groups.year}-${padded(month)}`;
  }
  return undefined;
}

/** `2026-W52` (ISO 8601). */
export function weekIn(text: string): string | undefined {
  for (const pattern of WEEKS) {
    const { year, week } = pattern.exec(text.trim())?.groups ?? {};
    if (week !== undefined && Number(week) >= 1 && Number(week) <= 53) return `${year}-W${padded(Number(week))}`;
  }
  return undefined;
}

type Groups = Record<string, string | undefined>;

/** Of two numbers the one above twelve is the day; two of the same are both. */
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
