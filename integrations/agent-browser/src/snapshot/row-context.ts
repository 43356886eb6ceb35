import { Flag } from '../page/protocol.js';
import { isInteractive, type SnapshotNode } from './tree.js';
import type { ViewNode } from './view-node.js';

/**
 * row-context: where several controls have the same role and name, those of one row are put below a line with the
 * row's text, so that each can be told from its namesakes.
 */
export function addRowContext(views: ViewNode[]): ViewNode[] {
  const counts = new Map<string, number>();
  countNames(views, counts);
  return groupRows(views, counts);
}

function nameKey(item: ViewNode): string {
  return `${item.role}\0${item.name}`;
}

function countNames(views: readonly ViewNode[], counts: Map<string, number>): void {
  for (const item of views) {
    if (isInteractive(item.node) || item.role === 'heading')
      counts.set(nameKey(item), (counts.get(nameKey(item)) ?? 0) + 1);
    countNames(item.children, counts);
  }
}

function groupRows(views: ViewNode[], counts: Map<string, number>, parent?: ViewNode): ViewNode[] {
  const out: ViewNode[] = [];
  for (let i = 0; i < views.length; ) {
    const first = views[i] as ViewNode;
    const row = rowAt(views, i);
    let end = i + 1;
    while (end < views.length && isOfRow(views[end] as ViewNode, row, counts)) end++;
    const group = views.slice(i, end).map(item => ({ ...item, children: groupRows(item.children, counts, item) }));
    // A named parent that holds nothing but this row already says which row it is.
    const isToldByParent = parent !== undefined && parent.name !== '' && group.length === views.length;
    const isTold = isToldByParent || isTitled(row, views.slice(0, i).findLast(isControl), counts);
    out.push(...(isTold || !isAmbiguous(group, row, counts) ? group : inRow(first.node, row, group)));
    i = end;
  }
  return out;
}

/** The row of a control; a text is of the row of the control behind it that it says something of. */
function rowAt(views: readonly ViewNode[], index: number): string {
  const { role, name, node } = views[index] as ViewNode;
  if (role !== 'text') return node.row;
  const row = views.slice(index + 1).find(isControl)?.node.row ?? '';
  return row.includes(name) ? row : '';
}

/** Whether the line before a row says all of it, or is its title: a heading or a control that nothing else is called like. */
function isTitled(row: string, before: ViewNode | undefined, counts: Map<string, number>): boolean {
  if (before === undefined || before.name === '')
    return before?.children.length === 1 && isTitled(row, before.children[0], counts);
  return row === before.name || (row.startsWith(before.name) && counts.get(nameKey(before)) === 1);
}

/** Whether a node belongs to the row before it: not when it is alone of its name and in no row that says more. */
function isOfRow(item: ViewNode, row: string, counts: Map<string, number>): boolean {
  if (item.role === 'text') return row.includes(item.name);
  if (row === '' || item.node.row !== row) return false;
  return (item.node.flags & Flag.RowBeside) === 0 || isShared(item, counts);
}

/** Whether something in the row has namesakes elsewhere and nothing before it in the row is unique to tell it by. */
function isAmbiguous(group: readonly ViewNode[], row: string, counts: Map<string, number>): boolean {
  const controls = group.filter(isControl);
  const [first] = controls;
  if (first === undefined || row === '' || controls.length > ROW_MEMBERS) return false;
  const saysMore = !row.includes(first.name) || row.length > first.name.length + ROW_SURPLUS;
  return isShared(first, counts) && saysMore;
}

function isControl({ role }: ViewNode): boolean {
  return role !== 'text';
}

function isShared(item: ViewNode, counts: Map<string, number>): boolean {
  return isInteractive(item.node) && item.name !== '' && (counts.get(nameKey(item)) ?? 0) > 1;
}

const ROW_NAME_LIMIT = 32;
/** A part with more controls is a section of the page rather than a row. */
const ROW_MEMBERS = 8;
/** A row must say more than a control's name and some punctuation. */
const ROW_SURPLUS = 4;

/** A row's line says what the lines in it do not, and texts that it says stand in it alone. */
function inRow(node: SnapshotNode, row: string, group: ViewNode[]): ViewNode[] {
  const inside = namesIn(group);
  const isCut = row.length > ROW_NAME_LIMIT;
  const begin = row.slice(0, ROW_NAME_LIMIT);
  const isKnown = inside.some(name => name.includes(begin)) || saysAll(inside.join(' '), row);
  if (isKnown) return group.filter(isControl).length === 1 ? group : [rowView(node, '', group)];
  const name = isCut ? `${begin}…` : row;
  const untold = group.filter(item => item.role !== 'text' || !begin.includes(item.name));
  return [rowView(node, name, untold)];
}

function namesIn(views: readonly ViewNode[]): string[] {
  return views.flatMap(({ name, children }) => [name, ...namesIn(children)]).filter(name => name !== '');
}

function saysAll(said: string, text: string): boolean {
  const words = new Set(said.split(/\s+/));
  return text.split(/\s+/).every(word => words.has(word));
}

function rowView({ key, id, document, distance }: SnapshotNode, name: string, children: ViewNode[]): ViewNode {
  const row = {
    key: `${key}:row`,
    id,
    document,
    distance,
    role: 'row',
    name,
    flags: 0,
    fingerprint: 0,
    row: '',
    children: [],
  };
  return { node: row, role: 'row', name, children };
}
