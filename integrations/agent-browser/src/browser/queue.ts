/** Runs tasks one after another; a failed task does not stop the next. */
export class Queue {
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;

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

  async drained(): Promise<void> {
    await this.#tail;
  }
}
