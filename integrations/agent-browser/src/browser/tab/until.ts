import { until as untilHolds } from '@browser-toolset/core/waiting';
import type { Limits } from './engine.js';
import type { Tab } from './tab.js';

/** Resolves to whether a condition about the tab's requests holds: when it does, something makes it moot, or the time is over. */
export function until(tab: Tab, holds: () => boolean, limits: Limits): Promise<boolean> {
  return untilHolds(holds, limits, (check, giveUp) => {
    const { page } = tab;
    const stop = tab.onRequestsChanged(check);
    page.on('close', giveUp).on('crash', giveUp).on('dialog', giveUp);
    return () => {
      stop();
      page.off('close', giveUp).off('crash', giveUp).off('dialog', giveUp);
    };
  });
}
