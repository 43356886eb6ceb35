import { setTimeout as delay } from 'node:timers/promises';
import { type Action, withTimeout } from '../call/action.js';
import { reachPoint } from './approach.js';

/** Moves the mouse over the element of a ref. */
export async function hoverElement(action: Action, ref: string): Promise<void> {
  await reachPoint(action, ref, ({ x, y }) => withTimeout(action, action.tab.page.mouse.move(x, y)));
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
