import { stopLoading } from '../../browser/tab/stop-loading.js';
import { until } from '../../browser/tab/until.js';
import type { Action } from './action.js';
import { endedBy } from './failure.js';

/**
 * Waits for a page that an earlier call has left to come. It is given up when it does not: until then Chromium asks the
 * page before it nothing.
 */
export async function arrival({ session, tab, signal, timeout }: Action): Promise<void> {
  if (!tab.isHeld) return;
  const url = tab.navigation?.url();
  const left = tab.navigationLeft(session.owner.config.navigationTimeout);
  const hasCome = await until(tab, () => tab.navigation === undefined, { timeout: Math.min(timeout, left), signal });
  if (signal.aborted) throw endedBy(signal);
  if (hasCome || !tab.isHeld) return;
  if (!(await stopLoading(tab))) return;
  session.effects.recovered(`${url} did not answer`, 'given up, the page before is still there');
}
