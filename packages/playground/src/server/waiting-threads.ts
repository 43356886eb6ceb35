import type { WaitingKind, WaitingThread } from './api.js';

/** What a run's stream tells of its waiting, by the type of the chunk. All that is not here tells nothing of it. */
const TOLD: Readonly<Record<string, WaitingKind | 'goes on'>> = {
  'tool-call-approval': 'approval',
  'tool-call-suspended': 'question',
  'tool-result': 'goes on',
  'tool-error': 'goes on',
  'tool-output-denied': 'goes on',
  'step-start': 'goes on',
  abort: 'goes on',
  error: 'goes on',
};

type WaitingListener = (waiting: readonly WaitingThread[]) => void;

/** The threads of one agent in which a call waits for a person, known as soon as their runs tell it. */
export class WaitingThreads {
  readonly #waiting = new Map<string, WaitingKind>();
  /** Threads whose runs have told more than storage knows. */
  readonly #told = new Set<string>();
  readonly #listeners = new Set<WaitingListener>();

  all(): WaitingThread[] {
    return [...this.#waiting].map(([threadId, kind]) => ({ threadId, kind }));
  }

  /** Takes over what is stored, where no run has told anything newer. */
  learn(stored: readonly WaitingThread[]): void {
    for (const { threadId, kind } of stored) if (!this.#told.has(threadId)) this.#waiting.set(threadId, kind);
  }

  /** Hears one chunk of a thread's run. */
  hear(threadId: string, type: string): void {
    const told = Object.hasOwn(TOLD, type) ? TOLD[type] : undefined;
    if (told !== undefined) this.#note(threadId, told === 'goes on' ? undefined : told);
  }

  /** What waited was answered, or will never be. */
  goesOn(threadId: string): void {
    this.#note(threadId, undefined);
  }

  /** Tells all that wait whenever they are others. Returns the way to stop. */
  subscribe(listener: WaitingListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #note(threadId: string, kind: WaitingKind | undefined): void {
    this.#told.add(threadId);
    if (this.#waiting.get(threadId) === kind) return;
    if (kind === undefined) this.#waiting.delete(threadId);
    else this.#waiting.set(threadId, kind);
    const all = this.all();
    for (const listener of this.#listeners) listener(all);
  }
}
