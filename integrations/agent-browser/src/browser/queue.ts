/** Runs tasks one after another; a task that fails does not stop the next. */
export class Queue {
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @param onIdle Called whenever the last task has ended and no other waits. */
  constructor(readonly onIdle: () => void = () => undefined) {}

  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  run<T>(task: () => Promise<T>): Promise<T> {
    this.#waiting++;
    const result = this.#tail.then(task).finally(() => {
      this.#waiting--;
      if (this.#waiting === 0) this.onIdle();
    });
    this.#tail = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all that is in the queue now has ended. */
  async drained(): Promise<void> {
    await this.#tail;
  }
}
