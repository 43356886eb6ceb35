import { modelProblem } from '../demo/model-check.js';
import type { ChosenModel } from '../demo/model-choice.js';

/** Whether the model can be asked, found out whenever somebody wants to know. */
export class ModelWatch implements Disposable {
  readonly #model: ChosenModel | undefined;
  readonly #ending = new AbortController();
  #asking: Promise<string | undefined> | undefined;

  constructor(model: ChosenModel | undefined) {
    this.#model = model;
  }

  /** What keeps the model from answering, in a sentence; undefined where nothing is known to. Asks its server once for all who ask meanwhile. */
  problem(): Promise<string | undefined> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<string | undefined> {
    const { signal } = this.#ending;
    if (!this.#model || signal.aborted) return undefined;
    try {
      return await modelProblem(this.#model, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  /** Whoever still waits is told of nothing. */
  [Symbol.dispose](): void {
    this.#ending.abort();
  }
}
