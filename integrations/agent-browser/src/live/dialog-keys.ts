import type { KeyboardEventInput } from '@browser-toolset/core';
import { within } from '../browser/deadline.js';
import type { Tab } from '../browser/tab.js';

/** How long a page may take to go on, in milliseconds. */
const ANSWER_TIME = 2_000;

/**
 * Answers the dialog of a page by key, as its window would: Enter accepts, Escape dismisses. A page that shows a dialog
 * takes no input. Answers whether the key was meant for one.
 */
export async function answeredByKey(tab: Tab | undefined, { type, key }: KeyboardEventInput): Promise<boolean> {
  const { dialog } = tab ?? {};
  if (tab === undefined || dialog === undefined || (key !== 'Enter' && key !== 'Escape')) return false;
  if (type !== 'keyDown') return true;
  tab.dialog = undefined;
  const isAccepted = key === 'Enter';
  tab.events.dialogAnswered(dialog, isAccepted);
  await within(ANSWER_TIME, isAccepted ? dialog.accept() : dialog.dismiss());
  return true;
}
