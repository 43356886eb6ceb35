import { everyNode, type PageSnapshot, type SnapshotNode } from '../../snapshot/tree.js';

/** Options that were clicked in a list made of other elements. */
export interface Choice {
  /** Key of the element that the list belongs to. */
  holder: string;
  options: readonly SnapshotNode[];
  chosen: readonly SnapshotNode[];
  /** The page before anything was pressed. */
  before: PageSnapshot;
}

/**
 * What a list that does not mark its options says is selected. One that has closed says it in the text or value it
 * shows, or in what it has put beside it; a menu holds nothing.
 */
export function choiceNow(page: PageSnapshot, { holder, options, chosen, before }: Choice): string[] {
  const labels = chosen.map(node => node.name);
  const own = nodeOf(page, holder);
  const isOpen = nodeOf(page, chosen[0]?.key) !== undefined;
  if (isOpen || own === undefined || options.some(node => node.role !== 'option')) return labels;
  const apart = new Set(options.map(node => node.key));
  const shows = textOf([own]);
  const isShown = (label: string): boolean =>
    shows.includes(label) || timesShown(page, label, apart) > timesShown(before, label, apart);
  if (labels.every(isShown)) return labels;
  return shows === '' ? [] : [shows];
}

function nodeOf(page: PageSnapshot, key: string | undefined): SnapshotNode | undefined {
  return [...everyNode(page.roots)].find(node => node.key === key);
}

/** All that a person reads inside some elements. */
function textOf(nodes: readonly SnapshotNode[]): string {
  return nodes
    .map(({ value, children, name }) => value || textOf(children) || name)
    .filter(text => text !== '')
    .join(' ');
}

function timesShown(page: PageSnapshot, label: string, apart: ReadonlySet<string>): number {
  const nodes = [...everyNode(page.roots)];
  return nodes.filter(node => !apart.has(node.key) && (node.value ?? node.name).includes(label)).length;
}
