import { isVerbatim } from './prune.js';
import { refRuns } from './ref-runs.js';
import { indent, type Line } from './render.js';
import { estimateTokens } from './tokens.js';
import { isInteractive, isOfPage, type SnapshotNode } from './tree.js';

export interface BudgetOptions {
  maxTokens: number;
  /** The budget of a snapshot that is asked for without options; 0 where such a one would not look like this. */
  usualTokens: number;
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

/** The fewest repeats that are folded. */
const SHORTEST_FOLD = 5;
/** So many siblings in turn can be what repeats itself, such as the link and the two buttons of each item. */
const LONGEST_PATTERN = 4;
/** Lines of each fold that stay. */
const FOLD_SAMPLES = [3, 1];
/** Set aside for the line that says what was left out. */
const CLOSING_TOKENS = 25;

interface Fold {
  /** Index of the first hidden line, before which the fold's own line stands. */
  start: number;
  end: number;
  /** How often what repeats itself comes in it. */
  times: number;
}

/**
 * Fits lines into a budget: folds repeated siblings first, then leaves out what is farthest from the viewport.
 * Invariant: a line stands whole or not at all, and never without the lines of its parents.
 */
export function fitToBudget(lines: readonly Line[], options: BudgetOptions): Budgeted {
  const limit = options.maxTokens - CLOSING_TOKENS;
  let folds: Fold[] = [];
  let keep = new Array<boolean>(lines.length).fill(true);
  if (surelyFits(lines, limit)) return write(lines, { keep, folds, options });
  for (const samples of FOLD_SAMPLES) {
    if (tokensOf(lines, keep, folds) <= limit) break;
    folds = findFolds(lines, samples);
    keep = withoutFolds(lines, folds);
  }
  if (tokensOf(lines, keep, folds) > limit) {
    keepNearest(lines, keep, limit * (1 - FOLD_SHARE));
    folds = folds.filter(fold => hasParent(lines, keep, fold)).slice(0, Math.floor((limit * FOLD_SHARE) / FOLD_TOKENS));
  }
  return write(lines, { keep, folds, options });
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

function tokensOf(lines: readonly Line[], keep: readonly boolean[], folds: readonly Fold[]): number {
  let tokens = folds.length * FOLD_TOKENS;
  for (let i = 0; i < lines.length; i++) if (keep[i]) tokens += tokensOfLine(lines[i] as Line);
  return tokens;
}

function childrenOf(lines: readonly Line[], start: number, end: number): number[] {
  const children: number[] = [];
  for (let i = start; i < end; i = (lines[i] as Line).end) children.push(i);
  return children;
}

function findFolds(lines: readonly Line[], samples: number): Fold[] {
  const folds: Fold[] = [];
  const pending: [number, number][] = [[0, lines.length]];
  for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
    const children = childrenOf(lines, range[0], range[1]);
    const shapes = children.map(child => lines[child]?.shape);
    for (let i = 0; i < children.length; ) {
      const { period, times } = patternAt(shapes, i);
      const next = i + period * times;
      const visible = times >= SHORTEST_FOLD ? i + period * samples : next;
      for (let j = i; j < visible; j++) {
        const child = children[j] as number;
        pending.push([child + 1, (lines[child] as Line).end]);
      }
      if (visible < next) {
        const last = children[next - 1] as number;
        folds.push({ start: children[visible] as number, end: (lines[last] as Line).end, times: times - samples });
      }
      i = next;
    }
  }
  return folds.sort((a, b) => a.start - b.start);
}

/** The pattern that repeats itself from here on: the fewest siblings that do so often enough to be folded, else one. */
function patternAt(shapes: readonly unknown[], start: number): { period: number; times: number } {
  for (let period = 1; period <= LONGEST_PATTERN; period++) {
    let end = start + period;
    while (end < shapes.length && shapes[end] === shapes[end - period]) end++;
    const times = Math.floor((end - start) / period);
    if (times >= SHORTEST_FOLD) return { period, times };
  }
  return { period: 1, times: 1 };
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

interface Selection {
  keep: readonly boolean[];
  folds: readonly Fold[];
  options: BudgetOptions;
}

function write(lines: readonly Line[], { keep, folds, options }: Selection): Budgeted {
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
      const nodes = nodesIn(lines, fold);
      for (const node of nodes) folded.push(node);
      const holder = holderOf(lines, line, options);
      if (holder !== undefined) holders.add(holder);
      out.push(indent(line.depth) + foldText(fold, nodes.map(options.refOf), holder && options.refOf(holder)));
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
function holderOf(lines: readonly Line[], { parent }: Line, { usualTokens }: BudgetOptions): SnapshotNode | undefined {
  const line = lines[parent];
  const holder = line?.nodes.at(-1);
  if (line === undefined || holder === undefined || !isOfPage(holder)) return undefined;
  // By itself it would be read without its texts.
  for (let i = line.parent; i >= 0; i = (lines[i] as Line).parent)
    if ((lines[i] as Line).nodes.some(isVerbatim)) return undefined;
  let tokens = CLOSING_TOKENS;
  for (let i = parent; i < line.end; i++) {
    tokens += tokensOfLine(lines[i] as Line);
    if (tokens > usualTokens) return undefined;
  }
  return holder;
}

/** Says how much is folded, which refs it has, which can be used as they are, and how to see all that its holder has. */
function foldText({ times }: Fold, refs: readonly string[], holder: string | undefined): string {
  const whole = holder === undefined ? '' : `: snapshot ref=${holder}`;
  return `… ${times} more like this${refRuns(refs)}${whole}`;
}

/** The nodes in a fold that can be acted on. */
function nodesIn(lines: readonly Line[], { start, end }: Fold): SnapshotNode[] {
  return lines.slice(start, end).flatMap(line => line.nodes.filter(isInteractive));
}

/** The next part of lines that were left out before: as many whole lines as fit, in document order. */
export function nextPart(rest: readonly Line[], maxTokens: number): Budgeted {
  const out: string[] = [];
  const shown: SnapshotNode[] = [];
  let left = maxTokens - CLOSING_TOKENS;
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
