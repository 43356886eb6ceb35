import { until } from '@browser-toolset/core/waiting';
import type { Page } from 'playwright-core';
import type { Limits } from './tab/engine.js';

/** What happens again and again, such as the end of a browser. */
export class Signal<Details extends unknown[] = []> {
  readonly #listeners = new Set<(...details: Details) => void>();

  /** Calls back whenever it happens. Returns a function that unsubscribes. */
  on(listener: (...details: Details) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(...details: Details): void {
    for (const listener of [...this.#listeners]) listener(...details);
  }
}

/** Resolves to whether a condition on a page holds, when it does after a change, becomes moot, or times out. */
export function untilOnPage(
  page: Page,
  { holds, changed }: { holds: () => boolean; changed: Signal },
  limits: Limits,
): Promise<boolean> {
  return until(holds, limits, (check, giveUp) => {
    const stop = changed.on(check);
    page.on('close', giveUp).on('crash', giveUp).on('dialog', giveUp);
    return () => {
      stop();
      page.off('close', giveUp).off('crash', giveUp).off('dialog', giveUp);
    };
  });
}
