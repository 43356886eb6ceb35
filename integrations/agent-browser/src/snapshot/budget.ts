import { getOrInsert } from '#page-engine/dom/get-or-insert.js';
import { estimateTokens } from '../tokens.js';
import { isVerbatim } from './prune.js';
import { indent, type Line, refRuns } from './render.js';
import { isInteractive, isOfPage, type SnapshotNode } from './tree.js';

interface Fold {
  /** Index of the first hidden line; the line of the fold is written in its place. */
  start: number;
  end: number;
  /** How many repetitions of the pattern are hidden. */
  times: number;
}

interface RepeatFolding {
  /** Repetitions of each run that stay visible. */
  samples: number;
  /** Shows all of a few controls that have distinct names, such as those of a toolbar. */
  sparesUnlike: boolean;
}

/** Siblings that repeat a pattern. */
interface RepeatRun {
  /** Index of the first among its siblings. */
  start: number;
  /** Length of the repeated pattern, in siblings. */
  period: number;
  times: number;
  isUnlike: boolean;
}

interface LineSiblings {
  /** Indexes of their lines. */
  children: readonly number[];
  runs: readonly RepeatRun[];
}

/** The fewest repetitions that are folded. */
const SHORTEST_RUN = 5;
/** The longest pattern in siblings, such as the link and the two buttons of each item. */
const LONGEST_PATTERN = 4;
/** A fold takes a line itself, so hiding a single line saves nothing. */
const SMALLEST_FOLD = 2;
/** Controls with distinct names that are all shown. A longer run is rather a list of things of one kind. */
const MOST_UNLIKE = 20;

/** Finds the repeated siblings in lines. */
class Repeats {
  /** By the line index of the first sibling. */
  readonly #known = new Map<number, LineSiblings>();

  constructor(readonly lines: readonly Line[]) {}

