import type { KeyboardEventInput, LiveDialog, LiveDialogAnswer } from '@browser-toolset/core';
import { within } from '@browser-toolset/core/waiting';
import type { Tab } from '../browser/tab/tab.js';

/** How long a page may take to go on, in milliseconds. */
const ANSWER_TIME = 2_000;

/** More of a message than anybody reads in a dialog. */
const MESSAGE_LIMIT = 2_000;

/** The dialog of a tab as a viewer sees it. */
export function dialogOf({ dialog, engine }: Tab): LiveDialog | undefined {
  if (dialog === undefined) return undefined;
  const type = dialog.type() as LiveDialog['type'];
  const told = (text: string): string => engine.secrets.hide(text).slice(0, MESSAGE_LIMIT);
  const message = told(dialog.message());
  return { type, message, ...(type === 'prompt' && { defaultValue: told(dialog.defaultValue()) }) };
}

/** Answers the dialog of a page for a person. Answers false when none is open. */
export async function answerDialog(tab: Tab | undefined, { accept, text }: LiveDialogAnswer): Promise<boolean> {
  const { dialog } = tab ?? {};
  if (tab === undefined || dialog === undefined) return false;
  tab.dialog = undefined;
  tab.events.dialogAnswered(dialog, accept);
  await within(ANSWER_TIME, accept ? dialog.accept(text ?? dialog.defaultValue()) : dialog.dismiss());
  return true;
}

/**
 * Answers the dialog of a page by key, as its window would: Enter accepts, Escape dismisses. A page that shows a dialog
 * takes no input. Answers whether the key was meant for one.
 */
export async function answeredByKey(tab: Tab | undefined, { type, key }: KeyboardEventInput): Promise<boolean> {
  if (tab?.dialog === undefined || (key !== 'Enter' && key !== 'Escape')) return false;
  if (type === 'keyDown') await answerDialog(tab, { accept: key === 'Enter' });
  return true;
}
