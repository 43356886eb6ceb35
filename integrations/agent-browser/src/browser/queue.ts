/** Runs tasks one after another; a task that fails does not stop the next. */
export class Queue {
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  run<T>(task: () => Promise<T>): Promise<T> {
    this.#waiting++;
    const result = this.#tail.then(task).finally(() => {
      this.#waiting--;
    });
    this.#tail = result.catch(() => undefined);
    return result;
  }
}
