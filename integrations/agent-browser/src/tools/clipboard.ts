import type { Frame } from 'playwright-core';
import { z } from 'zod/v4';
import type { PasteAnswer } from '#page-engine/protocol.js';
import { shortText, withoutHalf } from '#page-engine/text/cut-text.js';
import { actOn } from '../actions/act-on.js';
import { insert } from '../browser/tab/clipboard.js';
import { type Action, untilPainted, withTimeout } from '../call/action.js';
import { defineTool, refField } from '../call/define.js';
import { refEntryOf, textEntered } from '../call/risk.js';
import { MAX_FRAME_DEPTH, MAX_TYPED_TEXT } from '../limits.js';
import { describeRef } from '../refs/registry.js';
import { ToolError } from '../results/errors.js';

/** In characters, for a text in the result. */
const COPIED_TEXT_LIMIT = 8_000;
/** In characters, for a text in the headline. */
const CLIPBOARD_SHOWN = 500;

export const clipboard = defineTool({
  id: 'browser_clipboard',
  description: "Copy text, or an element's value or selection; paste into a field (ref) or whatever has focus.",
  input: z
    .strictObject({
      action: z.enum(['copy', 'paste']),
      text: z.string().max(MAX_TYPED_TEXT).optional().describe('Text to copy or paste'),
      ref: refField.optional(),
    })
    .refine(({ action, text, ref }) => action === 'paste' || (text === undefined) !== (ref === undefined), {
      path: ['text'],
      message: 'copy needs either text or ref',
    }),
  output: {
    /** The copied or pasted text, truncated if necessary. */
    text: z.string().optional(),
    /** The length of the whole text in characters, if `text` is truncated. */
    textLength: z.number().optional(),
    /** The value of the field after the paste, truncated if necessary. */
    value: z.string().optional(),
    valueLength: z.number().optional(),
    /** A handler of the page processed the paste event. */
    handled: z.boolean().optional(),
  },
  policy: { changesPage: true, sendsInput: true, optIn: true },
  risk: (session, { ref }) => ({ classes: [], ...(ref !== undefined && { entry: refEntryOf(session, ref) }) }),
  enters: ({ ref, text }) => textEntered(text, ref),
  async run(action, { action: what, text, ref }) {
    const { session } = action;
    if (what === 'copy') {
      session.clipboard.text = ref === undefined ? (text ?? '') : await copyOf(action, ref);
      return reportText('text', session.clipboard.text);
    }
    const pasted = text ?? session.clipboard.text;
    if (pasted === '') throw new ToolError('invalid_input', 'text: nothing has been copied in this session yet.');
    session.clipboard.refuseSecretsIn(pasted);
    const handled = await paste(action, pasted, ref);
    await untilPainted(action);
    return { ...reportText('text', pasted), ...(handled && { handled }) };
  },
  report: (_, { action: what }, { acted }) =>
    what === 'paste' && acted?.kind === 'text' ? reportText('value', acted.value) : {},
  headline: ({ text = '', textLength = text.length, value, handled }) =>
    value !== undefined
      ? `The field holds ${JSON.stringify(shortText(value, CLIPBOARD_SHOWN))}`
      : handled
        ? 'Pasted: the page handled the text itself.'
        : `${textLength} characters: ${JSON.stringify(shortText(text, CLIPBOARD_SHOWN))}`,
});

/** A text field of the result, with the full length if it is truncated. */
function reportText(field: 'text' | 'value', text: string): Record<string, string | number> {
  return text.length > COPIED_TEXT_LIMIT
    ? { [field]: withoutHalf(text.slice(0, COPIED_TEXT_LIMIT)), [`${field}Length`]: text.length }
    : { [field]: text };
}

async function copyOf(action: Action, ref: string): Promise<string> {
  const { answer, entry } = await action.askAbout(ref, 'copy', target => ({ target }));
  if (answer.masked) {
    throw new ToolError(
      'invalid_input',
      `ref: ${entry.ref} holds a password or other hidden text, which is not copied.`,
      { hint: 'Leave passwords to the user.' },
    );
  }
  return answer.text;
}

/** Pastes a text. Returns whether a handler of the page took it; otherwise it was inserted at the caret. */
async function paste(action: Action, text: string, ref: string | undefined): Promise<boolean> {
  if (ref !== undefined) {
    const numeric = text.trim() === '' || !Number.isNaN(Number(text));
    // `isEmpty`: a handler may take the text from the event, so that nothing is typed.
    const purpose = { to: 'type', numeric, isEmpty: true, append: 'unfocused' } as const;
    await actOn(action, ref, (locator, limits) => locator.focus(limits), purpose);
  }
  const start = ref === undefined ? action.tab.page.mainFrame() : action.entry(ref).node.document.frame;
  const offered = await offer(action, start, text);
  if (offered.nowhere !== undefined) throw pastedNowhere(offered.nowhere);
  return withTimeout(action, insert(action.tab, text, offered), { extra: text.length });
}

function pastedNowhere({ holder }: NonNullable<PasteAnswer['nowhere']>): ToolError {
  const where = holder === undefined ? 'nothing is focused' : `${describeRef({ ...holder, row: '' })} is focused`;
  return new ToolError('not_editable', `No text field has the focus (${where}). Nothing was pasted.`, {
    hint: 'Give the ref of the field.',
  });
}

/** Dispatches the paste event to the focused element, in whichever frame it is. */
async function offer(action: Action, start: Frame, text: string): Promise<PasteAnswer> {
  let frame = start;
  for (let depth = 0; ; depth++) {
    const answer = await action.ask(frame, 'paste', { text });
    const inner =
      answer.frame === undefined ? null : await action.tab.engine.contentFrame(frame, answer.frame, action.limits);
    if (inner === null || depth >= MAX_FRAME_DEPTH) return answer;
    frame = inner;
  }
}
