import { setTimeout as delay } from 'node:timers/promises';
import { unlessAborted, within } from '@browser-toolset/core/waiting';
import type { Frame, Page } from 'playwright-core';
import { SHOWN_AFTER_MS } from '../../limits.js';
import { isTimeout, ToolError } from '../../results/errors.js';
import { isBetweenPages, withCdp } from '../chromium/cdp.js';
import { untilOnPage } from '../signal.js';
import type { Limits } from './engine.js';
import type { Tab } from './tab.js';

/** Resolves to whether a condition on the tab's requests holds, when it does, becomes moot, or times out. */
export function until(tab: Tab, holds: () => boolean, limits: Limits): Promise<boolean> {
  return untilOnPage(tab.page, { holds, changed: tab.requests.changed }, limits);
}

/** Retries while a navigation swaps the page's process; the pause is in milliseconds. */
const ACTIVATION_ATTEMPTS = 10;
const ACTIVATION_PAUSE_MS = 50;

/** Retries a command that the browser refuses while a navigation swaps the page's process. */
export async function onceActive<T>(page: Page, ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      // No event reports that the new process has taken over.
      if (!isBetweenPages(error) || attempt === ACTIVATION_ATTEMPTS || page.isClosed()) throw error;
      await delay(ACTIVATION_PAUSE_MS);
    }
  }
}

/** The URL of the history entry `steps` away. A tab's initial blank page does not count. */
export async function historyEntry({ page }: Tab, steps: -1 | 1): Promise<string | undefined> {
  const asked = () => withCdp(page, session => session.send('Page.getNavigationHistory'));
  const { currentIndex, entries } = await onceActive(page, asked);
  const index = currentIndex + steps;
  const url = entries[index]?.url;
  return index === 0 && url === 'about:blank' ? undefined : url;
}

/** In milliseconds: the limit for `Page.stopLoading`. */
const HEAR_MS = 1_000;

/**
 * Stops the pending navigation, until which Chromium delivers no message to the current page; the browser process
 * answers `Page.stopLoading` itself. Resolves to whether there was one: the new page may commit at that moment.
 */
export async function stopLoading({ page }: Tab): Promise<boolean> {
  try {
    await within(
      HEAR_MS,
      withCdp(page, session => session.send('Page.stopLoading')),
    );
    return true;
  } catch (error) {
    if (isBetweenPages(error)) return false;
    throw error;
  }
}

interface Asking {
  frames?: readonly Frame[];
  /** The longest wait in milliseconds; default 2 seconds. */
  wait?: number;
  signal?: AbortSignal;
}

/** In milliseconds: the wait for a page to report its outputs. */
const OUTPUTS_WAIT_MS = 2_000;
/** In milliseconds. A busy page answers late, and a document reports each output only once. */
const LATE_OUTPUTS_MS = 30_000;

/** Reads prints and downloads that documents of a page requested; by default of all frames. */
export async function noteOutputs(tab: Tab, asking: Asking = {}): Promise<void> {
  if (!tab.isReachable) return;
  const { frames = tab.page.frames(), wait = OUTPUTS_WAIT_MS, signal } = asking;
  const questioned = performance.now();
  const reports = frames.map(async frame => {
    tab.gaveOut(frame, await tab.engine.call(frame, 'outputs', {}, { timeout: LATE_OUTPUTS_MS }), questioned);
  });
  await unlessAborted(within(wait, Promise.allSettled(reports)), signal);
}

/** Whether a navigation or request that began since then is pending, or the page has navigated since. */
export function isRestless(tab: Tab, since: number): boolean {
  return tab.navigation !== undefined || tab.navigatedAt >= since || tab.requests.since(since).length > 0;
}

/** Resolves when the navigation announced by a document is under way or over, or at the timeout. */
export async function departed(tab: Tab, since: number, limits: Limits): Promise<void> {
  await until(tab, () => tab.navigation !== undefined || tab.navigatedAt >= since, limits);
}

/** Loading that continues in the background. */
export interface StillLoading {
  loading?: true;
  /** The URL of the pending document; the tab still shows the previous one. */
  awaited?: string;
}

/**
 * Waits for the effects of an action only: the navigation that it began, then its content requests for at most
 * `contentTime` milliseconds. An action that began none costs no time here.
 */
export async function settle(
  tab: Tab,
  since: number,
  limits: Limits & { navigationTimeout: number; contentTime: number },
): Promise<StillLoading> {
  const { signal, navigationTimeout } = limits;
  const { navigation } = tab;
  if (navigation !== undefined) {
    const timeout = Math.min(tab.navigationLeft(), navigationTimeout);
    await until(tab, () => tab.navigation === undefined, { timeout, signal });
    if (isPending(tab, signal)) return stillAwaited(tab, navigationTimeout);
  }
  if (tab.page.isClosed() || tab.crashed || tab.dialog !== undefined || signal.aborted) return {};
  if (navigation !== undefined || tab.navigatedAt >= since) {
    if (!(await isLoaded(tab, limits))) return { loading: true };
  }
  await until(tab, () => tab.requests.since(since).length === 0, {
    timeout: Math.min(limits.contentTime, limits.timeout),
    signal,
  });
  return {};
}

/** Leaves the navigation running within its time limit. */
async function stillAwaited(tab: Tab, navigationTimeout: number): Promise<StillLoading> {
  const awaited = tab.navigation?.url() ?? '';
  if (navigationTimeout > SHOWN_AFTER_MS) return { loading: true, awaited };
  await stopLoading(tab);
  const where = awaited.slice(0, 200);
  throw new ToolError(
    'timeout',
    `The action was performed, but ${where} did not respond within ${navigationTimeout} ms.`,
  );
}

function isPending(tab: Tab, signal: AbortSignal): boolean {
  return tab.navigation !== undefined && !tab.page.isClosed() && !tab.crashed && !tab.dialog && !signal.aborted;
}

/** Whether the document is parsed; one that never finishes is read as far as it has loaded. */
async function isLoaded(
  tab: Tab,
  { navigationTimeout, signal }: Limits & { navigationTimeout: number },
): Promise<boolean> {
  // Playwright treats 0 as no timeout.
  const timeout = Math.max(1, Math.min(tab.navigationLeft(), navigationTimeout));
  try {
    await tab.page.waitForLoadState('domcontentloaded', { timeout, signal });
    return true;
  } catch (error) {
    if (signal.aborted) throw error;
    return !isTimeout(error);
  }
}
