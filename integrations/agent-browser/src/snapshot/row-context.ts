import { Flag } from '../page/protocol.js';
import type { ViewNode } from './prune.js';
import { isInteractive, type SnapshotNode } from './tree.js';

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
    let end = i + 1;
    while (end < views.length && isOfRow(views[end] as ViewNode, first.node.row, counts)) end++;
    const group = views.slice(i, end).map(item => ({ ...item, children: groupRows(item.children, counts, item) }));
    // A named parent that holds nothing but this row already says which row it is.
    const isToldByParent = parent !== undefined && parent.name !== '' && group.length === views.length;
    const isTold = isToldByParent || isTitled(first.node.row, views[i - 1], counts);
    out.push(...(isTold || !isAmbiguous(group, counts) ? group : [rowView(first.node, group)]));
    i = end;
  }
  return out;
}

/** Whether the line before a row says all of it, or is its title: a heading or a control that nothing else is called like. */
function isTitled(row: string, before: ViewNode | undefined, counts: Map<string, number>): boolean {
  if (before === undefined || before.name === '' || !row.startsWith(before.name)) return false;
  return row === before.name || counts.get(nameKey(before)) === 1;
}

/** What is alone of its name and in no row that says more is not of the row that stands before it. */
function isOfRow(item: ViewNode, row: string, counts: Map<string, number>): boolean {
  if (row === '' || item.node.row !== row) return false;
  return (item.node.flags & Flag.RowBeside) === 0 || isShared(item, counts);
}

/** Whether something in the row has namesakes elsewhere and nothing before it in the row is unique to tell it by. */
function isAmbiguous(group: readonly ViewNode[], counts: Map<string, number>): boolean {
  const first = group[0];
  if (first === undefined || first.node.row === '' || group.length > ROW_MEMBERS) return false;
  const { row } = first.node;
  const saysMore = !row.includes(first.name) || row.length > first.name.length + ROW_SURPLUS;
  return isShared(first, counts) && saysMore;
}

function isShared(item: ViewNode, counts: Map<string, number>): boolean {
  return isInteractive(item.node) && item.name !== '' && (counts.get(nameKey(item)) ?? 0) > 1;
}

const ROW_NAME_LIMIT = 32;
/** What holds more than so many controls is a section of the page rather than a row. */
const ROW_MEMBERS = 8;
/** A row must say more than a control's name and some punctuation. */
const ROW_SURPLUS = 4;

function rowView(node: SnapshotNode, children: ViewNode[]): ViewNode {
  const known = children.some(child => child.name !== '' && child.name.includes(node.row.slice(0, ROW_NAME_LIMIT)));
  const text = node.row.length > ROW_NAME_LIMIT ? `${node.row.slice(0, ROW_NAME_LIMIT)}…` : node.row;
  const { key, id, document, distance } = node;
  const row = {
    key: `${key}:row`,
    id,
    document,
    distance,
    role: 'row',
    name: text,
    flags: 0,
    fingerprint: 0,
    row: '',
    children: [],
  };
  return { node: row, role: 'row', name: known ? '' : text, children };
}
