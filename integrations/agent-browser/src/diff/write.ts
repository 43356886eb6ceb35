import { fitToBudget } from '../snapshot/budget.js';
import { indent, type Line, shortSummaryOf } from '../snapshot/render.js';
import { isInteractive, type SnapshotNode, type ViewNode } from '../snapshot/tree.js';
import { estimateTokens } from '../tokens.js';
import { type PageChange, placeText } from './compare.js';
import { type Entry, type EntryOptions, entriesOf } from './entries.js';

/** The text where no change was seen. */
export const NO_CHANGE = '(no change seen)';

/** The text where the result itself reports what was seen. */
export const NO_OTHER_CHANGE = '(no other change seen)';

interface Difference {
  text: string;
  /** Whether the text contains every change. */
  complete: boolean;
  /** Nodes whose lines are in the text. */
  shown: SnapshotNode[];
}

interface DiffOptions extends EntryOptions {
  maxTokens: number;
  /** Budget where controls have come and everything fits. Default: `maxTokens`. */
  openedTokens?: number;
}

/** Reserved for the line that reports what was left out. */
const DIFF_CLOSING_TOKENS = 40;
/** The largest share of the remaining budget that one change may take while others follow. */
const LARGEST_SHARE = 0.7;

/** Writes changes within a budget, by weight: new content that can be acted on, then changes, then removals. */
export function writeChanges(
  changes: readonly PageChange[],
  { openedTokens = 0, ...options }: DiffOptions,
): Difference {
  const entries = entriesOf(changes, options);
  if (entries.length === 0) return { text: NO_CHANGE, complete: true, shown: [] };
  const usual = writeEntries(entries, options);
  if (usual.complete || openedTokens <= options.maxTokens || !entries.some(bringsControls)) return usual;
  const whole = writeEntries(entries, { ...options, maxTokens: openedTokens });
  return whole.complete ? whole : usual;
}

function bringsControls({ sign, lines }: Entry): boolean {
  return sign === '+' && lines.some(({ nodes }) => nodes.some(isInteractive));
}

function writeEntries(entries: readonly Entry[], options: DiffOptions): Difference {
  const ordered = entriesInOrder(entries);
  const fitting: WrittenEntry[] = [];
  const left: Entry[] = [];
  let budget = options.maxTokens - DIFF_CLOSING_TOKENS;
  const aboutPlace = new Map(entries.map(entry => [entry.subject, entry]));
  const headed = new Set<Entry>();
  /** The places that the latest lines are below, outermost first. */
  let open: readonly ViewNode[] = [];
  for (const [position, entry] of ordered.entries()) {
    if (headed.has(entry)) continue;
    const { place } = entry;
    const depth = place === undefined ? -1 : open.indexOf(place);
    const isHeaded = place === undefined || depth >= 0;
    // A place that has changed itself is written as that change.
    const heading = isHeaded ? undefined : aboutPlace.get(place);
    const header = isHeaded
      ? []
      : [heading === undefined ? `  ${placeText(place, options.refOf)}` : `~ ${heading.lines[0]?.text}`];
    const others = position < ordered.length - 1;
    const room = budget - linesTokens(header);
    const written = writeEntry(entry, {
      ...options,
      maxTokens: others ? Math.max(room * LARGEST_SHARE, SMALLEST_PART_TOKENS) : room,
    });
    const cost = written === undefined ? 0 : linesTokens(header) + linesTokens(written.lines);
    if (written === undefined || cost > budget) {
      left.push(entry);
      continue;
    }
    budget -= cost;
    if (heading !== undefined) headed.add(heading);
    fitting.push({ entry, header, heads: heading?.lines[0]?.nodes ?? [], written });
    open = [
      ...(isHeaded ? open.slice(0, depth + 1) : [place]),
      ...(entry.subject === undefined ? [] : [entry.subject]),
    ];
  }
  for (const each of fitting) budget = fill(each, budget, options);
  left.push(...fitting.flatMap(({ entry, written: { rest } }) => (rest.length > 0 ? [{ ...entry, lines: rest }] : [])));
  const out = fitting.flatMap(({ header, written }) => [...header, ...written.lines]);
  if (left.length > 0) out.push(closing(left, options));
  return {
    text: out.join('\n'),
    complete: left.length === 0,
    shown: fitting.flatMap(({ heads, written }) => [...heads, ...written.shown]),
  };
}

interface WrittenEntry {
  entry: Entry;
  header: readonly string[];
  /** The nodes in the header. */
  heads: readonly SnapshotNode[];
  written: WrittenChange;
}

/** Writes more of a change that was truncated to leave room for others. Returns the remaining budget. */
function fill(each: WrittenEntry, budget: number, options: DiffOptions): number {
  const { written, entry } = each;
  if (!written.isCut) return budget;
  const cost = linesTokens(written.lines);
  const fuller = writeEntry(entry, { ...options, maxTokens: cost + budget, isFilled: true });
  if (fuller === undefined) return budget;
  each.written = fuller;
  return budget + cost - linesTokens(fuller.lines);
}

/**
 * Sorts by weight, each entry followed by the changes inside it and by the others at its place, so that the place is
 * written once.
 */
