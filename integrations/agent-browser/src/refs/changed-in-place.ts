import type { SnapshotNode } from '../snapshot/tree.js';
import type { RefEntry } from './ref-entry.js';

/** Namesakes on either side that a row is compared with. */
const NEAR = 2;

/** What an action has changed. */
interface Deed {
  acted: RefEntry;
  /** The elements that were on the page before it and that are there after it, by their keys. */
  before: ReadonlyMap<string, SnapshotNode>;
  after: ReadonlyMap<string, SnapshotNode>;
}

/** Elements whose row says something else because of an action that left it the row that it was. `entries` are in the order of the page. */
export function changedInPlace(entries: Iterable<RefEntry>, { acted, before, after }: Deed): RefEntry[] {
  const restocked = new Set([...missingIn(after, before), ...missingIn(before, after)]);
  const byName = new Map<string, RefEntry[]>();
  for (const entry of entries) {
    const { told, node } = entry;
    if (told.role !== node.role || told.name !== node.name) continue;
    const key = calledIn(node);
    const namesakes = byName.get(key);
    if (namesakes === undefined) byName.set(key, [entry]);
    else namesakes.push(entry);
  }
  return [...byName].flatMap(([called, namesakes]) => {
    const changed = namesakes.filter(({ told, node }) => told.fingerprint !== node.fingerprint);
    // A list that is used anew for other items changes in several rows, or has more or fewer of them.
    if (changed.length === 1 && !restocked.has(called)) return changed;
    return changed.filter(entry => isSameRow(entry, { namesakes, i: namesakes.indexOf(entry), acted }));
  });
}

function calledIn({ document, role, name }: SnapshotNode): string {
  return `${document.doc} ${role} ${name}`;
}

/** How those elements are called that one page has and the other does not. */
function missingIn(page: Deed['after'], other: Deed['after']): string[] {
  return [...other].flatMap(([key, node]) => (page.has(key) ? [] : [calledIn(node)]));
}

/**
 * A list that is used anew for other items shows what another row has shown, or shows elsewhere what this one did. Else a
 * row is known by a word that those near it did not have, or, where the action was in it, by being told by numbers alone.
 */
function isSameRow(
  { told, node }: RefEntry,
  { namesakes, i, acted }: { namesakes: readonly RefEntry[]; i: number; acted: RefEntry },
): boolean {
  const hasMoved = namesakes.some(
    other =>
      other.told.row !== other.node.row &&
      other !== namesakes[i] &&
      (other.told.row === node.row || other.node.row === told.row),
  );
  if (hasMoved) return false;
  const near = namesakes.slice(Math.max(0, i - NEAR), i + NEAR + 1).map(other => new Set(other.told.row.split(' ')));
  const words = new Set(node.row.split(' '));
  const isTelling = (word: string): boolean => words.has(word) && near.filter(said => said.has(word)).length <= NEAR;
  if (told.row.split(' ').some(isTelling)) return true;
  return told.row === acted.told.row && node.row === acted.node.row && !/\p{L}/u.test(told.row);
}
