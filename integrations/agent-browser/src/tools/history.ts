import { z } from 'zod/v4';
import type { Session } from '../browser/session.js';
import { historyEntry, onceActive } from '../browser/tab/settle.js';
import type { Action } from '../call/action.js';
import { defineTool, type ToolInput } from '../call/define.js';
import { goTo, load } from '../call/go-to.js';
import { NO_RISK, type Risk } from '../call/risk.js';
import { classesOfSending } from '../policy/approval.js';
import { ToolError } from '../results/errors.js';

export const history = defineTool({
  id: 'browser_history',
  description: 'Go back, go forward or reload the active tab.',
  input: z.strictObject({ direction: z.enum(['back', 'forward', 'reload']) }),
  output: {},
  policy: { changesPage: true, worksInDialog: true, allowedDuringNavigation: true },
  risk: riskOfReturn,
  enters: 'nothing',
  async run(action, { direction }) {
    if (direction === 'reload') await reload(action);
    else await step(action, direction);
    return {};
  },
  headline: () => '',
});

const waitUntil = 'domcontentloaded';

async function reload(action: Action): Promise<void> {
  const { tab } = action;
  const { page, url } = tab;
  if (tab.state === 'silent') await goTo(action, url, waitUntil, { isNamed: false });
  else await load({ action, tab, url, waitUntil }, options => onceActive(page, () => page.reload(options)));
}

async function step(action: Action, direction: 'back' | 'forward'): Promise<void> {
  const { tab } = action;
  const goal = await historyEntry(tab, direction === 'back' ? -1 : 1);
  if (goal === undefined) {
    throw new ToolError('navigation_failed', `There is no page to go ${direction} to.`, {
      hint: 'Use browser_navigate.',
    });
  }
  const { page } = tab;
  await load({ action, tab, url: goal, waitUntil }, async options => {
    const response = await (direction === 'back' ? page.goBack(options) : page.goForward(options));
    const isThere = (): boolean => tab.leaving === undefined || tab.url === goal;
    if (isThere()) return response;
    // Playwright mistakes a change that the previous page makes to its own URL for the end of the navigation.
    await page.waitForEvent('framenavigated', { predicate: isThere, ...options });
    await page.waitForLoadState(waitUntil, options);
    return null;
  });
}

/** Whether the navigation leads to the response of a form, because the browser then submits the form again. */
async function riskOfReturn({ activeTab, network }: Session, { direction }: ToolInput): Promise<Risk> {
  if (activeTab === undefined) return NO_RISK;
  const steps = direction === 'back' ? -1 : 1;
  const goal = direction === 'reload' ? activeTab.url : await historyEntry(activeTab, steps).catch(() => undefined);
  return { classes: goal !== undefined && network.wasPosted(goal) ? classesOfSending(goal) : [] };
}
