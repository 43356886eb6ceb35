/** Aborts its signal when the run was at work for so long. What it waits for a person does not count. */
export class TimeLimit {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #left: number;
  #since = 0;

  /** @param left Milliseconds; no limit when left out. */
  constructor(left = Number.POSITIVE_INFINITY) {
    this.#left = left;
    this.start();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Stands still while somebody else is waited for. */
  async without<T>(waiting: () => Promise<T>): Promise<T> {
    this.stop();
    try {
      return await waiting();
    } finally {
      this.start();
    }
  }

  /** Stands still until it is started again. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#since;
  }

  start(): void {
    this.#since = performance.now();
    if (!Number.isFinite(this.#left)) return;
    this.#timer = setTimeout(() => this.#controller.abort(new Error('the time is up')), Math.max(1, this.#left));
    this.#timer.unref();
  }
}
