import type { ClientMessageInput } from '@browser-toolset/core/protocol';

/** Calls back once before the next frame is shown. Returns the way to stop. */
export type FrameScheduler = (callback: () => void) => () => void;

const onAnimationFrame: FrameScheduler = callback => {
  const id = requestAnimationFrame(callback);
  return () => cancelAnimationFrame(id);
};

/** Makes one message of two of a kind; undefined when the second must not wait. */
export type Merge = (waiting: ClientMessageInput, next: ClientMessageInput) => ClientMessageInput | undefined;

/**
 * Sends moves at most once an animation frame.
 *
 * Invariant: messages leave in the order in which they came; whatever does not wait sends what waits first.
 */
export class MessageCoalescer {
  readonly #send: (message: ClientMessageInput) => void;
  readonly #merge: Merge;
  readonly #schedule: FrameScheduler;
  #waiting: ClientMessageInput | undefined;
  #cancel: (() => void) | undefined;

  constructor(send: (message: ClientMessageInput) => void, merge: Merge, schedule: FrameScheduler = onAnimationFrame) {
    this.#send = send;
    this.#merge = merge;
    this.#schedule = schedule;
  }

  /** Sends with the next animation frame, in one with what waits already. */
  offer(message: ClientMessageInput): void {
    const merged = this.#waiting === undefined ? message : this.#merge(this.#waiting, message);
    if (merged === undefined) this.flush();
    this.#waiting = merged ?? message;
    this.#cancel ??= this.#schedule(() => this.flush());
  }

  /** Sends at once, after what waits. */
  send(message: ClientMessageInput): void {
    this.flush();
    this.#send(message);
  }

  flush(): void {
    const message = this.#waiting;
    this.drop();
    if (message !== undefined) this.#send(message);
  }

  /** Forgets what waits. */
  drop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#waiting = undefined;
  }
}
