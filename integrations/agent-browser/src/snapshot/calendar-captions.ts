import { everyNode, isInteractive, type SnapshotNode } from './tree.js';

/** The role that a caption of a calendar gets. */
export const CAPTION = 'caption';

/** Days that follow each other and can be acted on make a calendar. */
const LEAST_DAYS = 27;
const DAY = /^(?:[1-9]|[12]\d|3[01])$/;
const YEAR = /(?:^|\D)(?:19|20)\d\d(?:\D|$)/;
const LONGEST = 40;
/** How far above its days a caption may stand, in nodes: the names of seven weekdays and some buttons come between. */
const FARTHEST = 40;
const CAPTION_ROLES = new Set(['text', 'columnheader', 'rowheader', 'cell']);

/**
 * Makes captions of the texts that say which month the days of a calendar are of. Headings and buttons that say it are
 * listed anyway, and so is the name of a table.
 */
export function withCaptions(roots: readonly SnapshotNode[]): readonly SnapshotNode[] {
  const captions = captionsIn(roots);
  return captions.size === 0 ? roots : roots.map(node => captioned(node, captions));
}

function captioned(node: SnapshotNode, captions: ReadonlySet<SnapshotNode>): SnapshotNode {
  if (captions.has(node)) return { ...node, role: CAPTION, children: [] };
  return { ...node, children: node.children.map(child => captioned(child, captions)) };
}

function captionsIn(roots: readonly SnapshotNode[]): Set<SnapshotNode> {
  const captions = new Set<SnapshotNode>();
  let candidate: { node: SnapshotNode; at: number } | undefined;
  let run: { last: number; caption: SnapshotNode | undefined } | undefined;
  let at = 0;
  for (const node of everyNode(roots)) {
    at++;
    const { name } = node;
    if (name.length <= 2 && isInteractive(node) && DAY.test(name)) {
      const day = Number(name);
      // The last days of the month before may come first.
      if (day === 1)
        run = {
          last: 1,
          caption: candidate !== undefined && at - candidate.at <= FARTHEST ? candidate.node : undefined,
        };
      else if (day === (run?.last ?? 0) + 1 && run !== undefined) run.last = day;
      if (run?.last === LEAST_DAYS && run.caption !== undefined) captions.add(run.caption);
    } else if (name.length <= LONGEST && YEAR.test(name)) {
      candidate = !isInteractive(node) && CAPTION_ROLES.has(node.role) ? { node, at } : undefined;
    }
  }
  return captions;
}
