import { fitToBudget } from './budget.js';
import type { Change } from './diff.js';
import { type Entry, type EntryOptions, entriesOf } from './diff-entries.js';
import { placeText } from './diff-places.js';
import { indent, type Line } from './render.js';
import { shortSummaryOf } from './rest.js';
import { estimateTokens } from './tokens.js';
import type { SnapshotNode } from './tree.js';
import type { ViewNode } from './view-node.js';

/** The words for a reader who looked and saw nothing new. */
export const NO_CHANGE = '(no change seen)';

/** The same where the result itself tells of what was seen. */
export const NO_OTHER_CHANGE = '(no other change seen)';

export interface Difference {
  /** Lines with `+`, `-` and `~`, within the budget. */
  text: string;
  /** Whether every change is told. */
  complete: boolean;
  /** Nodes whose lines stand in the text. */
  told: SnapshotNode[];
}

export interface WriteOptions extends EntryOptions {
  maxTokens: number;
}

/** Set aside for the line that says what was left out. */
const CLOSING_TOKENS = 40;
/** No single change takes more of what is left of the budget while others wait. */
const LARGEST_SHARE = 0.7;

/** Writes changes within a budget, the weightiest first: what is new and can be acted on, then what changed, then what is gone. */
export function writeChanges(changes: readonly Change[], options: WriteOptions): Difference {
  const entries = entriesOf(changes, options);
  if (entries.length === 0) return { text: NO_CHANGE, complete: true, told: [] };
  const ordered = inOrder(entries);
  const told: Told[] = [];
  const left: Entry[] = [];
  let budget = options.maxTokens - CLOSING_TOKENS;
  const aboutPlace = new Map(entries.map(entry => [entry.subject, entry]));
  const headed = new Set<Entry>();
  let place: ViewNode | undefined;
  for (const [position, entry] of ordered.entries()) {
    if (headed.has(entry)) continue;
    // A place that has changed itself is told as that.
    const heading = entry.place === undefined || entry.place === place ? undefined : aboutPlace.get(entry.place);
    const header =
      entry.place === undefined || entry.place === place
        ? []
        : [heading === undefined ? `  ${placeText(entry.place, options.refOf)}` : `~ ${heading.lines[0]?.text}`];
    const others = position < ordered.length - 1;
    const room = budget - tokensOf(header);
    const written = write(entry, { ...options, maxTokens: others ? Math.max(room * LARGEST_SHARE, SMALLEST) : room });
    const cost = written === undefined ? 0 : tokensOf(header) + tokensOf(written.lines);
    if (written === undefined || cost > budget) {
      left.push(entry);
      continue;
    }
    budget -= cost;
    if (heading !== undefined) headed.add(heading);
    told.push({ entry, header, heads: heading?.lines[0]?.nodes ?? [], written });
    place = entry.subject ?? entry.place;
  }
  for (const each of told) budget = fill(each, budget, options);
  left.push(...told.flatMap(({ entry, written: { rest } }) => (rest.length > 0 ? [{ ...entry, lines: rest }] : [])));
  const out = told.flatMap(({ header, written }) => [...header, ...written.lines]);
  if (left.length > 0) out.push(closing(left, options));
  return {
    text: out.join('\n'),
    complete: left.length === 0,
    told: told.flatMap(({ heads, written }) => [...heads, ...written.told]),
  };
}

interface Told {
  entry: Entry;
  header: readonly string[];
  /** The nodes that the header tells. */
  heads: readonly SnapshotNode[];
  written: Written;
}

/** Tells more of a change that was cut to leave room for others. Returns what is left of the budget after that. */
function fill(each: Told, budget: number, options: WriteOptions): number {
  const { written, entry } = each;
  if (!written.isCut) return budget;
  const cost = tokensOf(written.lines);
  const fuller = write(entry, { ...options, maxTokens: cost + budget, isFilled: true });
  if (fuller === undefined) return budget;
  each.written = fuller;
  return budget + cost - tokensOf(fuller.lines);
}

/** The weightiest first, and behind each what stands at the same place, so that the place is told once. */
function inOrder(entries: readonly Entry[]): Entry[] {
  const byWeight = [...entries].sort((one, other) => other.weight - one.weight);
  const ordered = new Set<Entry>();
  for (const entry of byWeight) {
    ordered.add(entry);
    for (const place of [entry.subject, entry.place]) {
      if (place !== undefined) for (const other of byWeight) if (other.place === place) ordered.add(other);
    }
  }
  return [...ordered];
}

/** Tokens that a change may take even where others wait. */
const SMALLEST = 60;

interface Written {
  lines: string[];
  told: readonly SnapshotNode[];
  rest: readonly Line[];
  /** Whether more could be told of it. */
  isCut: boolean;
}

function write(
  { lines, brief, sign, place }: Entry,
  { refOf, maxTokens, isFilled = false }: WriteOptions & { isFilled?: boolean },
): Written | undefined {
  const start = place === undefined ? '' : indent(1);
  const signed = (text: string): string => `${sign} ${start}${text}`;
  const whole = lines.map(line => signed(indent(line.depth) + line.text));
  if (tokensOf(whole) <= maxTokens)
    return { lines: whole, told: lines.flatMap(({ nodes }) => nodes), rest: [], isCut: false };
  if (lines.length === 1) return undefined;
  const shorter = brief?.() ?? lines;
  // Each line has its sign beside what the budget counts.
  const body = fitToBudget(shorter.length === 0 ? lines : shorter, {
    maxTokens: maxTokens - 2 * Math.min(lines.length, maxTokens / 8),
    usualTokens: 0,
    isFilled,
    refOf,
  });
  if (body.text === '') return undefined;
  const kept = body.text.split('\n').map(signed);
  if (tokensOf(kept) > maxTokens) return undefined;
  const texts = shorter.length < lines.length ? lines.filter(isText) : [];
  return { lines: kept, told: [...body.shown, ...body.folded], rest: [...body.unfolded, ...texts], isCut: true };
}

function isText({ nodes }: Line): boolean {
  return nodes.every(({ role }) => role === 'text');
}

function tokensOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + estimateTokens(line) + 1, 0);
}

/** Says what was left out, and where only removals are left, that. */
function closing(left: readonly Entry[], { maxTokens, refOf }: WriteOptions): string {
  const gone = left.reduce((sum, entry) => sum + (entry.gone ?? 0), 0);
  const others = left.filter(entry => entry.gone === undefined).flatMap(({ lines }) => lines);
  if (others.length === 0) return `… ${gone} removed`;
  const count = others.length + gone;
  const head = `… ${count} more ${count === 1 ? 'change' : 'changes'}`;
  const text = (what: string): string => {
    const parts = [what, gone === 0 ? '' : `${gone} removed`].filter(Boolean).join(', ');
    return `${head}${parts && `: ${parts}`} (browser_snapshot)`;
  };
  if (maxTokens < 2 * CLOSING_TOKENS) return `${head} (browser_snapshot)`;
  return text(shortSummaryOf(others, refOf, what => estimateTokens(text(what)) <= CLOSING_TOKENS));
}
