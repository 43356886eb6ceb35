import { unlessAborted, within } from '@browser-toolset/core/waiting';
import type { Frame } from 'playwright-core';
import type { OutputReport } from '../../page/protocol.js';
import type { Tab } from './tab.js';

interface Asking {
  frames?: readonly Frame[];
  /** Milliseconds that are waited. */
  wait?: number;
  signal?: AbortSignal;
}

/** Milliseconds that a page may take to say what it gave out. */
const WAIT = 2_000;
/** Whoever is busy tells later: what a document has told once it does not tell again. */
const LATEST = 30_000;

/** Asks documents of a page what they gave out, all of them unless it is said which. */
export async function noteOutputs(tab: Tab, asking: Asking = {}): Promise<void> {
  if (tab.isMute) return;
  const { frames = tab.page.frames(), wait = WAIT, signal } = asking;
  const questioned = performance.now();
  const limits = { timeout: LATEST, together: true };
  const told = frames.map(async frame => {
    tab.gaveOut(frame, await tab.engine.ask<OutputReport>(frame, { do: 'outputs' }, limits), questioned);
  });
  await unlessAborted(within(wait, Promise.allSettled(told)), signal);
}
