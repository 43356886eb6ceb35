import { unlessAborted } from '@browser-toolset/core/waiting';
import { Queue } from './queue.js';
import type { Session } from './session.js';

/**
 * Keeps the number of open sessions at its limit: who wants to open when it is reached waits for its turn, and then for
 * a session that is idle, which hibernates; of several the one that was used longest ago.
 */
export class Room {
  #inside = new Set<Session>();
  #waiting = new Set<Session>();
  #turns = new Queue();
  #change = Promise.withResolvers<void>();

  constructor(readonly limit: number) {}

  /** Another session may open without sending one to sleep. */
  get hasPlace(): boolean {
    return new Set([...this.#inside, ...this.#waiting]).size < this.limit;
  }

  /** The session is open or about to open, or waits for it. */
  concerns(predicate: (session: Session) => boolean): boolean {
    return [...this.#inside, ...this.#waiting].some(predicate);
  }

  /** Resolves when the session may open. Rejects when the signal aborts first. */
  async enter(session: Session, signal?: AbortSignal): Promise<void> {
    await this.returning(session, () => this.#turns.run(() => this.#admit(session, signal)));
  }

  /** Meanwhile the session counts as one that is about to open. */
  async returning(session: Session, task: () => Promise<unknown>): Promise<void> {
    this.#waiting.add(session);
    try {
      await task();
    } finally {
      this.#waiting.delete(session);
    }
  }

  /** The session is not open any more. */
  leave(session: Session): void {
    this.#inside.delete(session);
    this.#changed();
  }

  /** A session has nothing to do: it may make room for another. */
  idle(): void {
    this.#changed();
  }

  #changed(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  async #admit(session: Session, signal?: AbortSignal): Promise<void> {
    while (this.#inside.size >= this.limit && !this.#inside.has(session)) {
      signal?.throwIfAborted();
      const longestUnused = this.#idleOnes().sort((a, b) => a.lastUsed - b.lastUsed)[0];
      await longestUnused?.queue.run(() => longestUnused.hibernate());
      // All are in use, or the one that is idle is on its way out already.
      if (longestUnused === undefined || this.#inside.has(longestUnused))
        await unlessAborted(this.#change.promise, signal);
    }
    this.#inside.add(session);
  }

  #idleOnes(): Session[] {
    return [...this.#inside].filter(({ queue, person }) => queue.isIdle && !person.control.isHeld);
  }
}
