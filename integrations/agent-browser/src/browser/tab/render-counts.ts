import { randomUUID } from 'node:crypto';
import type { CDPSession } from 'playwright-core';

/** A moment at which the engine in the page was asked for a stamp. */
interface Stamp {
  title: string;
  /** How often styles and layouts had been computed by then; undefined where the browser did not tell. */
  counts?: string;
}

const COUNTED = new Set(['LayoutCount', 'RecalcStyleCount']);

export interface Counted<T> {
  answer: T;
  /** Undefined where the browser did not tell. */
  counts: string | undefined;
}

/**
 * How often Chromium has computed styles and layouts of the documents of one target. `console.timeStamp` makes it tell that
 * at that very moment (`Performance.metrics` of the DevTools protocol), while `Performance.getMetrics` interrupts whatever
 * runs and so cannot say which side of it a change is on.
 */
export class RenderCounts {
  readonly #awaited = new Map<string, Stamp>();
  #isEnabled = false;

  constructor(readonly session: CDPSession) {
    session.on('Performance.metrics', ({ title, metrics }) => {
      const stamp = this.#awaited.get(title);
      if (stamp === undefined) return;
      stamp.counts = metrics.flatMap(({ name, value }) => (COUNTED.has(name) ? [`${name} ${value}`] : [])).join(' ');
    });
  }

  /** What `ask` brings, and the counts of when the engine was done with it. Pages do not know the titles. */
  async during<T>(ask: (title: string) => Promise<T>): Promise<Counted<T>> {
    this.#enable();
    const stamp: Stamp = { title: randomUUID() };
    this.#awaited.set(stamp.title, stamp);
    try {
      // The event comes before the answer.
      const answer = await ask(stamp.title);
      return { answer, counts: stamp.counts };
    } finally {
      this.#awaited.delete(stamp.title);
    }
  }

  #enable(): void {
    if (this.#isEnabled) return;
    this.#isEnabled = true;
    // A browser that does not count, or a target that is gone, tells nothing.
    this.session.send('Performance.enable').catch(() => undefined);
  }
}
