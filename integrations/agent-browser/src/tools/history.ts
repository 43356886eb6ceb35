import { z } from 'zod/v4';
import { withCdp } from '../browser/cdp.js';
import type { Tab } from '../browser/tab.js';
import { ToolError } from '../outcome/errors.js';
import type { Action } from './action.js';
import { defineTool } from './define.js';
import { goTo, load } from './go-to.js';

export const history = defineTool({
  id: 'browser_history',
  description: 'Go back, go forward or reload the active tab.',
  input: z.strictObject({ direction: z.enum(['back', 'forward', 'reload']) }),
  output: {},
  policy: { changesPage: true },
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
  if (tab.unresponsive) await goTo(action, tab.url, waitUntil);
  else await load({ action, tab, url: tab.url, waitUntil }, options => tab.page.reload(options));
}

async function step(action: Action, direction: 'back' | 'forward'): Promise<void> {
  const { tab } = action;
  const goal = await entryAt(tab, direction === 'back' ? -1 : 1);
  if (goal === undefined) {
    throw new ToolError('navigation_failed', `There is no page to go ${direction} to.`, {
      hint: 'Use browser_navigate.',
    });
  }
  await load({ action, tab, url: goal, waitUntil }, options =>
    direction === 'back' ? tab.page.goBack(options) : tab.page.goForward(options),
  );
}

/** The url of the entry so many steps away in a tab's history. The blank page that a tab begins with is none. */
async function entryAt({ page }: Tab, steps: -1 | 1): Promise<string | undefined> {
  const { currentIndex, entries } = await withCdp(page, session => session.send('Page.getNavigationHistory'));
  const index = currentIndex + steps;
  const url = entries[index]?.url;
  return index === 0 && url === 'about:blank' ? undefined : url;
}
