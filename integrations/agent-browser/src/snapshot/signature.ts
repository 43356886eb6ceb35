import { Flag } from '../page/protocol.js';
import type { SnapshotNode } from './tree.js';
import type { ViewNode } from './view-node.js';

/** Flags that say how a node is listed, and the focus, which every action moves. */
const UNSPOKEN = Flag.Focused | Flag.NamedByContent | Flag.RowBeside | Flag.Labelled | Flag.Titled | Flag.Offered;
/** Where the agent is on a site shows in the menus of each page. */
const OF_THE_PLACE = Flag.Current | Flag.Selected | Flag.Expanded | Flag.Collapsed;

/** Properties of a node that a reader is told. */
const SPOKEN = [
  'value',
  'level',
  'editable',
  'popup',
  'options',
  'hint',
  'text',
  'takes',
] as const satisfies readonly (keyof SnapshotNode)[];

/** The states of a node that a reader is told, as bits of {@link Flag}. */
export function spokenFlags({ flags }: SnapshotNode): number {
  return flags & ~UNSPOKEN;
}

/** Whether two nodes say the same of themselves, whatever is in them. */
export function saysSame(one: ViewNode, other: ViewNode): boolean {
  return one.role === other.role && one.name === other.name && isAlike(one.node, other.node);
}

/** Whether two captured nodes have the same properties and states. */
export function isAlike(one: SnapshotNode, other: SnapshotNode): boolean {
  return (
    spokenFlags(one) === spokenFlags(other) &&
    SPOKEN.every(property => String(one[property]) === String(other[property]))
  );
}

function headOf({ role, name, node }: ViewNode, flags: number): string {
  return [role, name, flags, ...SPOKEN.map(property => node[property] ?? '')].join('\u0001');
}

/** Says all that a view and what is in it say: equal for what reads the same, whichever elements it is made of. */
export class Signatures {
  readonly #known = new WeakMap<ViewNode, string>();

  /** @param isForPages What pages of one site share: without the states that tell where on the site a page is. */
  constructor(readonly isForPages = false) {}

  of(item: ViewNode): string {
    let text = this.#known.get(item);
    if (text === undefined) {
      const flags = spokenFlags(item.node) & ~(this.isForPages ? OF_THE_PLACE : 0);
      const inside = item.children.map(child => this.of(child));
      text = inside.length === 0 ? headOf(item, flags) : `${headOf(item, flags)}\u0002${inside.join('\u0003')}\u0004`;
      this.#known.set(item, text);
    }
    return text;
  }
}

/** How many lines a view takes at most. */
export function sizeOf(item: ViewNode): number {
  return item.children.reduce((sum, child) => sum + sizeOf(child), 1);
}
