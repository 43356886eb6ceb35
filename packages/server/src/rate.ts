export interface Rate {
  perSecond: number;
  /** How many may come at once. */
  burst: number;
}

/** A token bucket. `now` is in milliseconds of any steady clock. */
export class TokenBucket {
  readonly #rate: Rate;
  #tokens: number;
  #filledAt: number;

  constructor(rate: Rate, now: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#filledAt = now;
  }

  /** Takes a token if there is one. */
  tryTake(now: number): boolean {
    this.#fill(now);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes tokens, on credit when there are none. Answers how long until the debt is paid, in milliseconds. */
  take(now: number, tokens = 1): number {
    this.#fill(now);
    this.#tokens -= tokens;
    return this.#tokens >= 0 ? 0 : (-this.#tokens * 1000) / this.#rate.perSecond;
  }

  #fill(now: number): void {
    const earned = ((now - this.#filledAt) * this.#rate.perSecond) / 1000;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + earned);
    this.#filledAt = now;
  }
}
