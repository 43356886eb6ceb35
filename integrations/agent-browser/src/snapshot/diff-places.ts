import { elementText, type RefOf } from './render.js';
import type { ViewNode } from './view-node.js';

/** Names of an order that are told. */
const ORDER_NAMES = 5;
const NAME_LIMIT = 24;

/** Such as `: "Beta", "Alpha", "Gamma", … (12)`. */
export function orderText(order: readonly ViewNode[]): string {
  const names = order.flatMap(item => labelOf(item) ?? []);
  if (names.length < 2) return '';
  const told = names.slice(0, ORDER_NAMES).map(name => JSON.stringify(shortened(name)));
  return `: ${told.join(', ')}${names.length > told.length ? `, … (${names.length})` : ''}`;
}

export function shortened(name: string): string {
  return name.length > NAME_LIMIT ? `${name.slice(0, NAME_LIMIT).replace(/[\ud800-\udbff]$/, '')}…` : name;
}

/** The label of a row: the first text in it. */
export function labelOf(item: ViewNode): string | undefined {
  if (item.name !== '') return item.name;
  for (const child of item.children) {
    const label = labelOf(child);
    if (label !== undefined) return label;
  }
  return undefined;
}

export function namePart({ role, name }: ViewNode): string {
  return name === '' ? role : `${role} ${JSON.stringify(name.slice(0, 60))}`;
}

/** Rows say where a change is by what stands first in them. */
export const LABELLED_ROWS = new Set(['article', 'listitem', 'row', 'treeitem']);

/** The nearest thing around a change that says where it is. */
export function placeOf({ parents }: { parents: readonly ViewNode[] }): ViewNode | undefined {
  return parents.findLast(item => item.name !== '' || (LABELLED_ROWS.has(item.role) && labelOf(item) !== undefined));
}

export function nearestNamed(parents: readonly ViewNode[]): ViewNode | undefined {
  return parents.findLast(({ name }) => name !== '');
}

export function placeText(place: ViewNode, refOf: RefOf): string {
  if (place.name !== '') return elementText(place, refOf);
  return elementText({ ...place, name: shortened(labelOf(place) ?? '') }, refOf);
}
