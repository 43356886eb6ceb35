import { isInteractive, type SnapshotNode } from './tree.js';
import type { ViewNode } from './view-node.js';

/** A price, a rating, a date, a count: short, and with a number in it. */
const CHOICE_TEXT = 24;
/** So far from a control, in siblings, a text may stand that belongs to it. */
const NEAR = 4;
/** The number of an item in its list. */
const ORDINAL = /^\d{1,3}[.)]$/;

/** choice-text: a short text with a number that stands in the row of a control is what a choice is made by. */
export function isChoiceText(nodes: readonly SnapshotNode[], index: number): boolean {
  const { name } = nodes[index] as SnapshotNode;
  if (!isChoice(name)) return false;
  const near = nodes.slice(Math.max(0, index - NEAR), index + NEAR + 1);
  return near.some(node => isInteractive(node) && node.row.includes(name) && !node.name.includes(name));
}

/** text-beside: a text right behind the control of its row stands in that control's line. */
export function withTextsBeside(views: readonly ViewNode[]): ViewNode[] {
  const out: ViewNode[] = [];
  for (const item of views) {
    const before = out.at(-1);
    if (before !== undefined && isBeside(item, before)) before.beside = [...(before.beside ?? []), item];
    else out.push({ ...item, children: withTextsBeside(item.children) });
  }
  return out;
}

function isBeside({ role, name, node }: ViewNode, before: ViewNode): boolean {
  if (role !== 'text' || node.flags !== 0 || !isChoice(name)) return false;
  return isInteractive(before.node) && before.children.length === 0 && before.node.row.includes(name);
}

function isChoice(text: string): boolean {
  return text.length <= CHOICE_TEXT && /\d/.test(text) && !ORDINAL.test(text);
}
