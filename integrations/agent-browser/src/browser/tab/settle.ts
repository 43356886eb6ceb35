import { isTimeout, ToolError } from '../../outcome/errors.js';
import type { Limits } from './engine.js';
import { stopLoading } from './stop-loading.js';
import { SHOWN_AFTER, type Tab } from './tab.js';
import { until } from './until.js';

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
  throw new ToolError('timeout', `It was done, but ${where} did not answer within ${navigationTimeout} ms.`);
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
