import { within } from '@browser-toolset/core/waiting';
import type { Frame } from 'playwright-core';
import type { EffectsLog } from '../../results/effects.js';
import { withCdp } from '../chromium/cdp.js';
import { HeldOn, Leaving, type Tab } from './tab.js';

/** How long what a dialog held up may take to end, in milliseconds. */
const HELD_TIME = 2_000;

/** The session whose driver wants a page to be left. */
interface LeavingSession {
  readonly effects: EffectsLog;
  heldAction: Promise<unknown> | undefined;
  /** Puts the page of a tab aside, and gives the tab a fresh one. */
  renew(tab: Tab): Promise<Tab>;
}

/** How a tab goes elsewhere: from the page that it shows, or from a blank one where that does not let it. */
interface Ways<T> {
  go(): Promise<T>;
  anew(fresh: Tab): Promise<T>;
}

/**
 * Lets a tab go elsewhere, whatever the page asks that it shows. A page that asks on and on is put aside: Chromium passes
 * no answer on to it once the next one has come, and that one waits for its script to end.
 */
export async function leavePage<T>(session: LeavingSession, tab: Tab, { go, anew }: Ways<T>): Promise<T> {
  const leaving = new Leaving(session.effects);
  tab.leaving = leaving;
  const goes = dismissOpen(session, tab).then(go);
  try {
    const result = await Promise.race([goes, leaving.held]);
    tab.leaving = undefined;
    return result;
  } catch (error) {
    if (!(error instanceof HeldOn)) {
      tab.leaving = undefined;
      throw error;
    }
    // It ends with the page.
    goes.catch(() => undefined);
    return anew(await session.renew(tab));
  }
}

/** The action that the open dialog held up has to end first: it must not go on in the next page. */
async function dismissOpen(session: LeavingSession, tab: Tab): Promise<void> {
  const { dialog, leaving } = tab;
  if (dialog === undefined) return;
  const held = session.heldAction;
  session.heldAction = undefined;
  tab.dialog = undefined;
  tab.events.dialogAnswered(dialog, false);
  await dialog.dismiss();
  // Its error was told to the log when it happened.
  if (held !== undefined && leaving !== undefined)
    await within(HELD_TIME, Promise.race([held.catch(() => undefined), leaving.held]));
}

/** How long a page may take to go, in milliseconds. */
const DROP_TIME = 2_000;

/**
 * Takes the open dialog from a page that is about to be closed. Chromium ends with all its pages when a page is closed
 * whose frame has one open (seen in 156); one that has gone elsewhere has none. One that is only on its way is never closed.
 */
export async function dropDialog({ dialog, leaving, page }: Tab): Promise<void> {
  if (dialog === undefined && leaving === undefined) return;
  const isMain = (frame: Frame): boolean => frame === page.mainFrame();
  const gone = page.waitForEvent('framenavigated', { predicate: isMain, timeout: DROP_TIME });
  const goes = withCdp(page, session => session.send('Page.navigate', { url: 'about:blank' }));
  // It may be gone already, or hang.
  await within(DROP_TIME, Promise.all([gone, goes])).catch(() => undefined);
}
