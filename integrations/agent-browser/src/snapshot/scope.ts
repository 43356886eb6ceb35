import type { SnapshotNode } from './tree.js';
import { everyNode } from './tree.js';

/** The node of a key with what is inside it; nothing when the tree has no such node. */
export function subtreeOf(roots: readonly SnapshotNode[], key: string): SnapshotNode[] {
  for (const node of everyNode(roots)) if (node.key === key) return [node];
  return [];
}

/** The parts of a document with these ids, each with its content. */
export function partsOf(roots: readonly SnapshotNode[], doc: string, ids: ReadonlySet<number>): SnapshotNode[] {
  return roots.flatMap(node =>
    node.document.doc === doc && ids.has(node.id) ? [node] : partsOf(node.children, doc, ids),
  );
}

/** Only what touches the viewport, with the nodes that it stands in. */
export function withinViewport(roots: readonly SnapshotNode[]): SnapshotNode[] {
  return roots.flatMap(node => {
    const children = withinViewport(node.children);
    return node.distance === 0 || children.length > 0 ? [{ ...node, children }] : [];
  });
}
