import type { ElementRecord } from '../actions/action-result.js';
import type { Refs } from '../browser/browser-state.js';

/** Where an element is now, or why it cannot be told for sure. */
export type FoundOrDrift = { ref: string } | { drift: string };

const MOST_NAMED = 6;

/**
 * Finds a recorded element by the proof that a ref has: role, name, and the row that tells it from its like. Where that is
 * not enough, its place counts if there are as many as there were. Nothing is guessed.
 */
export function findElement(wanted: ElementRecord, refs: Refs): FoundOrDrift {
  const named = Object.entries(refs).filter(
    ([, { role, name }]) => role === wanted.role && tidy(name) === tidy(wanted.name),
  );
  if (named.length === 0) return { drift: `${said(wanted)} is not there. ${likes(wanted, refs)}` };
  const rows = sameRow(wanted, named);
  if (rows.length === 0) {
    const now = named.map(([, { row = '' }]) => JSON.stringify(row)).slice(0, MOST_NAMED);
    return {
      drift: `${said(wanted)} is not there: ${wanted.role} ${JSON.stringify(wanted.name)} stands in ${now.join(', ')}`,
    };
  }
  const [only] = rows;
  if (only !== undefined && rows.length === 1) return { ref: only[0] };
  const placed = rows.length === wanted.count ? rows[wanted.index] : undefined;
  if (placed !== undefined) return { ref: placed[0] };
  return { drift: `${said(wanted)}: there are ${rows.length}, and there were ${wanted.count}` };
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

function said({ role, name = '', row }: ElementRecord): string {
  return `${role} ${JSON.stringify(name)}${row === undefined ? '' : ` in ${JSON.stringify(row)}`}`;
}

function likes({ role }: ElementRecord, refs: Refs): string {
  const names = Object.values(refs).flatMap(other =>
    other.role === role && other.name ? JSON.stringify(other.name) : [],
  );
  return names.length === 0 ? `There is no ${role} at all.` : `There are: ${names.slice(0, MOST_NAMED).join(', ')}.`;
}
