import { Flag } from '#page-engine/protocol.js';
import { numberRuns, type RefOf, refRuns } from '../snapshot/render.js';
import { everyNode, hasInteractive, isInteractive, madeNode, type ViewNode } from '../snapshot/tree.js';

/** One day of a calendar, or of the months around it. */
interface CalendarDay extends Pick<Slot, 'item' | 'flags'> {
  day: number;
}

/** The days of one month, as a page shows them. */
export interface Calendar {
  days: readonly CalendarDay[];
  /** The last days of the month before and the first ones of the month after, in the same grid. */
  before: readonly CalendarDay[];
  after: readonly CalendarDay[];
  /** Everything that the line of the days stands for: days, numbers of weeks, names of weekdays. */
  parts: ReadonlySet<ViewNode>;
  /** What stands before the days: the month, and the ways to others. */
  head: readonly ViewNode[];
}

const SHORTEST_MONTH = 28;
const LONGEST_MONTH = 31;
/** Days of other months that fill the first and last weeks. */
const MOST_FILLING = 14;
/** Numbers of weeks between the days. */
const MOST_WEEK_NUMBERS = 8;
const WEEKDAYS = 7;
const WEEKDAY_NAME_LIMIT = 16;
const DAY_LABEL_LIMIT = 80;
/** How far before the days the month may be, in lines. */
const HEAD_LINES = 12;
const CAPTION_TEXT_LIMIT = 40;

const DAY_NUMBER = /^(?:0?[1-9]|[12]\d|3[01])$/;
const WEEK_NUMBER = /^\d{1,2}$/;
const YEAR_IN_LABEL = /(?<!\d)(?:19|20)\d\d(?!\d)/;
const MONEY = /\p{Sc}/u;
/** Separates the cells of a row that contains only text. */
const CELL_BREAK = ' | ';
const DAY_CELLS = new Set(['cell', 'gridcell']);
/** Parts of a calendar that seem to take clicks where a listener around it hears them. */
const HEARD_CELLS = new Set(['cell', 'clickable', 'columnheader', 'gridcell', 'rowheader']);

/** A line of a view that may be a day. A row of plain text holds several. */
interface Slot {
  item: ViewNode;
  /** With those of its cell, which may carry the states of a button in it. */
  flags: number;
  /** The days that it may be: a label such as `9/1/2026` has several numbers. */
  numbers: readonly number[];
  text: string;
}

/** The calendars in views, in document order. */
export function calendarsIn(views: readonly ViewNode[]): Calendar[] {
  const slots: Slot[] = [];
  for (const item of views) addSlots(slots, item, 0);
  const calendars: Calendar[] = [];
  let free = 0;
  for (let at = 0; at < slots.length; at++) {
    if (!slots[at]?.numbers.includes(1)) continue;
    const days = daysFrom(slots, at);
    if (days === undefined) continue;
    const end = (days.at(-1) as number) + 1;
    const after = rising(slots, end, MOST_FILLING + 1);
    const filling = after.length > MOST_FILLING ? [] : after;
    const start = leadingStart(slots, at, free);
    const first = weekdaysStart(slots, blanksBefore(slots, start, free), free);
    const last = blanksAfter(slots, end + filling.length);
    calendars.push({
      days: days.map((index, position) => dayAt(slots, index, position + 1)),
      before: slots
        .slice(start, days[0])
        .filter(({ numbers }) => numbers.length > 0)
        .map(slot => ({ ...slot, day: Math.max(...slot.numbers) })),
      after: filling.map((index, position) => dayAt(slots, index, position + 1)),
      parts: new Set(slots.slice(first, last).map(({ item }) => item)),
      head: slots.slice(Math.max(free, first - HEAD_LINES), first).map(({ item }) => item),
    });
    free = last;
    at = last - 1;
  }
  return calendars;
}

function dayAt(slots: readonly Slot[], index: number, day: number): CalendarDay {
  return { ...(slots[index] as Slot), day };
}

