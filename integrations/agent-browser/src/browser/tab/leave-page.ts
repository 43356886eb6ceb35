import { within } from '@browser-toolset/core/waiting';
import type { Frame } from 'playwright-core';
import type { EffectsLog } from '../../results/effects.js';
import { withCdp } from '../chromium/cdp.js';
import { HeldOn, Leaving, type Tab } from './tab.js';

/** In milliseconds: the wait for the action that a dialog blocked. */
const HELD_MS = 2_000;

interface LeavingSession {
  readonly effects: EffectsLog;
  heldAction: Promise<unknown> | undefined;
  renew(tab: Tab): Promise<Tab>;
}

/** How a tab navigates: from its current page, or in a new page where that one blocks. */
interface Ways<T> {
  go(): Promise<T>;
  anew(fresh: Tab): Promise<T>;
}

/**
 * Navigates a tab away from a page that opens dialogs, or crashes meanwhile. A page that never stops is replaced: Chromium delivers no answer
 * to it once the next document has come, which itself waits for the page's script to end.
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
    const isLost = error instanceof HeldOn || (tab.leaving === leaving && (await hasCrashed(tab, error)));
    if (!isLost) {
      tab.leaving = undefined;
      throw error;
    }
    // It rejects with the page.
    goes.catch(() => undefined);
    return anew(await session.renew(tab));
  }
}

/** In milliseconds: the end of a renderer aborts its navigation a moment before it is reported. */
const CRASH_MS = 200;

/** Whether the page that is left has crashed before the next document came. */
async function hasCrashed(tab: Tab, error: unknown): Promise<boolean> {
  if (!tab.crashed && String(error).includes('net::ERR_ABORTED'))
    await within(CRASH_MS, tab.page.waitForEvent('crash', { timeout: CRASH_MS })).catch(() => undefined);
  return tab.crashed;
}

/** The action blocked by the open dialog must end first, so that it does not continue in the next page. */
async function dismissOpen(session: LeavingSession, tab: Tab): Promise<void> {
  const { dialog, leaving } = tab;
  if (dialog === undefined) return;
  const held = session.heldAction;
  session.heldAction = undefined;
  tab.dialog = undefined;
  tab.events.dialogAnswered(dialog, false);
  await dialog.dismiss();
  if (held !== undefined && leaving !== undefined) await within(HELD_MS, Promise.race([held, leaving.held]));
}

/** In milliseconds: the limit for navigating to `about:blank`. */
const DROP_MS = 2_000;

/**
 * Navigates a page with an open dialog away before it is closed: closing it would end Chromium with all pages (seen in
 * 156). The navigation must commit first, since a page that is still navigating never closes.
 */
export async function dropDialog({ dialog, leaving, page }: Tab): Promise<void> {
  if (dialog === undefined && leaving === undefined) return;
  const isMain = (frame: Frame): boolean => frame === page.mainFrame();
  const gone = page.waitForEvent('framenavigated', { predicate: isMain, timeout: DROP_MS });
  const goes = withCdp(page, session => session.send('Page.navigate', { url: 'about:blank' }));
  // The page may be gone already, or hang.
  await within(DROP_MS, Promise.all([gone, goes])).catch(() => undefined);
}
