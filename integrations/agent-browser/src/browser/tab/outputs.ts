import type { Frame } from 'playwright-core';
import type { OutputReport } from '../../page/protocol.js';
import type { AskOptions } from './engine.js';
import type { Tab } from './tab.js';

interface Asking extends Partial<AskOptions> {
  frames?: readonly Frame[];
}

/** Milliseconds that a page may take to say what it gave out. */
const ANSWER_TIME = 2_000;

/** Asks documents of a page what they gave out, all of them unless it is said which. One that is busy tells another time. */
export async function noteOutputs(tab: Tab, { frames = tab.page.frames(), ...options }: Asking = {}): Promise<void> {
  if (tab.isMute) return;
  const asked = frames.map(async frame => {
    const limits = { timeout: ANSWER_TIME, ...options };
    tab.gaveOut(frame, await tab.engine.ask<OutputReport>(frame, { do: 'outputs' }, limits));
  });
  await Promise.allSettled(asked);
}
