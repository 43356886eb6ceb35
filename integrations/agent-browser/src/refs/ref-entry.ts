import type { SnapshotNode } from '../snapshot/tree.js';
import type { Told } from './told.js';

/** One ref: an element, and what the agent was told of it. */
export interface RefEntry {
  /** Such as `@e12`. */
  readonly ref: string;
  /** The element as it was in the latest capture that had it. */
  node: SnapshotNode;
  told: Told;
  /** Highest element id of the document when the agent was told: a replacement must be newer. */
  lastId: number;
}
