import type { Line } from './render.js';
import { isInteractive } from './tree.js';

export interface Fold {
  /** Index of the first hidden line, before which the fold's own line stands. */
  start: number;
  end: number;
  /** How often what repeats itself comes in it. */
  times: number;
}

export interface Folding {
  /** Repeats that stay of each run. */
  samples: number;
  /** A few controls that each have a name of their own, such as those of a toolbar, are all shown. */
  sparesUnlike: boolean;
}

/** Siblings that repeat themselves. */
interface Run {
  /** Position of the first among its siblings. */
  start: number;
  /** So many siblings are repeated. */
  period: number;
  times: number;
  isUnlike: boolean;
}

interface Siblings {
  /** Their lines, by index. */
  children: readonly number[];
  runs: readonly Run[];
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
export class Repeats {
  /** By the index of the first sibling. */
  readonly #known = new Map<number, Siblings>();

  constructor(readonly lines: readonly Line[]) {}

  /** In the order of the lines. */
  folds({ samples, sparesUnlike }: Folding): Fold[] {
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

  #siblings(start: number, end: number): Siblings {
    let siblings = this.#known.get(start);
    if (siblings === undefined) {
      const children: number[] = [];
      for (let i = start; i < end; i = this.#line(i).end) children.push(i);
      siblings = { children, runs: this.#runs(children) };
      this.#known.set(start, siblings);
    }
    return siblings;
  }

  #runs(children: readonly number[]): Run[] {
    const lines = children.map(child => this.#line(child));
    return runsOf(
      lines.map(({ shape }) => shape),
      lines.map((line, index) => (line.end === (children[index] as number) + 1 ? nameOf(line) : undefined)),
    );
  }
}

/**
 * First by name, so that what stands once among repeats is in none of them; then, of what is left, by whether names
 * come back at all; then by kind alone.
 * @param names Of controls that have nothing below them.
 */
function runsOf(shapes: readonly string[], names: readonly (string | undefined)[]): Run[] {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isOnce = names.map(name => name !== undefined && counts.get(name) === 1);
  const marked = (marks: readonly unknown[]): string[] => shapes.map((shape, index) => `${shape}\0${marks[index]}`);
  const runs: Run[] = [];
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
function nameOf({ nodes }: Line): string | undefined {
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
