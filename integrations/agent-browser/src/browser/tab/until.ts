import type { Limits } from './engine.js';
import type { Tab } from './tab.js';

/** Resolves when the condition holds, when something makes it moot, or when the time is over. Event-driven. */
export function until(tab: Tab, holds: () => boolean, limits: Limits): Promise<boolean> {
  if (holds()) return Promise.resolve(true);
  return new Promise(resolve => {
    const finish = (held: boolean): void => {
      clearTimeout(timer);
      stop();
      limits.signal.removeEventListener('abort', onAbort);
      tab.page.off('close', onAbort);
      tab.page.off('crash', onAbort);
      tab.page.off('dialog', onAbort);
      resolve(held);
    };
    const onAbort = (): void => finish(false);
    const timer = setTimeout(() => finish(false), limits.timeout);
    const stop = tab.onRequestsChanged(() => {
      if (holds()) finish(true);
    });
    limits.signal.addEventListener('abort', onAbort);
    tab.page.on('close', onAbort);
    tab.page.on('crash', onAbort);
    tab.page.on('dialog', onAbort);
  });
}
