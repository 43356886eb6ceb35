import type { SnapshotNode } from './tree.js';

/** A node as a reader will see it. */
export interface ViewNode {
  node: SnapshotNode;
  role: string;
  name: string;
  children: ViewNode[];
  /** Texts of its row that stand behind it in its line. */
  beside?: readonly ViewNode[];
  /** Nodes that its line tells of without lines of their own. */
  standsFor?: readonly SnapshotNode[];
  /** Its text is told nowhere else. */
  isWhole?: boolean;
}
