import type { LiveQuestion } from '@browser-toolset/core';

/** A question with the run that waits with it. */
export interface OpenQuestion extends Omit<LiveQuestion, 'threadId'> {
  runId?: string;
  /** The thread of the run; sessions can be shared by threads. */
  runThread?: string;
}

/** The questions that runs of one session wait with. */
export class Questions {
  readonly #asked = new Map<string, OpenQuestion>();

  constructor(readonly onChanged: () => void) {}

  /** The one that was asked first. */
  get first(): OpenQuestion | undefined {
    return this.#asked.values().next().value;
  }

  add(asked: OpenQuestion): void {
    this.#asked.set(asked.id, asked);
    this.onChanged();
  }

  remove(id: string): void {
    if (this.#asked.delete(id)) this.onChanged();
  }

  /** Another run acts in a thread: whoever asked there before does not wait any more. Answers with their questions. */
  leftBehindBy(run: Pick<OpenQuestion, 'runId' | 'runThread'>): string[] {
    if (run.runId === undefined || run.runThread === undefined) return [];
    const left = [...this.#asked.values()].filter(
      ({ runId, runThread }) => runThread === run.runThread && runId !== undefined && runId !== run.runId,
    );
    return left.map(({ id }) => id);
  }

  get ids(): string[] {
    return [...this.#asked.keys()];
  }
}
