import { z } from 'zod/v4';
import { cutText } from '#page-engine/text/cut-text.js';
import { Action, untilQuiet } from '../call/action.js';
import { defineTool } from '../call/define.js';
import { textEntered } from '../call/risk.js';
import { classesOfWords } from '../policy/approval.js';
import { ToolError } from '../results/errors.js';

export const dialog = defineTool({
  id: 'browser_dialog',
  description: 'Answer the open alert, confirm, prompt or leave-page dialog.',
  input: z.strictObject({
    action: z.enum(['accept', 'dismiss']),
    text: z.string().max(10_000).optional().describe('Text for a prompt'),
  }),
  output: { answered: z.object({ type: z.string(), message: z.string() }).optional() },
  policy: { worksInDialog: true, changesPage: true, sendsInput: true },
  risk: ({ activeTab }, { action }) => ({
    classes: action === 'accept' ? classesOfWords(activeTab?.dialog?.message() ?? '') : [],
  }),
  enters: ({ text }) => textEntered(text),
  async run(action, input) {
    const { session, tab } = action;
    const open = tab.dialog;
    if (open === undefined) throw new ToolError('no_dialog', 'No dialog is open.');
    // The dialog was reported when it opened, and is not an effect of the answer.
    session.effects.forgetDialog();
    tab.dialog = undefined;
    const type = open.type();
    action.facts.answered = { type, message: cutText(open.message(), 1000) };
    const endedAlone = (): void => {
      if (type === 'alert') tab.alertEndedAt = performance.now();
    };
    if (session.heldAction === undefined) endedAlone();
    await (input.action === 'accept' ? open.accept(input.text ?? open.defaultValue()) : open.dismiss());
    await heldActionEnds(action);
    endedAlone();
    return {};
  },
  headline: ({ answered }) => `Answered the ${answered?.type} ${JSON.stringify(answered?.message)}.`,
});

/**
 * Waits for the action that the dialog interrupted: it continues now, and either ends before the next action begins or
 * opens another dialog. What the page does then is awaited as it would have been without the dialog.
 */
async function heldActionEnds(action: Action): Promise<void> {
  const { session, tab } = action;
  const held = session.heldAction;
  session.heldAction = undefined;
  const begun = await held;
  if (begun instanceof Action) action.resume(begun);
  if (tab.dialog === undefined && !tab.page.isClosed()) await untilQuiet(action);
}
