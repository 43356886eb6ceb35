import { withCdp } from '../chromium/cdp.js';
import { within } from '../deadline.js';
import type { Tab } from './tab.js';

/** How long a browser may take to hear of it, in milliseconds. */
const HEAR_TIME = 1_000;

/**
 * Gives up the navigation that is under way. Until it is answered or given up, Chromium passes no question on to the
 * page that is still there. `Page.stopLoading` is answered by the browser itself.
 */
export async function stopLoading({ page }: Tab): Promise<void> {
  await within(
    HEAR_TIME,
    withCdp(page, session => session.send('Page.stopLoading')),
  );
}
