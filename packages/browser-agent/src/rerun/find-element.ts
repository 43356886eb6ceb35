import type { ElementRecord } from '../actions/action-result.js';
import type { Refs } from '../browser/browser-state.js';

/** Where an element is now, or why it cannot be told for sure. */
export type FoundOrDrift = { ref: string } | { drift: string };

const MOST_NAMED = 6;

/** Paths of elements, by ref. */
type Identify = (refs: string[]) => Promise<Readonly<Record<string, { path: string }>>>;

/**
 * Finds a recorded element by the proof that a ref has: role, name, and the row that tells it from its like. Among several
 * that are alike in all of these, its place counts if there are as many as there were; then its path, as far as `identify`
 * tells it. Where these speak against each other none is taken. Nothing is guessed.
 */
export async function findElement(wanted: ElementRecord, refs: Refs, identify: Identify): Promise<FoundOrDrift> {
  const named = Object.entries(refs).filter(
    ([, { role, name }]) => role === wanted.role && tidy(name) === tidy(wanted.name),
  );
  if (named.length === 0) return { drift: `${describeElement(wanted)} is not there. ${likes(wanted, refs)}` };
  const rows = sameRow(wanted, named);
  if (rows.length === 0) {
    const now = named.map(([, { row = '' }]) => JSON.stringify(row)).slice(0, MOST_NAMED);
    return {
      drift: `${describeElement(wanted)} is not there: ${wanted.role} ${JSON.stringify(wanted.name)} stands in ${now.join(', ')}`,
    };
  }
  const [only] = rows;
  if (only !== undefined && rows.length === 1) return { ref: only[0] };
  return amongEquals(
    wanted,
    rows.map(([ref]) => ref),
    identify,
  );
}

/** Nothing that a person reads tells these apart. */
async function amongEquals(wanted: ElementRecord, equals: string[], identify: Identify): Promise<FoundOrDrift> {
  const { path, index, count } = wanted;
  const paths = path === undefined ? {} : await identify(equals);
  const onPath = equals.filter(ref => path !== undefined && paths[ref]?.path === path);
  const ofKind = equals.filter(ref => path !== undefined && stepKindOf(paths[ref]?.path) === stepKindOf(path));
  const counted = `there are ${equals.length}, and there were ${count}`;
  if (equals.length === count) {
    const placed = equals[index];
    const likely = onPath.length > 0 ? onPath : ofKind;
    if (placed !== undefined && (likely.length === 0 || likely.includes(placed))) return { ref: placed };
    return {
      drift: `${describeElement(wanted)}: ${counted}, in another order: it was number ${index + 1}, at ${path}`,
    };
  }
  // With others beside it a number in a path may mean another one: then only a path of another kind tells.
  const [found] = onPath;
  if (found !== undefined && ofKind.length === 1) return { ref: found };
  return { drift: `${describeElement(wanted)}: ${counted}` };
}

/** A path without the numbers in it. */
function stepKindOf(path = ''): string {
  return path.replace(/:nth-of-type\(\d+\)/g, '');
}

type Entry = [ref: string, element: Refs[string]];

/** Those in its row: word for word, else but for numbers, which change. */
function sameRow({ row }: ElementRecord, named: Entry[]): Entry[] {
  if (row === undefined) {
    const without = named.filter(([, element]) => element.row === undefined);
    return without.length > 0 ? without : named;
  }
  const exact = named.filter(([, element]) => tidy(element.row) === tidy(row));
  if (exact.length > 0) return exact;
  const words = wordsOf(row);
  return words === '' ? [] : named.filter(([, element]) => wordsOf(element.row ?? '') === words);
}

function tidy(text = ''): string {
  return text.replace(/\s+/g, ' ').trim();
}

function wordsOf(row: string): string {
  return tidy(row.replace(/\S*\d\S*/g, ' '));
}

function describeElement({ role, name = '', row }: ElementRecord): string {
  return `${role} ${JSON.stringify(name)}${row === undefined ? '' : ` in ${JSON.stringify(row)}`}`;
}

function likes({ role }: ElementRecord, refs: Refs): string {
  const names = Object.values(refs).flatMap(other =>
    other.role === role && other.name ? JSON.stringify(other.name) : [],
  );
  return names.length === 0 ? `There is no ${role} at all.` : `There are: ${names.slice(0, MOST_NAMED).join(', ')}.`;
}
