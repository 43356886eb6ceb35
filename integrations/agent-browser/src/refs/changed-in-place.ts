import type { RefEntry } from './ref-entry.js';

/** Namesakes on either side that a row is compared with. */
const NEAR = 2;

/** Elements whose row says something else because of an action that left it the row that it was. `entries` are in the order of the page. */
export function changedInPlace(entries: Iterable<RefEntry>, acted: RefEntry): RefEntry[] {
  const byName = new Map<string, RefEntry[]>();
  for (const entry of entries) {
    const { told, node } = entry;
    if (told.role !== node.role || told.name !== node.name) continue;
    const key = `${node.document.doc} ${node.role} ${node.name}`;
    const namesakes = byName.get(key);
    if (namesakes === undefined) byName.set(key, [entry]);
    else namesakes.push(entry);
  }
  return [...byName.values()].flatMap(namesakes =>
    namesakes.filter(
      (entry, i) => entry.told.fingerprint !== entry.node.fingerprint && isSameRow(entry, { namesakes, i, acted }),
    ),
  );
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
