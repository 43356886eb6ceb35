import { isVerbatim } from './prune.js';
import { refRuns } from './ref-runs.js';
import { indent, type Line } from './render.js';
import { type Fold, type Folding, Repeats } from './repeats.js';
import { estimateTokens } from './tokens.js';
import { isInteractive, isOfPage, type SnapshotNode } from './tree.js';

export interface BudgetOptions {
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
const CLOSING_TOKENS = 25;
/** The fewest tokens of a line. */
const SHORTEST_LINE = 3;

/** What is folded, from the most that is shown to the least. */
const FOLDINGS: readonly Folding[] = [
  { samples: 3, sparesUnlike: true },
  { samples: 3, sparesUnlike: false },
  { samples: 1, sparesUnlike: false },
];

/**
 * Fits lines into a budget: folds repeated siblings first, then leaves out what is farthest from the viewport.
 * Invariant: a line stands whole or not at all, and never without the lines of its parents.
 */
export function fitToBudget(lines: readonly Line[], options: BudgetOptions): Budgeted {
  const limit = options.maxTokens - CLOSING_TOKENS;
  const repeats = new Repeats(lines);
  const everything: Selection = { keep: new Array<boolean>(lines.length).fill(true), folds: [] };
  const fits = (selection: Selection): boolean =>
    tokensOf(lines, selection) + foldTokens(lines, selection, options) <= limit;
  if (surelyFits(lines, limit) || fits(everything)) return write(lines, everything, options);
  const selectionOf = (folding: Folding): Selection => {
    const folds = repeats.folds(folding);
    return { keep: withoutFolds(lines, folds), folds };
  };
  for (const folding of FOLDINGS) {
    const selection = selectionOf(folding);
    if (!fits(selection)) continue;
    const isEnough = (samples: number): boolean => fits(selectionOf({ ...folding, samples }));
    const most = Math.floor(limit / SHORTEST_LINE);
    const samples = options.isFilled ? largest(folding.samples, most, isEnough) : folding.samples;
    return write(lines, selectionOf({ ...folding, samples }), options);
  }
  const { keep, folds } = selectionOf({ samples: 1, sparesUnlike: false });
  keepNearest(lines, keep, limit * (1 - FOLD_SHARE));
  const most = Math.floor((limit * FOLD_SHARE) / FOLD_TOKENS);
  return write(lines, { keep, folds: folds.filter(fold => hasParent(lines, keep, fold)).slice(0, most) }, options);
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

function tokensOf(lines: readonly Line[], { keep }: Selection): number {
  let tokens = 0;
  for (let i = 0; i < lines.length; i++) if (keep[i]) tokens += tokensOfLine(lines[i] as Line);
  return tokens;
}

/** Exact where the budget is to be used, else no less. */
function foldTokens(lines: readonly Line[], { folds }: Selection, options: BudgetOptions): number {
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
interface Selection {
  keep: boolean[];
  folds: readonly Fold[];
}

function write(lines: readonly Line[], { keep, folds }: Selection, options: BudgetOptions): Budgeted {
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

interface WrittenFold {
  text: string;
  nodes: readonly SnapshotNode[];
  holder: SnapshotNode | undefined;
}

/** Says how much is folded, which refs it has, which can be used as they are, and how to see all that its holder has. */
function writtenFold(lines: readonly Line[], fold: Fold, options: BudgetOptions): WrittenFold {
  const nodes = nodesIn(lines, fold);
  const holder = holderOf(lines, lines[fold.start] as Line, options);
  const whole = holder === undefined ? '' : `: snapshot ref=${options.refOf(holder)}`;
  const text = `… ${fold.times} more like this${refRuns(nodes.map(options.refOf))}${whole}`;
  return { text, nodes, holder };
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
