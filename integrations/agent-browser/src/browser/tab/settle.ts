import { ToolError } from '../../outcome/errors.js';
import type { Limits } from './engine.js';
import { stopLoading } from './stop-loading.js';
import type { Tab } from './tab.js';
import { until } from './until.js';

/** Longest wait for content that an action asked for, in milliseconds. */
const CONTENT_WAIT = 1_500;

/** Whether something that began since then is under way, or the page has gone elsewhere since. */
export function isRestless(tab: Tab, since: number): boolean {
  return tab.navigation !== undefined || tab.navigatedAt >= since || tab.openRequests(since).length > 0;
}

/** Resolves when the navigation that a document said it begins is under way or over, or the time is over. */
export async function departed(tab: Tab, since: number, limits: Limits): Promise<void> {
  await until(tab, () => tab.navigation !== undefined || tab.navigatedAt >= since, limits);
}

/**
 * Waits for what an action set in motion and for nothing else: the navigation that it began, then the requests for
 * content that it began. An action that began none costs no time here.
 */
export async function settle(tab: Tab, since: number, limits: Limits & { navigationTimeout: number }): Promise<void> {
  const { signal } = limits;
  const { navigation } = tab;
  if (navigation !== undefined) {
    await until(tab, () => tab.navigation === undefined, { timeout: limits.navigationTimeout, signal });
    if (isPending(tab, signal)) {
      await stopLoading(tab);
      const where = navigation.url().slice(0, 200);
      throw new ToolError('timeout', `It was done, but ${where} did not answer within ${limits.navigationTimeout} ms.`);
    }
  }
  if (tab.page.isClosed() || tab.crashed || tab.dialog !== undefined || signal.aborted) return;
  if (navigation !== undefined || tab.navigatedAt >= since) await loaded(tab, limits);
  await until(tab, () => tab.openRequests(since).length === 0, {
    timeout: Math.min(CONTENT_WAIT, limits.timeout),
    signal,
  });
}

function isPending(tab: Tab, signal: AbortSignal): boolean {
  return tab.navigation !== undefined && !tab.page.isClosed() && !tab.crashed && !tab.dialog && !signal.aborted;
}

/** The document is there; one that never finishes is read as far as it came. */
async function loaded(tab: Tab, limits: Limits & { navigationTimeout: number }): Promise<void> {
  await tab.page
    .waitForLoadState('domcontentloaded', { timeout: limits.navigationTimeout, signal: limits.signal })
    .catch(error => {
      if (limits.signal.aborted) throw error;
    });
}
