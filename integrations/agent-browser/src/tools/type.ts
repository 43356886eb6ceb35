import { z } from 'zod/v4';
import { anyElement, type ElementFacts } from '#page-engine/protocol.js';
import { shortText } from '#page-engine/text/cut-text.js';
import { newOptions, optionsShow, optionsShown, suggestionLines, suggestionsField } from '../actions/choose-option.js';
import { enterText, FORMATTED, HANDED_ON, isFormatted, isHandedOn, mismatch } from '../actions/enter-text.js';
import { type Action, untilPainted, withTimeout } from '../call/action.js';
import { defineTool, onDialogField, refField } from '../call/define.js';
import { enterWithheld } from '../call/refusals.js';
import { refEntryOf, textEntered } from '../call/risk.js';
import { MAX_TYPED_TEXT } from '../limits.js';
import { classesOfSending } from '../policy/approval.js';
import type { RefEntry } from '../refs/registry.js';

/** How long finding the centre of a field may take, in milliseconds. */
const CENTRE_MS = 1_000;

export const type = defineTool({
  id: 'browser_type',
  description: 'Type text into a field. Replaces the current value; set clear=false to append.',
  input: z.strictObject({
    ref: refField,
    text: z.string().max(MAX_TYPED_TEXT),
    clear: z.boolean().optional(),
    submit: z.boolean().optional().describe('Press Enter afterwards'),
    slowly: z.boolean().optional().describe('Key by key, for fields that react to keystrokes (autocomplete, tags)'),
    onDialog: onDialogField,
  }),
  output: {
    value: z.string().optional(),
    valueAfter: z.string().optional().describe('Value of the field after Enter, if it differs'),
    valueUnknown: z.string().optional().describe('Why the value is unknown'),
    x: z.number().optional(),
    y: z.number().optional(),
    mismatch: z.object({ expected: z.string(), actual: z.string() }).optional(),
    suggestions: suggestionsField.optional(),
    submitted: z.boolean().optional(),
  },
  policy: { changesPage: true, sendsInput: true, fills: true, asksFirst: true, takesSecrets: true },
  risk: (session, { ref, submit }) => ({
    classes: submit === true ? classesOfSending(session.activeTab?.url) : [],
    entry: refEntryOf(session, ref),
  }),
  enters: ({ ref, text }) => textEntered(text, ref),
  async run(action, { ref, text, clear, slowly, submit }) {
    // Slow typing is for pages that react to each key.
    const mayOffer = !submit && (slowly || action.entry(ref).shown.role === 'combobox');
    const shown = mayOffer ? await optionsShown(action.entry(ref)) : 0;
    const { entry, expected } = await enterText(action, ref, { text, clear, slowly });
    action.expected = expected;
    await noteCentre(action, entry);
    if (submit) {
      // Enter may remove the field, so its value is read first.
      Object.assign(action.facts, { ...typedFacts(await action.readBack(), expected), ...action.facts });
      action.facts.submitted = await pressEnter(action, entry);
    } else if (mayOffer && (await mayAnswer(action, slowly))) await optionsShow(action, entry, shown);
    return {};
  },
  report(action, { submit }, aftermath) {
    const { acted, page } = aftermath;
    const facts: Partial<TypedFacts> = { ...(!submit && typedFacts(acted, action.expected)), ...action.facts };
    // The field has another value after Enter, as when a tag is added or a message is sent.
    const isKnown = 'value' in facts || 'valueUnknown' in facts;
    const isReplaced = submit && acted !== undefined && !facts.valueUnknown && acted.value !== facts.value;
    return {
      ...facts,
      ...(!isKnown && { valueUnknown: whyUnread(action, page !== undefined) }),
      ...(isReplaced && { valueAfter: acted.value }),
      ...newOptions(action, aftermath),
    };
  },
  headline({ value = '', valueAfter, valueUnknown, mismatch: differs, suggestions, submitted }) {
    const held = JSON.stringify(shortText(value, 200));
    const lines = [
      valueUnknown !== undefined
        ? `Typed. The value of the field is unknown: ${valueUnknown}.`
        : valueAfter !== undefined
          ? `The field held ${held} before Enter, and now ${JSON.stringify(shortText(valueAfter, 200))}`
          : `The field holds ${held}`,
    ];
    if (differs !== undefined && isFormatted(differs)) lines[0] += ` (${FORMATTED})`;
    else if (differs !== undefined)
      lines.push(`This differs from what was typed: ${JSON.stringify(shortText(differs.expected, 200))}`);
    if (submitted === false) lines.push('Enter was not pressed: the field is gone.');
    return [...lines, ...suggestionLines(suggestions)].join('\n');
  },
});

/** Whether the page may show options for the text. */
async function mayAnswer(action: Action, slowly = false): Promise<boolean> {
  const field = await action.readBack();
  return field !== undefined && (field.hasPopup || (slowly && field.heedsInput !== undefined));
}

/** Why the value is unknown: typing may have removed the field or the page before the value was read. */
function whyUnread({ session, tab }: Action, isRead: boolean): string {
  if (tab.state === 'crashed') return 'the page crashed';
  if (tab.state === 'closed') return 'the tab is closed';
  if (session.activeTab?.dialog !== undefined) return 'a dialog is open';
  if (tab.state === 'silent') return 'the page does not respond';
  return isRead ? 'the field is gone' : 'the page could not be read';
}

/** Presses Enter in the field or in its popup. Returns false if the field has been removed. */
async function pressEnter(action: Action, entry: RefEntry): Promise<boolean> {
  const focus = await action.focusFrom(entry);
  if (focus === undefined) return false;
  if (focus.is === 'elsewhere') throw enterWithheld(entry, focus.holder);
  action.mayHaveSent = true;
  await withTimeout(action, action.tab.page.keyboard.press('Enter'));
  await untilPainted(action);
  action.rest = 'over';
  return true;
}

/** Records the centre of a field in a frame in page coordinates, which differ from those of the frame. */
async function noteCentre(action: Action, entry: RefEntry): Promise<void> {
  const { document, id } = entry.node;
  if (document.frame.parentFrame() === null) return;
  const { signal, tab } = action;
  const box = await tab.engine
    .locator(document.frame, anyElement(document.doc, id))
    .boundingBox({ timeout: CENTRE_MS, signal })
    // The page may have removed the field in response to the text.
    .catch(error => {
      if (signal.aborted || tab.page.isClosed()) throw error;
      return null;
    });
  if (box === null) return;
  action.facts.x = Math.round(box.x + box.width / 2);
  action.facts.y = Math.round(box.y + box.height / 2);
}

interface TypedFacts {
  value?: string;
  valueUnknown?: string;
  x: number;
  y: number;
  mismatch?: { expected: string; actual: string };
}

function typedFacts(facts: ElementFacts | undefined, expected: string | undefined): TypedFacts | undefined {
  if (facts === undefined) return undefined;
  const { value, x, y } = facts;
  if (isHandedOn(facts, expected)) return { valueUnknown: HANDED_ON, x, y };
  const differs = expected === undefined ? undefined : mismatch(facts, expected);
  return { value, x, y, ...(differs && { mismatch: differs }) };
}