function entriesInOrder(entries: readonly Entry[]): Entry[] {
  const byWeight = [...entries].sort((one, other) => other.weight - one.weight);
  const at = Map.groupBy(byWeight, ({ place }) => place);
  const ordered = new Set<Entry>();
  const add = (entry: Entry): void => {
    if (ordered.has(entry)) return;
    ordered.add(entry);
    for (const inside of (entry.subject && at.get(entry.subject)) ?? []) add(inside);
  };
  for (const entry of byWeight) {
    add(entry);
    for (const beside of (entry.place && at.get(entry.place)) ?? []) add(beside);
  }
  return [...ordered];
}

/** Tokens that a change may always take, even where others follow. */
const SMALLEST_PART_TOKENS = 60;

interface WrittenChange {
  lines: string[];
  shown: readonly SnapshotNode[];
  rest: readonly Line[];
  /** Whether the change was truncated. */
  isCut: boolean;
}

function writeEntry(
  { lines, brief, sign, place }: Entry,
  { refOf, maxTokens, isFilled = false }: DiffOptions & { isFilled?: boolean },
): WrittenChange | undefined {
  const start = place === undefined ? '' : indent(1);
  const signed = (text: string): string => `${sign} ${start}${text}`;
  const whole = lines.map(line => signed(indent(line.depth) + line.text));
  if (linesTokens(whole) <= maxTokens)
    return { lines: whole, shown: lines.flatMap(({ nodes }) => nodes), rest: [], isCut: false };
  if (lines.length === 1) return undefined;
  const shorter = brief?.() ?? lines;
  const kept = shorter.length === 0 ? lines : shorter;
  const lastLines = (from: number): string[] => kept.slice(from).map(line => signed(indent(line.depth) + line.text));
  const buttons = sign === '+' ? lastButtonsOf(kept) : kept.length;
  // What fits without descriptive texts needs no room for a line about what is left out.
  const isFit = linesTokens(lastLines(0)) <= maxTokens;
  const end = isFit ? 0 : linesTokens(lastLines(buttons)) > maxTokens / 2 ? kept.length : buttons;
  const last = lastLines(end);
  const room = maxTokens - linesTokens(last);
  // The budget does not count the sign of each line.
  const body = fitToBudget(
    kept.slice(0, end).map(line => ({ ...line, end: Math.min(line.end, end) })),
    { maxTokens: room - 2 * Math.min(kept.length, room / 8), usualTokens: 0, isFilled, refOf },
  );
  if (body.text === '' && !isFit) return undefined;
  const written = [...(body.text === '' ? [] : body.text.split('\n').map(signed)), ...last];
  if (linesTokens(written) > maxTokens) return undefined;
  const shown = [...body.shown, ...body.folded, ...kept.slice(end).flatMap(({ nodes }) => nodes)];
  const inLines = new Set(shown);
  const isLeftOut = ({ nodes }: Line): boolean => nodes.every(node => node.role === 'text' && !inLines.has(node));
  const texts = shorter.length < lines.length ? lines.filter(isLeftOut) : [];
  return { lines: written, shown, rest: [...body.unfolded, ...texts], isCut: true };
}

/** The most buttons at the end of a part that no budget cuts. */
const MOST_WAYS_OUT = 3;

/**
 * Where the buttons at the end of what came begin, such as Cancel and Done: whoever opened it needs them to leave.
 * Buttons that repeat, such as one of each row, are none of these.
 */
function lastButtonsOf(lines: readonly Line[]): number {
  const isOnePart = lines[0]?.end === lines.length;
  const names = lines.flatMap(({ nodes }) => nodes.flatMap(({ role, name }) => (role === 'button' ? [name] : [])));
  const isOnce = (name: string): boolean => names.indexOf(name) === names.lastIndexOf(name);
  const isWayOut = ({ depth, nodes }: Line): boolean =>
    (isOnePart || depth === 0) && nodes.some(({ role, name }) => role === 'button' && isOnce(name));
  let start = lines.length;
  while (start > 1 && lines.length - start < MOST_WAYS_OUT && isWayOut(lines[start - 1] as Line)) start--;
  return start;
}

function linesTokens(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + estimateTokens(line) + 1, 0);
}

/** The line that reports what was left out, shorter where it is only removals. */
function closing(left: readonly Entry[], { maxTokens, refOf }: DiffOptions): string {
  const gone = left.reduce((sum, entry) => sum + (entry.gone ?? 0), 0);
  const others = left.filter(entry => entry.gone === undefined).flatMap(({ lines }) => lines);
  if (others.length === 0) return `… ${gone} removed`;
  const count = others.length + gone;
  const head = `… ${count} more ${count === 1 ? 'change' : 'changes'}`;
  const text = (what: string): string => {
    const parts = [what, gone === 0 ? '' : `${gone} removed`].filter(Boolean).join(', ');
    return `${head}${parts && `: ${parts}`} (browser_snapshot)`;
  };
  if (maxTokens < 2 * DIFF_CLOSING_TOKENS) return `${head} (browser_snapshot)`;
  return text(shortSummaryOf(others, refOf, what => estimateTokens(text(what)) <= DIFF_CLOSING_TOKENS));
}