/** Adds the innermost things that can be acted on, and the texts that no such thing contains. */
function addSlots(slots: Slot[], item: ViewNode, around: number): void {
  const flags = item.node.flags | around;
  const isDeepest = item.children.length === 0 || (isInteractive(item.node) && !item.children.some(hasInteractive));
  if (!isDeepest) {
    for (const child of item.children) addSlots(slots, child, DAY_CELLS.has(item.role) ? flags : 0);
    return;
  }
  const text = item.node.text ?? (item.name || item.children.find(({ name }) => name !== '')?.name || '');
  const cells = item.role === 'row' ? item.name.split(CELL_BREAK) : [];
  if (cells.length > 1 && cells.every(cell => cell === '' || WEEK_NUMBER.test(cell)))
    for (const cell of cells) slots.push({ item, flags, numbers: dayNumbers(cell), text: cell });
  else slots.push({ item, flags, numbers: isPlainDay(item) && !MONEY.test(text) ? numbersOf(item, text) : [], text });
}

/** Whether a day shows nothing but its date: a price would be lost in the line of the days. */
function isPlainDay({ name, children }: ViewNode): boolean {
  return (
    !MONEY.test(name) &&
    children.every(child => isPlainDay(child) && (!/\d/.test(child.name) || DAY_NUMBER.test(child.name)))
  );
}

function dayNumbers(text: string): number[] {
  return DAY_NUMBER.test(text) ? [Number(text)] : [];
}

/** The days that a text or label may name: a number alone, or a date with its year. */
function numbersOf({ name }: ViewNode, text: string): number[] {
  const alone = dayNumbers(text.trim());
  if (alone.length > 0 || name.length > DAY_LABEL_LIMIT || !YEAR_IN_LABEL.test(name)) return alone;
  const numbers = name.replace(YEAR_IN_LABEL, ' ').match(/\d+/g) ?? [];
  return numbers.length > 2 ? [] : numbers.flatMap(dayNumbers);
}

/** The slots of a whole month that begins at `start`; undefined where it is none. */
function daysFrom(slots: readonly Slot[], start: number): number[] | undefined {
  const days: number[] = [];
  let gaps = 0;
  for (let at = start; at < slots.length && days.length <= LONGEST_MONTH; at++) {
    const slot = slots[at] as Slot;
    if (isDay(slots, at, days.length + 1)) days.push(at);
    else if (!isWeekNumber(slot) || (!isEmptyCell(slot) && ++gaps > MOST_WEEK_NUMBERS)) break;
  }
  const next = slots[(days.at(-1) ?? start) + 1]?.text;
  const isMonth = days.length >= SHORTEST_MONTH && days.length <= LONGEST_MONTH && next !== `${LONGEST_MONTH + 1}`;
  return isMonth && days.some(at => isInteractive((slots[at] as Slot).item.node)) ? days : undefined;
}

/** Whether a slot is this day, as opposed to the number of a week before the same day. */
function isDay(slots: readonly Slot[], at: number, day: number): boolean {
  const [slot, next] = [slots[at] as Slot, slots[at + 1]];
  return slot.numbers.includes(day) && !(next?.numbers.includes(day) && slot.text === next.text);
}

/** The number of a week, or an empty cell. */
function isWeekNumber(slot: Slot): boolean {
  return !isControl(slot) && (slot.text === '' || WEEK_NUMBER.test(slot.text));
}

/** Whether it is more than a cell, which takes clicks where a listener around the calendar hears them. */
function isControl({ item }: Slot): boolean {
  return isInteractive(item.node) && !HEARD_CELLS.has(item.role);
}

function isEmptyCell(slot: Slot): boolean {
  return slot.text === '' && (DAY_CELLS.has(slot.item.role) || !isControl(slot)) && slot.item.role !== 'clickable';
}

/** Where the empty cells before the days begin. */
function blanksBefore(slots: readonly Slot[], start: number, free: number): number {
  let at = start;
  while (at > free && isEmptyCell(slots[at - 1] as Slot)) at--;
  return at;
}

/** Where the empty cells after the days end. */
function blanksAfter(slots: readonly Slot[], end: number): number {
  let at = end;
  while (at < slots.length && isEmptyCell(slots[at] as Slot)) at++;
  return at;
}

