import { z } from 'zod/v4';
import { ToolError } from '../outcome/errors.js';
import { defineTool } from './define.js';
import { goTo } from './go-to.js';

export const history = defineTool({
  id: 'browser_history',
  description: 'Go back, go forward or reload the active tab.',
  input: z.strictObject({ direction: z.enum(['back', 'forward', 'reload']) }),
  output: {},
  policy: { changesPage: true },
  async run(action, { direction }) {
    const { session, tab, signal } = action;
    const options = { waitUntil: 'domcontentloaded', timeout: session.owner.config.navigationTimeout, signal } as const;
    if (direction === 'reload') {
      if (tab.unresponsive) await goTo(action, tab.url, 'domcontentloaded');
      else await tab.page.reload(options);
      return {};
    }
    const before = tab.url;
    const response = direction === 'back' ? await tab.page.goBack(options) : await tab.page.goForward(options);
    if (response === null && tab.url === before && !session.effects.current.navigated) {
      throw new ToolError('navigation_failed', `There is no page to go ${direction} to.`, {
        hint: 'Use browser_navigate.',
      });
    }
    return {};
  },
  headline: () => '',
});
