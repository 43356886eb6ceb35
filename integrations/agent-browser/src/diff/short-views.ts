import { rowLabel } from '../snapshot/prune.js';
import { hasInteractive, isInteractive, type SnapshotNode, type ViewNode } from '../snapshot/tree.js';
import { itemLabelOf, LABELLED_ROWS, shortenedName } from './compare.js';

/** Parts that a page calls by the text in them. */
const HELD_TEXT: ReadonlySet<string> = new Set(['cell', 'columnheader', 'gridcell', 'rowheader']);

/** Whether a node without a name is called by what it holds. */
export function isCalledByContent({ node, role, name, children }: ViewNode): boolean {
  if (name !== '' || children.length === 0) return false;
  return HELD_TEXT.has(role) || LABELLED_ROWS.has(role) || (isInteractive(node) && children.length === 1);
}

/** A node as its line describes it: named by what it holds. */
export function calledByContent(item: ViewNode): ViewNode {
  return isCalledByContent(item) ? { ...item, name: shortenedName(itemLabelOf(item) ?? '') } : item;
}

/** The only nodes inside each other that a line without a name stands for. */
export function heldNodes(item: ViewNode): SnapshotNode[] {
  const [only, other] = item.children;
  if (only === undefined || other !== undefined || !isCalledByContent(item) || isInteractive(only.node)) return [];
  return [only.node, ...heldNodes(only)];
}

/** The rows of tables as snapshots list them: each called by its cells, with the controls in them. */
export function withRowsOnOneLine(view: ViewNode): ViewNode {
  if (!isRowOfCells(view)) return { ...view, children: view.children.map(withRowsOnOneLine) };
  const text = textsOf(view).join(' ');
  const name = rowLabel(text);
  // What the label leaves out is in the cells.
  if (name !== text) return view;
  const children = controlsOf(view);
  return { ...view, name, children, standsFor: nodesBeside(view, children) };
}

function nodesBeside({ children }: ViewNode, controls: readonly ViewNode[]): SnapshotNode[] {
  return children.flatMap(child => (controls.includes(child) ? [] : [child.node, ...nodesBeside(child, controls)]));
}

/** What can be acted on, with its context, for a small budget. */
export function inShort(view: ViewNode): ViewNode[] {
  return withoutTexts(view).map(withoutOptions);
}

/** The longest text in characters that people choose by: a price, a time, a duration. */
const FACT_LIMIT = 24;

/** The interactive parts of a view and their context. A short text with a number stays beside the control it is about. */
function withoutTexts(item: ViewNode): ViewNode[] {
  if (item.children.length === 0) return item.role === 'text' ? [] : [item];
  if (!hasInteractive(item)) return [item];
  const control = item.children.find(({ node, children }) => isInteractive(node) && children.length === 0);
  const facts = item.children.filter(child => isFact(child) && !control?.name.includes(child.name));
  const children = item.children.flatMap(child => {
    if (facts.includes(child)) return control === undefined ? [child] : [];
    return child === control ? [{ ...child, beside: [...(child.beside ?? []), ...facts] }] : withoutTexts(child);
  });
  return [{ ...item, children }];
}

function isRowOfCells({ role, name, children }: ViewNode): boolean {
  return role === 'row' && name === '' && children.some(child => HELD_TEXT.has(child.role));
}

function controlsOf({ children }: ViewNode): ViewNode[] {
  return children.flatMap(child => (isInteractive(child.node) ? [child] : controlsOf(child)));
}

function textsOf({ children }: ViewNode): string[] {
  return children.flatMap(child => {
    if (isInteractive(child.node) && !HELD_TEXT.has(child.role)) return [];
    return child.name === '' ? textsOf(child) : [child.name];
  });
}

/** Without the options of drop-downs: what opened matters more than each of its choices. */
function withoutOptions(item: ViewNode): ViewNode {
  return { ...item, node: { ...item.node, options: undefined }, children: item.children.map(withoutOptions) };
}

function isFact({ role, name }: ViewNode): boolean {
  return role === 'text' && name.length <= FACT_LIMIT && /\d/.test(name);
}
