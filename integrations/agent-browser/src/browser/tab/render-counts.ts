import { randomUUID } from 'node:crypto';
import type { CDPSession } from 'playwright-core';

/** A moment at which the engine in the page was asked for a stamp. */
interface Stamp {
  title: string;
  /** How often styles and layouts had been computed by then; undefined where the browser did not tell. */
  counts?: string;
  /** Something was looked at after it that was to be before. */
  isLate?: true;
}

/** Stamps of others that are put up with in one session. */
const MOST_STRANGERS = 300;
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
  /** Counts of another session begin anew. */
  readonly #mark = randomUUID();
  readonly #awaited = new Map<string, Stamp>();
  #strangers = 0;
  #isEnabled = false;

  constructor(readonly session: CDPSession) {
    session.on('Performance.metrics', ({ title, metrics }) => {
      const stamp = this.#awaited.get(title);
      if (stamp === undefined) return this.#heardStranger();
      const counts = metrics.flatMap(({ name, value }) => (COUNTED.has(name) ? [`${name} ${value}`] : []));
      stamp.counts = [this.#mark, ...counts].join(' ');
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
      return { answer, counts: stamp.isLate ? undefined : stamp.counts };
    } finally {
      this.#awaited.delete(stamp.title);
    }
  }

  /** What was to be looked at before the stamps that are asked for now is looked at after them. */
  isLate(): void {
    for (const stamp of this.#awaited.values()) stamp.isLate = true;
  }

  /** Each stamp of the page's own costs it all metrics: a page that sets many is not counted any more. */
  #heardStranger(): void {
    this.#strangers++;
    // Once switched off, counts begin anew, so that they could be taken for those of before.
    if (this.#strangers === MOST_STRANGERS) this.session.send('Performance.disable').catch(() => undefined);
  }

  #enable(): void {
    if (this.#isEnabled) return;
    this.#isEnabled = true;
    // A browser that does not count, or a target that is gone, tells nothing.
    this.session.send('Performance.enable').catch(() => undefined);
  }
}