/** The slots that count on from 1. */
function rising(slots: readonly Slot[], start: number, most: number): number[] {
  const found: number[] = [];
  while (found.length < most && slots[start + found.length]?.numbers.includes(found.length + 1))
    found.push(start + found.length);
  return found;
}

/** Where the last days of the month before begin. */
function leadingStart(slots: readonly Slot[], start: number, free: number): number {
  const last = slots[start - 1];
  let day = last === undefined || start - 1 < free ? 0 : Math.max(0, ...last.numbers);
  if (day < SHORTEST_MONTH) return start;
  let at = start;
  while (at > free && start - at < MOST_FILLING && slots[at - 1]?.numbers.includes(day)) {
    at--;
    day--;
  }
  return at;
}

/** Where the names of the weekdays before the days begin. */
function weekdaysStart(slots: readonly Slot[], start: number, free: number): number {
  let at = start;
  // The first row may begin with the number of its week.
  if (at > free && isWeekNumber(slots[at - 1] as Slot)) at--;
  const end = at;
  const above = slots[end - 1];
  const isRow = end > free && above?.item.role === 'row' && above.text.split(CELL_BREAK).length >= WEEKDAYS;
  if (isRow && isWordy(above)) return end - 1;
  while (at > free && end - at <= WEEKDAYS && isWeekday(slots[at - 1] as Slot)) at--;
  if (end - at < WEEKDAYS) return start;
  return end - at > WEEKDAYS && (slots[at]?.text.length ?? 0) > 2 ? at + 1 : at;
}

function isWeekday(slot: Slot): boolean {
  return slot.text.length <= WEEKDAY_NAME_LIMIT && isWordy(slot);
}

function isWordy(slot: Slot): boolean {
  return !isControl(slot) && /\p{L}/u.test(slot.text) && !/\d/.test(slot.text);
}

/** Keys of everything in a view that is a part of a calendar, with the rows and cells around it. */
export function calendarKeys(views: readonly ViewNode[], { parts }: Calendar): Set<string> {
  const keys = new Set<string>();
  const isPart = (item: ViewNode): boolean => {
    if (parts.has(item)) {
      for (const { node } of everyNode([item])) keys.add(node.key);
      return true;
    }
    const inside = item.children.map(isPart);
    const isWhole = inside.length > 0 && inside.every(Boolean) && isFrame(item);
    if (isWhole) keys.add(item.node.key);
    return isWhole;
  };
  views.forEach(isPart);
  return keys;
}

/** Whether a container of days has no text itself, unlike one that is named by its month. */
function isFrame({ role, name }: ViewNode): boolean {
  return name === '' || role === 'row' || DAY_CELLS.has(role);
}

/** Views in which the days of each calendar share one line, below the text that names their month. */
export function withDays(views: readonly ViewNode[], refOf: RefOf): readonly ViewNode[] {
  const calendars = calendarsIn(views);
  if (calendars.length === 0) return views;
  const written = new Set<Calendar>();
  const calendarOf = new Map(calendars.flatMap(calendar => [...calendar.parts].map(part => [part, calendar] as const)));
  const captions = new Set(calendars.map(({ head }) => head.findLast(namesMonth)));
  const folded = (item: ViewNode): ViewNode[] => {
    if (captions.has(item)) return [{ ...item, role: 'caption', node: { ...item.node, distance: -1 } }];
    const calendar = calendarOf.get(item);
    if (calendar !== undefined) {
      if (written.has(calendar)) return [];
      written.add(calendar);
      return [daysView(calendar, refOf)];
    }
    if (item.children.length === 0) return [item];
    const children = item.children.flatMap(folded);
    const isLeft = children.length > 1 || !isFrame(item) || children.some(({ node }) => node.role !== DAYS_ROLE);
    return isLeft ? [{ ...item, children }] : children;
  };
  return views.flatMap(folded);
}

function namesMonth({ role, name }: ViewNode): boolean {
  return role === 'text' && name.length <= CAPTION_TEXT_LIMIT && YEAR_IN_LABEL.test(name);
}

const DAYS_ROLE = 'days';

