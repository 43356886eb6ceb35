import { setTimeout as delay } from 'node:timers/promises';
import { unlessAborted, until as untilHolds, within } from '@browser-toolset/core/waiting';
import type { Frame, Page } from 'playwright-core';
import { isTimeout, ToolError } from '../../results/errors.js';
import { withCdp } from '../chromium/cdp.js';
import type { Limits } from './engine.js';
import { SHOWN_AFTER, type Tab } from './tab.js';

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

/** How often, and so many milliseconds apart, a page is asked again whose process a navigation is swapping. */
const ACTIVATION_ATTEMPTS = 10;
const PAUSE = 50;
/** Chromium's error until the new process has taken the page over. */
const BETWEEN_PROCESSES = /Not attached to an active page/;

/** Asks the browser for something that it refuses while a navigation swaps the page's process, until it does not. */
export async function onceActive<T>(page: Page, ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      // Nobody is told when the new process has taken over.
      const isSwap = error instanceof Error && BETWEEN_PROCESSES.test(error.message);
      if (!isSwap || attempt === ACTIVATION_ATTEMPTS || page.isClosed()) throw error;
      await delay(PAUSE);
    }
  }
}

/** The url of the entry so many steps away in a tab's history. The blank page that a tab begins with is none. */
export async function historyEntry({ page }: Tab, steps: -1 | 1): Promise<string | undefined> {
  const { currentIndex, entries } = await historyOf(page);
  const index = currentIndex + steps;
  const url = entries[index]?.url;
  return index === 0 && url === 'about:blank' ? undefined : url;
}

interface History {
  currentIndex: number;
  entries: readonly { url: string }[];
}

function historyOf(page: Page): Promise<History> {
  return onceActive(page, () => withCdp(page, session => session.send('Page.getNavigationHistory')));
}

/** How long a browser may take to hear of it, in milliseconds. */
const HEAR_TIME = 1_000;
/** Chromium's error while another page takes the place of the one that is asked. */
const HAS_COME = 'Not attached to an active page';

/**
 * Gives up the navigation that is under way. Until it is answered or given up, Chromium passes no question on to the
 * page that is still there. `Page.stopLoading` is answered by the browser itself. Resolves to whether there was one: the
 * page may come in this very moment.
 */
export async function stopLoading({ page }: Tab): Promise<boolean> {
  try {
    await within(
      HEAR_TIME,
      withCdp(page, session => session.send('Page.stopLoading')),
    );
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes(HAS_COME)) return false;
    throw error;
  }
}

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
  if (tab.cannotEvaluate) return;
  const { frames = tab.page.frames(), wait = WAIT, signal } = asking;
  const questioned = performance.now();
  const limits = { timeout: LATEST, together: true };
  const told = frames.map(async frame => {
    tab.gaveOut(frame, await tab.engine.call(frame, 'outputs', {}, limits), questioned);
  });
  await unlessAborted(within(wait, Promise.allSettled(told)), signal);
}

/** Whether something that began since then is under way, or the page has gone elsewhere since. */
export function isRestless(tab: Tab, since: number): boolean {
  return tab.navigation !== undefined || tab.navigatedAt >= since || tab.openRequests(since).length > 0;
}

/** Resolves when the navigation that a document said it begins is under way or over, or the time is over. */
export async function departed(tab: Tab, since: number, limits: Limits): Promise<void> {
  await until(tab, () => tab.navigation !== undefined || tab.navigatedAt >= since, limits);
}

/** Loading that goes on although nobody waits for it any more. */
export interface StillLoading {
  loading?: true;
  /** The tab waits for it, and shows the page before. */
  awaited?: string;
}

/**
 * Waits for what an action set in motion and for nothing else: the navigation that it began, then the requests for
 * content that it began, for `contentTime` milliseconds at most. An action that began none costs no time here.
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
  await until(tab, () => tab.openRequests(since).length === 0, {
    timeout: Math.min(limits.contentTime, limits.timeout),
    signal,
  });
  return {};
}

/** The navigation goes on, for as long as navigations may. */
async function stillAwaited(tab: Tab, navigationTimeout: number): Promise<StillLoading> {
  const awaited = tab.navigation?.url() ?? '';
  if (navigationTimeout > SHOWN_AFTER) return { loading: true, awaited };
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

/** Whether the document is there; one that never finishes is read as far as it came. */
async function isLoaded(
  tab: Tab,
  { navigationTimeout, signal }: Limits & { navigationTimeout: number },
): Promise<boolean> {
  // Playwright takes 0 for "without end".
  const timeout = Math.max(1, Math.min(tab.navigationLeft(), navigationTimeout));
  try {
    await tab.page.waitForLoadState('domcontentloaded', { timeout, signal });
    return true;
  } catch (error) {
    if (signal.aborted) throw error;
    return !isTimeout(error);
  }
}
