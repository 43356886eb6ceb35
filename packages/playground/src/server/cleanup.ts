type End = () => unknown;

/** The work to undo at the end, the latest first. Every part is undone even when another fails. */
export class Cleanup implements AsyncDisposable {
  readonly #ends: End[] = [];

  /** Takes a part that is to be ended with the whole. */
  own<Part extends AsyncDisposable>(part: Part): Part {
    this.defer(() => part[Symbol.asyncDispose]());
    return part;
  }

  defer(end: End): void {
    this.#ends.push(end);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const failures: unknown[] = [];
    for (const end of this.#ends.splice(0).toReversed()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be closed.');
  }
}
