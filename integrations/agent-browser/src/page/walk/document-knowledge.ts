import type { KeptRows } from '../kept/kept-rows.js';
import type { Clip } from '../visibility/clip.js';
import type { ClosedRoots } from '../visibility/shadow.js';
import type { Changes } from './changes.js';
import type { Listeners } from './listeners.js';
import type { Reactions } from './reactions.js';
import type { ElementIds } from './refs.js';

/** Facts that hold for everything below an element. */
export interface Scope {
  /** Depth of emitted nodes. */
  depth: number;
  /** Hash of the tag names from the document down to here. */
  path: number;
  /** Inside a widget: what is below it is part of it unless it is a widget itself. */
  inWidget: boolean;
  /** The cursor is a pointer already, so that only where it began is the clickable element. */
  pointer: boolean;
  /** The text is in the name of an emitted element above. */
  quiet: boolean;
  /** The clip of the elements below. */
  clip: Clip | null;
  /** What tells rows here may have changed since the look before. */
  touched: boolean;
}

/** The facts about a document that a walk may ask for. */
export interface DocumentKnowledge {
  readonly ids: ElementIds;
  readonly closedRoots: ClosedRoots;
  readonly changes: Changes;
  readonly rows: KeptRows;
  readonly reactions: Reactions;
  readonly listeners: Listeners;
}
