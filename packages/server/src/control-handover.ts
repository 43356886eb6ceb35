import type { Log } from './limited-log.js';
import { type LiveThread, nameOf } from './live-browser.js';

/**
 * Tells the browser who drives.
 *
 * Invariant: it hears of one change after another, and in the end of how it is.
 */
export class ControlHandover {
  readonly #thread: LiveThread;
  readonly #log: Log;
  #wanted: 'agent' | 'human' = 'agent';
  #known: 'agent' | 'human' = 'agent';
  #tail: Promise<unknown>;

  /** `ready` settles when what was told before is known. */
  constructor(thread: LiveThread, ready: Promise<unknown>, log: Log) {
    this.#thread = thread;
    this.#tail = ready;
    this.#log = log;
  }

  /** Settles once the browser knows. Never rejects. */
  to(holder: 'agent' | 'human'): Promise<unknown> {
    this.#wanted = holder;
    this.#tail = this.#tail.then(() => this.#tell());
    return this.#tail;
  }

  async #tell(): Promise<void> {
    const holder = this.#wanted;
    if (holder === this.#known) return;
    this.#known = holder;
    await this.#call(holder);
  }

  async #call(holder: 'agent' | 'human'): Promise<void> {
    const { source, threadId } = this.#thread;
    try {
      await (holder === 'human' ? source.takeControl?.(threadId) : source.releaseControl?.(threadId));
    } catch (error) {
      this.#log('control', `${nameOf(this.#thread)} did not hand control to the ${holder}: ${String(error)}`);
    }
  }
}