  /** Returns the folds in the order of the lines. */
  folds({ samples, sparesUnlike }: RepeatFolding): Fold[] {
    const folds: Fold[] = [];
    const pending: [number, number][] = [[0, this.lines.length]];
    for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
      const { children, runs } = this.#siblings(...range);
      const open = (from: number, to: number): void => {
        for (const child of children.slice(from, to)) pending.push([child + 1, this.#line(child).end]);
      };
      let next = 0;
      for (const { start, period, times, isUnlike } of runs) {
        const isWhole = times < samples + SMALLEST_FOLD || (sparesUnlike && isUnlike && times <= MOST_UNLIKE);
        if (isWhole) continue;
        const hidden = start + period * samples;
        open(next, hidden);
        next = start + period * times;
        const last = children[next - 1] as number;
        folds.push({ start: children[hidden] as number, end: this.#line(last).end, times: times - samples });
      }
      open(next, children.length);
    }
    return folds.sort((a, b) => a.start - b.start);
  }

  #line(index: number): Line {
    return this.lines[index] as Line;
  }

  #siblings(start: number, end: number): LineSiblings {
    return getOrInsert(this.#known, start, () => {
      const children: number[] = [];
      for (let i = start; i < end; i = this.#line(i).end) children.push(i);
      const shapes = children.map(child => this.#line(child).shape);
      const names = children.map(child =>
        this.#line(child).end === child + 1 ? lineNameOf(this.#line(child)) : undefined,
      );
      return { children, runs: repeatRunsOf(shapes, names) };
    });
  }
}

/**
 * Matches by name first, so that an element that occurs once among repetitions is part of none of them; then, in what
 * is left, by whether names recur at all; then by shape only.
 * @param names Names of controls that have nothing below them.
 */
function repeatRunsOf(shapes: readonly string[], names: readonly (string | undefined)[]): RepeatRun[] {
  const alike = Map.groupBy(names, name => name);
  const isOnce = names.map(name => name !== undefined && alike.get(name)?.length === 1);
  const marked = (marks: readonly unknown[]): string[] => shapes.map((shape, index) => `${shape}\0${marks[index]}`);
  const runs: RepeatRun[] = [];
  let gaps: [number, number][] = [[0, shapes.length]];
  for (const keys of [marked(names), marked(isOnce), shapes]) {
    const left: [number, number][] = [];
    for (const [from, to] of gaps) {
      let open = from;
      for (let i = from; i < to; ) {
        const run = patternAt(keys, i, to);
        if (run === undefined) i++;
        else {
          runs.push({ ...run, start: i, isUnlike: run.period === 1 && isOnce.slice(i, i + run.times).every(Boolean) });
          left.push([open, i]);
          i += run.period * run.times;
          open = i;
        }
      }
      left.push([open, to]);
    }
    gaps = left;
  }
  return runs.sort((a, b) => a.start - b.start);
}

/** The name of the control in a line with its numbers replaced, so that days and page numbers are alike. */
function lineNameOf({ nodes }: Line): string | undefined {
  const control = nodes.find(isInteractive);
  return control && (control.name || control.hint || '').replace(/\d+/g, '0');
}

/** The pattern that repeats from `start` on: the shortest one with enough repetitions to be folded. */
function patternAt(keys: readonly string[], start: number, end: number): { period: number; times: number } | undefined {
  for (let period = 1; period <= LONGEST_PATTERN; period++) {
    let next = start + period;
    while (next < end && keys[next] === keys[next - period]) next++;
    const times = Math.floor((next - start) / period);
    if (times >= SHORTEST_RUN) return { period, times };
  }
  return undefined;
}

interface BudgetOptions {
  maxTokens: number;
  /** The budget of a snapshot without options; 0 where such a snapshot would not contain these lines. */
  usualTokens: number;
  /** Uses up the budget: folds show as many samples as fit, not only enough to make clear what they hide. */
  isFilled?: boolean;
  refOf: (node: SnapshotNode) => string;
}

/** A text within its budget, and the lines that did not fit. */
export interface Budgeted {
  text: string;
  /** Nodes whose lines are in the text. */
  shown: SnapshotNode[];
  /** Nodes inside folds; the lines of the folds list their refs. */
  folded: SnapshotNode[];
  /** Containers of folds that a snapshot of their ref shows in full; the lines of the folds contain these refs. */
  holders: SnapshotNode[];
  shownLines: number;
  rest: Line[];
  /** Lines of `rest` that are not in a fold. */
  unfolded: Line[];
}

/** Reserved for the line that reports what was left out. */
const SNAPSHOT_CLOSING_TOKENS = 25;
const SHORTEST_LINE = 3;

/** The ways to fold, from the most detail to the least. */
const FOLDINGS: readonly RepeatFolding[] = [
  { samples: 3, sparesUnlike: true },
  { samples: 3, sparesUnlike: false },
  { samples: 1, sparesUnlike: false },
];

/**
 * Fits lines into a budget: folds repeated siblings first, then leaves out the lines farthest from the viewport.
 * Invariant: a line is written whole or not at all, and never without the lines of its ancestors.
 */
export function fitToBudget(lines: readonly Line[], options: BudgetOptions): Budgeted {
  const limit = options.maxTokens - SNAPSHOT_CLOSING_TOKENS;
  const repeats = new Repeats(lines);
  const without = (folds: readonly Fold[]): LineSelection => ({ keep: withoutFolds(lines, folds), folds });
  const everything = without([]);
  const fits = (selection: LineSelection): boolean =>
    selectedTokens(lines, selection) + foldTokens(lines, selection, options) <= limit;
  if (surelyFits(lines, limit) || fits(everything)) return writeSelected(lines, everything, options);
  const selectionOf = (folding: RepeatFolding): LineSelection => without(repeats.folds(folding));
  for (const folding of FOLDINGS) {
    const selection = selectionOf(folding);
    if (!fits(selection)) continue;
    const isEnough = (samples: number): boolean => fits(selectionOf({ ...folding, samples }));
    const most = Math.floor(limit / SHORTEST_LINE);
    const samples = options.isFilled ? largest(folding.samples, most, isEnough) : folding.samples;
    return writeSelected(lines, selectionOf({ ...folding, samples }), options);
  }
  const { keep, folds } = selectionOf({ samples: 1, sparesUnlike: false });
  keepNearest(lines, keep, limit * (1 - FOLD_SHARE));
  const most = Math.floor((limit * FOLD_SHARE) / FOLD_TOKENS);
  return writeSelected(
    lines,
    // Without its samples, the line of a fold ("more like this") refers to nothing.
    { keep, folds: folds.filter(({ start }) => keep[start - 1]).slice(0, most) },
    options,
  );
}

/**
 * Binary search for the largest number up to `most` that satisfies `does`. Assumes that `least` does, and that every
 * number below one that does, does as well.
 */
function largest(least: number, most: number, does: (number: number) => boolean): number {
  let low = least;
  let high = Math.max(least, most);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (does(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

const FOLD_TOKENS = 36;
/** The largest share of a budget that lines of folds may take. */
const FOLD_SHARE = 0.2;

function tokensOfLine(line: Line): number {
  line.tokens ??= estimateTokens(line.text) + 2;
  return line.tokens;
}

/** A text never has more tokens than characters, and characters are faster to count. */
function surelyFits(lines: readonly Line[], limit: number): boolean {
  return lines.reduce((sum, { text }) => sum + text.length + 2, 0) <= limit;
}

function selectedTokens(lines: readonly Line[], { keep }: LineSelection): number {
  return lines.reduce((sum, line, index) => (keep[index] ? sum + tokensOfLine(line) : sum), 0);
}

/** Exact where the budget is to be used up, otherwise an upper bound. */
function foldTokens(lines: readonly Line[], { folds }: LineSelection, options: BudgetOptions): number {
  if (!options.isFilled) return folds.length * FOLD_TOKENS;
  return folds.reduce((sum, fold) => sum + estimateTokens(writtenFold(lines, fold, options).text) + 2, 0);
}

function withoutFolds(lines: readonly Line[], folds: readonly Fold[]): boolean[] {
  const keep = new Array<boolean>(lines.length).fill(true);
  for (const fold of folds) keep.fill(false, fold.start, fold.end);
  return keep;
}

/** Keeps the lines nearest to the viewport, each with its ancestors, until the budget is used up. */
function keepNearest(lines: readonly Line[], keep: boolean[], limit: number): void {
  const candidates: number[] = [];
  for (let i = 0; i < lines.length; i++) if (keep[i]) candidates.push(i);
  candidates.sort((a, b) => (lines[a] as Line).distance - (lines[b] as Line).distance || a - b);
  const allowed = keep.slice();
  keep.fill(false);
  let left = limit;
  for (const index of candidates) {
    const chain: number[] = [];
    for (let i = index; i >= 0 && !keep[i]; i = (lines[i] as Line).parent) if (allowed[i]) chain.push(i);
    const cost = chain.reduce((sum, i) => sum + tokensOfLine(lines[i] as Line), 0);
    if (cost > left) break;
    left -= cost;
    for (const i of chain) keep[i] = true;
  }
  if (keep.includes(true)) return;
  // The outermost line around the nearest is written even where nothing fits: `next` has to get past it.
  let outermost = candidates[0] ?? 0;
  while ((lines[outermost]?.parent ?? -1) >= 0) outermost = (lines[outermost] as Line).parent;
  if (candidates.length > 0) keep[outermost] = true;
}

/** The lines and folds that are written. */
interface LineSelection {
  keep: boolean[];
  folds: readonly Fold[];
}

function writeSelected(lines: readonly Line[], { keep, folds }: LineSelection, options: BudgetOptions): Budgeted {
  const out: string[] = [];
  const shown: SnapshotNode[] = [];
  const folded: SnapshotNode[] = [];
  const holders = new Set<SnapshotNode>();
  const rest: Line[] = [];
  const unfolded: Line[] = [];
  const foldAt = new Map(folds.map(fold => [fold.start, fold]));
  let shownLines = 0;
  let foldEnd = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as Line;
    const fold = foldAt.get(i);
    if (fold !== undefined) {
      foldEnd = fold.end;
      const { text, nodes, holder } = writtenFold(lines, fold, options);
      for (const node of nodes) folded.push(node);
      if (holder !== undefined) holders.add(holder);
      out.push(indent(line.depth) + text);
    }
    if (keep[i]) {
      shownLines++;
      shown.push(...line.nodes);
      out.push(indent(line.depth) + line.text);
    } else {
      rest.push(line);
      if (i >= foldEnd) unfolded.push(line);
    }
  }
  return { text: out.join('\n'), shown, folded, holders: [...holders], shownLines, rest, unfolded };
}

/** The container of a fold, if a snapshot of it fits into the usual budget and so shows the fold's lines. */
function lineHolderOf(
  lines: readonly Line[],
  { parent }: Line,
  { usualTokens }: BudgetOptions,
): SnapshotNode | undefined {
  const line = lines[parent];
  const holder = line?.nodes.at(-1);
  if (line === undefined || holder === undefined || !isOfPage(holder)) return undefined;
  // Outside its message or dialog, a snapshot of it would leave out its texts.
  for (let i = line.parent; i >= 0; i = (lines[i] as Line).parent)
    if ((lines[i] as Line).nodes.some(isVerbatim)) return undefined;
  let tokens = SNAPSHOT_CLOSING_TOKENS;
  for (let i = parent; i < line.end; i++) {
    tokens += tokensOfLine(lines[i] as Line);
    if (tokens > usualTokens) return undefined;
  }
  return holder;
}

interface WrittenFold {
  text: string;
  nodes: readonly SnapshotNode[];
  holder: SnapshotNode | undefined;
}

/**
 * Writes the line of a fold: the number of hidden repetitions, their refs (which can be used without another snapshot),
 * and the ref of the container to read them in full.
 */
function writtenFold(lines: readonly Line[], fold: Fold, options: BudgetOptions): WrittenFold {
  const nodes = lines.slice(fold.start, fold.end).flatMap(line => line.nodes.filter(isInteractive));
  const holder = lineHolderOf(lines, lines[fold.start] as Line, options);
  const whole = holder === undefined ? '' : `: snapshot ref=${options.refOf(holder)}`;
  const text = `… ${fold.times} more like this${refRuns(nodes.map(options.refOf))}${whole}`;
  return { text, nodes, holder };
}

/** The next part of the lines that were left out: as many whole lines as fit, in document order. */
export function nextPart(rest: readonly Line[], maxTokens: number): Budgeted {
  const out: string[] = [];
  const shown: SnapshotNode[] = [];
  let left = maxTokens - SNAPSHOT_CLOSING_TOKENS;
  let index = 0;
  for (; index < rest.length; index++) {
    const line = rest[index] as Line;
    const tokens = tokensOfLine(line);
    if (tokens > left && index > 0) break;
    left -= tokens;
    shown.push(...line.nodes);
    out.push(indent(line.depth) + line.text);
  }
  const others = rest.slice(index);
  return { text: out.join('\n'), shown, folded: [], holders: [], shownLines: index, rest: others, unfolded: others };
}
