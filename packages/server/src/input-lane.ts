import { type LiveInput, merged, seriesOf } from './live-input.js';

/** Inputs that may be on their way before their viewer is read no further, and how few remain when it is read again. */
const MOST_ON_THEIR_WAY = 256;
const FEW_ON_THEIR_WAY = 64;
/**
 * A browser that has not said within so many milliseconds that it took an input is not waited for: it may never say.
 */
const LONGEST_INJECTION = 5_000;

export interface InputLaneOptions {
  inject(input: LiveInput): Promise<void>;
  onFailed(input: LiveInput, error: unknown): void;
  /** A move or a turn of the wheel became part of a newer one. */
  onReplaced(): void;
  /** The lane has become full, or no longer is. */
  onFull(isFull: boolean): void;
}

/**
 * The inputs of one viewer on their way to the browser.
 *
 * Invariant: they are injected in the order in which they came, and none waits for the one before but moves and the
 * wheel: while anything is on its way, the newest of each waits. A page takes a wheel once a frame, so that a click behind
 * hundreds of them would come seconds late.
 */
export class InputLane {
  readonly #options: InputLaneOptions;
  /** By series, the newest last. */
  readonly #waiting = new Map<string, LiveInput>();
  #onTheirWay = 0;
  #isFull = false;

  constructor(options: InputLaneOptions) {
    this.#options = options;
  }

  push(input: LiveInput): void {
    const series = seriesOf(input);
    if (series !== undefined && this.#onTheirWay > 0) {
      this.#wait(series, input);
      return;
    }
    this.#sendWaiting();
    this.#send(input);
  }

  /** Forgets what waits. */
  clear(): void {
    this.#waiting.clear();
  }

  #wait(series: string, input: LiveInput): void {
    const older = this.#waiting.get(series);
    if (older !== undefined) this.#options.onReplaced();
    this.#waiting.delete(series);
    this.#waiting.set(series, older === undefined ? input : merged(older, input));
  }

  #sendWaiting(): void {
    const inputs = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const input of inputs) this.#send(input);
  }

  #send(input: LiveInput): void {
    this.#onTheirWay += 1;
    if (!this.#isFull && this.#onTheirWay >= MOST_ON_THEIR_WAY) this.#setFull(true);
    let isWaitedFor = true;
    const arrive = (): void => {
      clearTimeout(deadline);
      if (isWaitedFor) this.#onArrived();
      isWaitedFor = false;
    };
    const deadline = setTimeout(() => {
      this.#options.onFailed(input, new Error(`no answer within ${LONGEST_INJECTION} ms`));
      arrive();
    }, LONGEST_INJECTION);
    deadline.unref();
    this.#options.inject(input).then(arrive, (error: unknown) => {
      this.#options.onFailed(input, error);
      arrive();
    });
  }

  readonly #onArrived = (): void => {
    this.#onTheirWay -= 1;
    if (this.#isFull && this.#onTheirWay <= FEW_ON_THEIR_WAY) this.#setFull(false);
    if (this.#onTheirWay === 0) this.#sendWaiting();
  };

  #setFull(isFull: boolean): void {
    this.#isFull = isFull;
    this.#options.onFull(isFull);
  }
}
