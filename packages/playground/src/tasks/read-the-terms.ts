import { step, type TaskScript } from '../scripted-model/index.js';

/** In the words a user would type. */
export function readTheTermsTask(shopUrl: string): string {
  return `How long does the shop at ${shopUrl} take returns? Read it in the terms of sale and close their tab afterwards.`;
}

/** A tab that just opened, as a result tells it, or one that is not this one, as a list of tabs does. */
const OTHER_TAB = /(?:new tab opened: |^tab )(t\d+)(?!\d| \(this one\))/m;

/** Follows a link into a second tab, reads there, and comes back. */
export const readTheTerms: TaskScript = {
  id: 'read-the-terms',
  look: step('I have not read that far yet, so I look at the page.', 'browser_snapshot'),
  steps: [
    step('I open the shop.', 'browser_navigate', view => ({ url: view.findInTask(/https?:\/\/\S+/) })),
    step('The terms open in a tab of their own.', 'browser_click', view => ({
      ref: view.ref('link', /^Terms of sale/),
    })),
    step('I go to that tab.', 'browser_tabs', view => ({ action: 'switch', tab: view.find(OTHER_TAB) })),
    step('I look for what they say about returns.', 'browser_find', () => ({ text: 'for any reason' })),
    {
      say: view => `The terms say: “${view.find(/[^"\n]*for any reason[^"\n]*/)}” I close their tab.`,
      call: () => ({ toolName: 'browser_tabs', input: { action: 'close' } }),
    },
    { say: 'The tab is closed, and the shop is open again.' },
  ],
};
