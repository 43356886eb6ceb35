import type { Line } from './render.js';
import type { PageSnapshot } from './tree.js';

/** The rest of a truncated snapshot. */
export interface KeptPage {
  page: PageSnapshot;
  rest: readonly Line[];
  /** Of the refs in it. */
  age: number;
}

/** Snapshots whose rest can still be asked for. */
const KEPT = 5;

/** The rests of truncated snapshots by cursor, for `next`. */
export class KeptPages {
  #kept = new Map<string, KeptPage>();
  #next = 1;

  keep(page: KeptPage): string {
    const cursor = `n${this.#next++}`;
    this.#kept.set(cursor, page);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(oldest);
    }
    return cursor;
  }

  /** The rest behind a cursor; undefined when newer snapshots took its place. */
  take(cursor: string): KeptPage | undefined {
    return this.#kept.get(cursor.trim());
  }

  clear(): void {
    this.#kept.clear();
  }
}
