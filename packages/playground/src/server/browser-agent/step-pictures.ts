import type { Jpeg } from '../camera.js';
import type { Journal } from '../journal.js';
import type { Thumbnails } from '../thumbnails.js';

/**
 * What pages look like after steps: the last frame of the live view. A screenshot by a tool would stand in the queue of the
 * agent's own actions, and be told first what a person or the page did meanwhile, which the agent then never learns.
 */
export class StepPictures {
  readonly #journal: Journal;
  readonly #thumbnails: Thumbnails;

  constructor(journal: Journal, thumbnails: Thumbnails) {
    this.#journal = journal;
    this.#thumbnails = thumbnails;
  }

  /** The page of a thread after its latest action, once it has come to rest. */
  async latest(threadId: string): Promise<Jpeg | undefined> {
    const action = this.#journal.summaries(threadId).at(-1);
    return action && this.#thumbnails.of(action.id);
  }
}
