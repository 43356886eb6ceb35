import type { CaptureAnswer } from '../protocol.js';
import { Looks } from './looks.js';
import { Outputs } from './outputs.js';
import { Refusals } from './refusals.js';
import { selectionNow } from './selection.js';

type Told = Pick<CaptureAnswer, 'selection' | 'looks' | 'refused' | 'printed' | 'downloads'>;

/** What a document has to tell beside what stands in it: fields that it refused, looks, what is selected, what it gave out. */
export class News {
  readonly outputs = new Outputs();
  readonly looks = new Looks();
  readonly #refusals = new Refusals();

  /**
   * @param since Asks for the fields that were refused in so many milliseconds.
   * @param acted What was acted on.
   */
  take(since: number | undefined, acted: Element | undefined, idOf: (element: Element) => number): Told {
    const selection = selectionNow();
    const looks = this.looks.take(idOf);
    return {
      ...(selection && { selection }),
      ...(looks.length > 0 && { looks }),
      ...this.outputs.take(),
      ...this.#refusals.since(since, acted, idOf),
    };
  }
}
