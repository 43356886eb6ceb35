import { isVerbatim } from './prune.js';
import { indent, type Line, refRuns } from './render.js';
import { estimateTokens } from './tokens.js';
import { isInteractive, isOfPage, type SnapshotNode } from './tree.js';

interface Fold {
  /** Index of the first hidden line, before which the fold's own line stands. */
  start: number;
  end: number;
  /** How often what repeats itself comes in it. */
  times: number;
}

interface RepeatFolding {
  /** Repeats that stay of each run. */
  samples: number;
  /** A few controls that each have a name of their own, such as those of a toolbar, are all shown. */
  sparesUnlike: boolean;
}

/** Siblings that repeat themselves. */
interface RepeatRun {
  /** Position of the first among its siblings. */
  start: number;
  /** So many siblings are repeated. */
  period: number;
  times: number;
  isUnlike: boolean;
}

interface LineSiblings {
  /** Their lines, by index. */
  children: readonly number[];
  runs: readonly RepeatRun[];
}

/** The fewest repeats that are folded. */
const SHORTEST_RUN = 5;
/** So many siblings in turn can be what repeats itself, such as the link and the two buttons of each item. */
const LONGEST_PATTERN = 4;
/** A fold takes a line itself: it is no shorter than what it hides when that is only one. */
const SMALLEST_FOLD = 2;
/** Controls with names of their own that are spared; more of them are a list of things of a kind. */
const MOST_UNLIKE = 20;

/** What repeats itself in some lines. */
class Repeats {
  /** By the index of the first sibling. */
  readonly #known = new Map<number, LineSiblings>();

  constructor(readonly lines: readonly Line[]) {}

  /** In the order of the lines. */
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
    let siblings = this.#known.get(start);
    if (siblings === undefined) {
      const children: number[] = [];
      for (let i = start; i < end; i = this.#line(i).end) children.push(i);
      siblings = { children, runs: this.#runs(children) };
      this.#known.set(start, siblings);
    }
    return siblings;
  }

  #runs(children: readonly number[]): RepeatRun[] {
    const lines = children.map(child => this.#line(child));
    return repeatRunsOf(
      lines.map(({ shape }) => shape),
      lines.map((line, index) => (line.end === (children[index] as number) + 1 ? lineNameOf(line) : undefined)),
    );
  }
}

/**
 * First by name, so that what stands once among repeats is in none of them; then, of what is left, by whether names
 * come back at all; then by kind alone.
 * @param names Of controls that have nothing below them.
 */
function repeatRunsOf(shapes: readonly string[], names: readonly (string | undefined)[]): RepeatRun[] {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isOnce = names.map(name => name !== undefined && counts.get(name) === 1);
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

/** The name of the control in a line, without its numbers: days and pages are alike. */
function lineNameOf({ nodes }: Line): string | undefined {
  const control = nodes.find(isInteractive);
  return control && (control.name || control.hint || '').replace(/\d+/g, '0');
}

/** The pattern that repeats itself from here on: the fewest siblings that do so often enough to be folded. */
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
  /** The budget of a snapshot that is asked for without options; 0 where such a one would not look like this. */
  usualTokens: number;
  /** The budget is there to be used: folds show as many samples as it holds, not only enough to say what they are. */
  isFilled?: boolean;
  refOf: (node: SnapshotNode) => string;
}

/** A text within its budget, and what did not fit. */
export interface Budgeted {
  text: string;
  /** Nodes whose line stands in the text. */
  shown: SnapshotNode[];
  /** Nodes in a fold, which names their refs. */
  folded: SnapshotNode[];
  /** The parts that hold folds and can be read whole: their refs stand in the folds. */
  holders: SnapshotNode[];
  shownLines: number;
  /** Lines that were left out, in document order. */
  rest: Line[];
  /** Those of them that no fold stands for. */
  unfolded: Line[];
}

/** Set aside for the line that says what was left out. */
const SNAPSHOT_CLOSING_TOKENS = 25;
/** The fewest tokens of a line. */
const SHORTEST_LINE = 3;

/** What is folded, from the most that is shown to the least. */
const FOLDINGS: readonly RepeatFolding[] = [
  { samples: 3, sparesUnlike: true },
  { samples: 3, sparesUnlike: false },
  { samples: 1, sparesUnlike: false },
];

/**
 * Fits lines into a budget: folds repeated siblings first, then leaves out what is farthest from the viewport.
 * Invariant: a line stands whole or not at all, and never without the lines of its parents.
 */
export function fitToBudget(lines: readonly Line[], options: BudgetOptions): Budgeted {
  const limit = options.maxTokens - SNAPSHOT_CLOSING_TOKENS;
  const repeats = new Repeats(lines);
  const everything: LineSelection = { keep: new Array<boolean>(lines.length).fill(true), folds: [] };
  const fits = (selection: LineSelection): boolean =>
    selectedTokens(lines, selection) + foldTokens(lines, selection, options) <= limit;
  if (surelyFits(lines, limit) || fits(everything)) return writeSelected(lines, everything, options);
  const selectionOf = (folding: RepeatFolding): LineSelection => {
    const folds = repeats.folds(folding);
    return { keep: withoutFolds(lines, folds), folds };
  };
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
    { keep, folds: folds.filter(fold => hasParent(lines, keep, fold)).slice(0, most) },
    options,
  );
}

