import { within } from '@browser-toolset/core/waiting';
import { withCdp } from '../chromium/cdp.js';
import type { Tab } from './tab.js';

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
