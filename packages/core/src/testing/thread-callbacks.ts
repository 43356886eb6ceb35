/** Callbacks by thread; those registered without a thread hear of every thread. */
export class ThreadCallbacks<Value = void> {
  readonly #callbacks = new Set<{ threadId: string | undefined; callback: (value: Value) => void }>();

  add(callback: (value: Value) => void, threadId: string | undefined): () => void {
    const entry = { threadId, callback };
    this.#callbacks.add(entry);
    return () => this.#callbacks.delete(entry);
  }

  notify(threadId: string, value: Value): void {
    for (const entry of [...this.#callbacks]) {
      if (entry.threadId === undefined || entry.threadId === threadId) entry.callback(value);
    }
  }
}
