import type { SnapshotNode } from '../snapshot/tree.js';

/** The description of a ref's element that the agent was given. */
export interface Told {
  role: string;
  name: string;
  row: string;
  fingerprint: number;
}

export function toldOf(node: SnapshotNode): Told {
  return { role: node.role, name: node.name, row: node.row, fingerprint: node.fingerprint };
}

/** How much of a name and of a row is said. */
const SAID = 80;
/** How much text is shown before the point where two texts begin to differ. */
const BEFORE = 20;

/** Such as `button "Delete" in "Alpha"`. */
export function describeTold(told: Pick<Told, 'role' | 'name' | 'row'>): string {
  const name = told.name === '' ? '' : ` ${JSON.stringify(told.name.slice(0, SAID))}`;
  const row = told.row === '' ? '' : ` in ${JSON.stringify(told.row.slice(0, SAID))}`;
  return `${told.role}${name}${row}`;
}

type Said = Pick<Told, 'role' | 'name' | 'row'>;

/** The old and the new description of an element, each cut so that the difference shows. */
export function describeChange(was: Said, now: Said): [was: string, now: string] {
  const [wasName, nowName] = cutToDifference(was.name, now.name);
  const [wasRow, nowRow] = cutToDifference(was.row, now.row);
  return [
    describeTold({ role: was.role, name: wasName, row: wasRow }),
    describeTold({ role: now.role, name: nowName, row: nowRow }),
  ];
}

function cutToDifference(was: string, now: string): [was: string, now: string] {
  let same = 0;
  while (same < was.length && was[same] === now[same]) same++;
  if (was === now || Math.max(was.length, now.length) <= SAID || same < SAID - BEFORE) return [was, now];
  const from = was.lastIndexOf(' ', same - BEFORE) + 1 || same - BEFORE;
  return [`…${was.slice(from)}`, `…${now.slice(from)}`];
}