/** The view of the days of a calendar, which is rendered as one line. */
export function daysView({ days, before, after }: Calendar, refOf: RefOf): ViewNode {
  const [first] = days as [CalendarDay];
  const node = madeNode(first.item.node, DAYS_ROLE);
  // No budget cuts it before other lines.
  node.distance = Math.min(node.distance, -1);
  const nodes = [...before, ...days, ...after].map(({ item }) => item.node);
  // Refs are given in the order of the page, so that those of a month are a range.
  for (const each of nodes) if (isInteractive(each)) refOf(each);
  const others = [besideText('before', before, refOf), besideText('after', after, refOf)].filter(Boolean).join(', ');
  const role = `${DAYS_ROLE} ${refsText(days, refOf)}${stateTexts(days, refOf)}${others && ` (${others})`}`;
  return { node, role, name: '', children: [], standsFor: nodes };
}

function besideText(where: string, days: readonly CalendarDay[], refOf: RefOf): string {
  const open = days.filter(({ item, flags }) => isInteractive(item.node) && (flags & Flag.Disabled) === 0);
  return open.length === 0 ? '' : `${where} ${spansOf(open, refOf).map(spanText).join(', ')}`;
}

/** Days and refs that rise by the same step from one day to the next. */
interface RefSpan {
  from: number;
  to: number;
  refs: number[];
}

const MOST_SPANS = 8;

function spansOf(days: readonly CalendarDay[], refOf: RefOf): RefSpan[] {
  const spans: RefSpan[] = [];
  for (const { day, item } of days) {
    const ref = Number(refOf(item.node).slice(2));
    const span = spans.at(-1);
    const [last = 0, earlier] = span?.refs.slice(-2).reverse() ?? [];
    const fits = span?.to === day - 1 && (earlier === undefined ? ref > last : ref - last === last - earlier);
    if (span !== undefined && fits) {
      span.to = day;
      span.refs.push(ref);
    } else spans.push({ from: day, to: day, refs: [ref] });
  }
  return spans;
}

/** Days with their refs, such as `1-30: @e29-@e58` or `1-30: 1-4 @e8-@e11, 5-30 @e29-@e54`. */
function refsText(days: readonly CalendarDay[], refOf: RefOf): string {
  const open = days.filter(({ item }) => isInteractive(item.node));
  const spans = spansOf(open, refOf);
  const all = range(days[0]?.day ?? 0, days.at(-1)?.day ?? 0);
  if (spans.length > MOST_SPANS) return `${all}${refRuns(open.map(({ item }) => refOf(item.node)))}`;
  const [first] = spans;
  if (first !== undefined && spans.length === 1 && open.length === days.length) return `${all}: ${spanRefs(first)}`;
  return `${all}: ${spans.map(spanText).join(', ')}`;
}

function spanText(span: RefSpan): string {
  return `${range(span.from, span.to)} ${spanRefs(span)}`;
}

function spanRefs({ refs }: RefSpan): string {
  const [first = 0, second = first] = refs;
  const last = refs.at(-1) ?? first;
  if (last === first) return `@e${first}`;
  return second - first === 1 ? `@e${first}-@e${last}` : `@e${first}, @e${second} … @e${last}`;
}

function range(from: number, to: number): string {
  return from === to ? `${from}` : `${from}-${to}`;
}

const SELECTED = Flag.Selected | Flag.Pressed | Flag.Checked;

/** The states of days, such as `, today 17 @e45, disabled 1-4`. */
function stateTexts(days: readonly CalendarDay[], refOf: RefOf): string {
  const today = days.find(({ flags }) => (flags & Flag.Current) !== 0);
  const selected = days.filter(({ flags }) => (flags & SELECTED) !== 0);
  const disabled = days.filter(({ item, flags }) => !isInteractive(item.node) || (flags & Flag.Disabled) !== 0);
  const parts = [
    today && `today ${today.day}${isInteractive(today.item.node) ? ` ${refOf(today.item.node)}` : ''}`,
    listed(selected, 'selected'),
    listed(disabled, 'disabled'),
  ].filter(Boolean);
  return parts.map(part => `, ${part}`).join('');
}

function listed(days: readonly CalendarDay[], state: string): string {
  const spans = numberRuns(days.map(({ day }) => day));
  return spans.length === 0 ? '' : `${state} ${spans.map(([from, to]) => range(from, to)).join(', ')}`;
}
