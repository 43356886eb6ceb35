import { setTimeout as delay } from 'node:timers/promises';
import { type Action, taken } from '../call/action.js';
import { warpedPoint } from '../call/point.js';
import { isTimeout } from '../results/errors.js';
import { actOn } from './press.js';

/** Moves the mouse over the element of a ref. */
export async function hoverElement(action: Action, ref: string): Promise<void> {
  await actOn(action, ref, async (locator, limits) => {
    const point = action.acted && (await warpedPoint(action, action.acted.entry));
    if (point === undefined) await locator.hover(limits).catch(error => throwUnlessMoved(action, error));
    else await taken(action, action.tab.page.mouse.move(point.x, point.y));
  });
}

/**
 * Ignores errors after the mouse has moved: if the page reacts to it, for example by hiding the element behind the menu
 * that it opens, that is the effect of the hover, but Playwright considers it a failed attempt and retries.
 */
function throwUnlessMoved({ tab, signal }: Action, error: unknown): void {
  const refusal = tab.engine.refusalOf(error);
  const isRefused = refusal !== undefined && !('replacement' in refusal);
  if (signal.aborted || !isMovingError(error) || !(isRefused || isTimeout(error))) throw error;
}

/** Whether Playwright had moved the mouse to the element. Only the log in its error message shows it. */
function isMovingError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const moved = error.message.indexOf('performing hover action');
  return moved >= 0 && error.message.includes('retrying hover action', moved);
}

/** Milliseconds in which a menu opens the submenu of an item under the mouse: jQuery UI waits 300. */
const SUBMENU_MS = 500;
const SUBMENU_POLL_MS = 40;

/**
 * Moves the mouse over a menu item with a submenu, which most menus open by that, and in which a press of the item
 * chooses it. Returns whether a submenu has opened.
 */
export async function openSubmenu(action: Action, ref: string): Promise<boolean> {
  if (await hasSubmenuOpen(action, ref)) return false;
  await hoverElement(action, ref);
  const began = performance.now();
  while (performance.now() - began < SUBMENU_MS) {
    if (await hasSubmenuOpen(action, ref)) return true;
    await delay(SUBMENU_POLL_MS, undefined, { signal: action.signal });
  }
  return false;
}

async function hasSubmenuOpen(action: Action, ref: string): Promise<boolean> {
  const { frame } = action.entry(ref).node.document;
  return action.ask(frame, 'submenu', { id: action.entry(ref).node.id });
}