/** The largest number up to `most` that does, where `least` does and all below one that does do as well. */
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
/** At most this part of a budget goes to saying what was folded. */
const FOLD_SHARE = 0.2;

/** Tokens of a line with its line break and indentation. */
function tokensOfLine(line: Line): number {
  line.tokens ??= estimateTokens(line.text) + 2;
  return line.tokens;
}

/** No text has more tokens than characters, which are counted faster. */
function surelyFits(lines: readonly Line[], limit: number): boolean {
  let characters = 0;
  for (const line of lines) characters += line.text.length + 2;
  return characters <= limit;
}

function selectedTokens(lines: readonly Line[], { keep }: LineSelection): number {
  let tokens = 0;
  for (let i = 0; i < lines.length; i++) if (keep[i]) tokens += tokensOfLine(lines[i] as Line);
  return tokens;
}

/** Exact where the budget is to be used, else no less. */
function foldTokens(lines: readonly Line[], { folds }: LineSelection, options: BudgetOptions): number {
  if (!options.isFilled) return folds.length * FOLD_TOKENS;
  return folds.reduce((sum, fold) => sum + estimateTokens(writtenFold(lines, fold, options).text) + 2, 0);
}

function withoutFolds(lines: readonly Line[], folds: readonly Fold[]): boolean[] {
  const keep = new Array<boolean>(lines.length).fill(true);
  for (const fold of folds) keep.fill(false, fold.start, fold.end);
  return keep;
}

/** Keeps the lines nearest to the viewport, each with its parents, until the budget is used up. */
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
  if (!keep.includes(true) && candidates[0] !== undefined) keep[outermost(lines, candidates[0])] = true;
}

/** A page of which nothing fits is begun all the same: else nobody would get to its end. */
function outermost(lines: readonly Line[], index: number): number {
  let at = index;
  for (let i = index; i >= 0; i = (lines[i] as Line).parent) at = i;
  return at;
}

function hasParent(lines: readonly Line[], keep: readonly boolean[], fold: Fold): boolean {
  // A fold whose samples were left out has nothing to be "more like".
  return fold.start > 0 && keep[fold.start - 1] === true && lines[fold.start] !== undefined;
}

/** What stands in a text. */
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

/**
 * The part that holds a fold, where a snapshot of that part has all of it: else the way to see it would lead to another
 * fold.
 */
function lineHolderOf(
  lines: readonly Line[],
  { parent }: Line,
  { usualTokens }: BudgetOptions,
): SnapshotNode | undefined {
  const line = lines[parent];
  const holder = line?.nodes.at(-1);
  if (line === undefined || holder === undefined || !isOfPage(holder)) return undefined;
  // By itself it would be read without its texts.
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

/** Says how much is folded, which refs it has, which can be used as they are, and how to see all that its holder has. */
function writtenFold(lines: readonly Line[], fold: Fold, options: BudgetOptions): WrittenFold {
  const nodes = foldNodes(lines, fold);
  const holder = lineHolderOf(lines, lines[fold.start] as Line, options);
  const whole = holder === undefined ? '' : `: snapshot ref=${options.refOf(holder)}`;
  const text = `… ${fold.times} more like this${refRuns(nodes.map(options.refOf))}${whole}`;
  return { text, nodes, holder };
}

/** The nodes in a fold that can be acted on. */
function foldNodes(lines: readonly Line[], { start, end }: Fold): SnapshotNode[] {
  return lines.slice(start, end).flatMap(line => line.nodes.filter(isInteractive));
}

/** The next part of lines that were left out before: as many whole lines as fit, in document order. */
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
