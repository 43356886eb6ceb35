import type { Locator } from 'playwright-core';
import type { Limits } from '../browser/engine.js';
import type { RefEntry } from '../refs/registry.js';
import type { Action } from './action.js';

export interface TextEntry {
  text: string;
  /** Replaces what the field holds; else the text goes behind it. */
  clear: boolean;
  /** Key by key. */
  slowly: boolean;
}

/** Puts text into the field of a ref. */
export async function enterText(action: Action, ref: string, entry: TextEntry): Promise<{ entry: RefEntry }> {
  return action.act(ref, (locator, limits) => enter(action, locator, { ...entry, limits }), {
    purpose: { to: 'type' },
  });
}

async function enter(
  action: Action,
  locator: Locator,
  { text, clear, slowly, limits }: TextEntry & { limits: Limits },
): Promise<void> {
  if (clear && !slowly) return fill(action, locator, text, limits);
  if (clear) await locator.fill('', limits);
  else {
    await locator.focus(limits);
    // To the end of a text of one line and of many.
    await action.tab.page.keyboard.press('ControlOrMeta+End');
    await action.tab.page.keyboard.press('End');
  }
  if (slowly) await locator.pressSequentially(text, { ...limits, timeout: action.timeout + text.length * 20 });
  else await action.tab.page.keyboard.insertText(text);
}

/** Fields with a format of their own, such as dates, refuse a malformed value; typed keys show what they make of it. */
async function fill(action: Action, locator: Locator, text: string, limits: Limits): Promise<void> {
  try {
    await locator.fill(text, limits);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('Malformed value')) throw error;
    await locator.focus(limits);
    await action.tab.page.keyboard.type(text);
  }
}
