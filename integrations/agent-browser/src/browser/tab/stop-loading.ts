import { withCdp } from '../chromium/cdp.js';
import type { Tab } from './tab.js';

/**
 * Gives up the navigation that is under way. Until it is answered or given up, Chromium passes no question on to the
 * page that is still there. `Page.stopLoading` is answered by the browser itself.
 */
export async function stopLoading({ page }: Tab): Promise<void> {
  await withCdp(page, session => session.send('Page.stopLoading'));
}
