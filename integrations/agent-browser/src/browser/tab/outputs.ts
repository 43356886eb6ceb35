import type { OutputReport } from '../../page/protocol.js';
import type { Tab } from './tab.js';

/** Milliseconds that a page may take to say what it gave out. */
const ANSWER_TIME = 2_000;

/**
 * Asks the documents of a page, which nobody may have read, what they gave out: those in frames are put on the same paper.
 * One that is busy tells another time.
 */
export async function noteOutputs(tab: Tab): Promise<void> {
  const { page, engine } = tab;
  if (page.isClosed() || tab.dialog !== undefined) return;
  const asked = page
    .frames()
    .map(frame => engine.ask<OutputReport>(frame, { do: 'outputs' }, { timeout: ANSWER_TIME }));
  for (const answer of await Promise.allSettled(asked)) if (answer.status === 'fulfilled') tab.gaveOut(answer.value);
}
