export type Phase = 'queued' | 'starting' | 'acting' | 'settling' | 'reading';

/** Measures how long the phases of one call take, in milliseconds. A phase within another counts for itself alone. */
export class Stopwatch {
  readonly began = performance.now();
  readonly #spent = new Map<Phase, number>();
  #inside = 0;

  spent(phase: Phase): number {
    return this.#spent.get(phase) ?? 0;
  }

  get total(): number {
    return performance.now() - this.began;
  }

  add(phase: Phase, milliseconds: number): void {
    this.#spent.set(phase, this.spent(phase) + milliseconds);
  }

  async time<T>(phase: Phase, task: () => Promise<T>): Promise<T> {
    const [began, insideBefore] = [performance.now(), this.#inside];
    try {
      return await task();
    } finally {
      const whole = performance.now() - began;
      this.add(phase, whole - (this.#inside - insideBefore));
      this.#inside = insideBefore + whole;
    }
  }
}
