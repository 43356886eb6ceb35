import { within } from '@browser-toolset/core/waiting';
import type { Tab } from '../../browser/tab/tab.js';

/** How long a page may take to give a sign of life, in milliseconds. */
const SIGN_TIME = 1_000;

/**
 * Calls back when a page that has had so many milliseconds gives no sign of life: a call that still runs then will not
 * end by itself. Returns the way to stop.
 */
export function onSilence(tab: Tab, patience: number, listener: () => void): () => void {
  let isStopped = false;
  const ask = async (): Promise<void> => {
    const answer = tab.page.evaluate('true').catch(() => false);
    const isAlive = await within(SIGN_TIME, answer);
    if (isStopped) return;
    if (isAlive) timer = setTimeout(ask, patience);
    else listener();
  };
  let timer = setTimeout(ask, patience);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
