import type { Player } from './player.ts';

/** What an agent does on the page of a library. */
export interface LibraryTask {
  /** Calls that a person would expect it to take, the one that opens the page included. */
  calls: number;
  play(player: Player): Promise<void>;
  /** What the page's own `state()` answers when the task is done. */
  done: unknown;
}

export type LibraryTasks = Record<string, LibraryTask>;
