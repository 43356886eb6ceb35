/** Counts the time in which somebody else has the browser: what several calls wait at once counts once. */
export class HeldTime {
  /** Told when the first call begins to wait, and when the last one goes on. */
  onChange: (isHeld: boolean) => void = () => undefined;
  #waiting = 0;
  #since = 0;
  #before = 0;

  /** Milliseconds so far. */
  get total(): number {
    return this.#before + (this.#waiting > 0 ? performance.now() - this.#since : 0);
  }

  /** A call waits from now on. Returns the way to end that. */
  begin(): () => void {
    if (this.#waiting++ === 0) {
      this.#since = performance.now();
      this.onChange(true);
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#waiting--;
      if (this.#waiting > 0) return;
      this.#before += performance.now() - this.#since;
      this.onChange(false);
    };
  }
}
