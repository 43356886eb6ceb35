import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod/v4';
import { plainMessage, ToolError } from '../outcome/errors.js';
import { type CommonResult, errorCode } from '../outcome/result.js';
import { OWN_WORDS } from '../outcome/to-model.js';
import type { ElementFacts } from '../page/protocol.js';
import type { Action } from './call/action.js';
import { defineTool, onDialogField, refField } from './define.js';
import { chooseOption } from './element/choose-option.js';
import { enterText } from './element/enter-text.js';
import { mismatch } from './element/mismatch.js';
import { listOptions } from './element/unfit.js';
import { selectNative } from './select.js';

/** Milliseconds in which a component shows its new state. */
const REDRAW = 150;

const valueField = z.union([z.string().max(1_000_000), z.boolean(), z.array(z.string().max(5000)).max(1000)], {
  error: 'expected a text, true or false, or a list of texts',
});
type Value = z.output<typeof valueField>;

const filledField = z.object({
  ref: z.string(),
  value: valueField.optional(),
  code: errorCode.optional(),
  error: z.string().optional(),
  mismatch: z.object({ expected: z.string(), actual: z.string() }).optional(),
});
type Filled = z.output<typeof filledField>;

export const fillForm = defineTool({
  id: 'browser_fill_form',
  description: 'Fill several fields at once: text, check boxes and radio buttons (true or false), drop-downs (labels).',
  input: z.strictObject({
    fields: z
      .array(z.strictObject({ ref: refField, value: valueField }))
      .min(1)
      .max(200),
    submit: refField.optional().describe('Button to click afterwards, when all were filled'),
    onDialog: onDialogField,
  }),
  output: {
    fields: z.array(filledField).optional(),
    submitted: z.boolean().optional(),
    /** The button was pressed, and what comes of it hangs on the dialog that it opened. */
    pressed: z.boolean().optional(),
  },
  policy: { changesPage: true, sendsInput: true, fills: true, asksFirst: true, takesSecrets: true },
  async run(action, { fields, submit }) {
    const filled: Filled[] = [];
    action.facts.fields = filled;
    for (const field of fields) filled.push(await fillOne(action, field.ref, field.value));
    if (filled.every(field => field.error !== undefined)) throw noneFilled(filled);
    if (filled.length > 1) await readAgain(action, filled, fields);
    if (submit === undefined) return {};
    action.facts.submitted = false;
    if (filled.some(field => field.error !== undefined)) return {};
    await action.click(submit);
    action.facts.submitted = true;
    return {};
  },
  report(action, { submit }, { validation }) {
    const { facts, acted, session } = action;
    const isAsked = facts.submitted === false && session.activeTab?.dialog !== undefined;
    const isHeld = isAsked && submit !== undefined && acted?.entry === action.entry(submit);
    if (isHeld) return { submitted: undefined, pressed: true };
    // A button was clicked, but the form went nowhere.
    return validation && facts.submitted ? { submitted: false } : {};
  },
  headline: result =>
    [
      ...(result.fields ?? []).map(({ ref, value, code, error, mismatch: differs }) =>
        error === undefined
          ? `${ref} holds ${JSON.stringify(value)}${differs ? ', which is not what it was given' : ''}`
          : `${ref} ${code}: ${error}`,
      ),
      submitLine(result),
    ]
      .filter(Boolean)
      .join('\n'),
});

function submitLine({ submitted, pressed, dialog }: CommonResult & { submitted?: boolean; pressed?: boolean }): string {
  if (pressed) return 'The button was pressed: whether the form is sent hangs on the dialog that it opened.';
  if (submitted && dialog?.answered === 'dismissed')
    return 'The button was pressed, and the dialog that it opened dismissed.';
  if (submitted === undefined) return '';
  return submitted ? 'Submitted.' : 'Not submitted.';
}

function noneFilled(filled: readonly Filled[]): ToolError {
  // Of a code of the toolset's own words none may be that stands for what a page says as well.
  const { code = 'browser_error' } = filled.find(field => !OWN_WORDS.has(field.code)) ?? filled[0] ?? {};
  const what = filled.length === 1 ? 'The field was not filled' : `None of the ${filled.length} fields was filled`;
  return new ToolError(code, `${what}: ${filled.map(({ ref, error }) => `${ref}: ${error}`).join(' ')}`);
}

/** Fills one field; what goes wrong is told with it, and the others are still filled. */
async function fillOne(action: Action, ref: string, value: Value): Promise<Filled> {
  try {
    return { ref, ...(await setValue(action, ref, value)) };
  } catch (error) {
    if (action.signal.aborted || action.tab.page.isClosed()) throw error;
    await action.letGo();
    if (error instanceof ToolError) return { ref, code: error.code, error: error.message };
    return { ref, code: 'browser_error', error: plainMessage(error) };
  }
}

/** Leaving a field, or filling another one, can change what it holds. */
async function readAgain(action: Action, filled: readonly Filled[], given: readonly { value: Value }[]): Promise<void> {
  await Promise.all(
    filled.map(async (field, index) => {
      const found = action.session.refs.find(field.ref);
      if (field.error !== undefined || field.value === undefined || !('found' in found)) return;
      const facts = await action.readBack(action.entry(field.ref));
      if (facts === undefined) return;
      field.value = heldBy(facts, field.value);
      const { value } = given[index] ?? {};
      if (facts.kind === 'text' && typeof value === 'string') field.mismatch = mismatch(facts, value);
    }),
  );
}

/** What a field holds, told in the way in which it was filled. */
function heldBy(facts: ElementFacts, value: Value): Value {
  if (facts.kind === 'text') return facts.value;
  if (facts.kind === 'toggle') return facts.checked;
  if (facts.kind !== 'select') return value;
  const labels = facts.options.filter(option => option.selected).map(option => option.label);
  return Array.isArray(value) ? labels : labels.join(', ');
}

type Held = Pick<Filled, 'value' | 'mismatch'>;

async function setValue(action: Action, ref: string, value: Value): Promise<Held> {
  const { entry, facts } = await action.factsOf(ref);
  const secrets = action.session.owner.secrets.asked([value].flat().join());
  if (secrets.length > 0 && facts.kind !== 'text')
    throw new ToolError('secret_not_allowed', `${ref} takes no text: a secret is for text fields alone.`);
  if (facts.kind === 'toggle') return { value: await setToggle(action, ref, { value, facts }) };
  if (facts.kind === 'select') return { value: await setSelect(action, ref, { value, facts }) };
  if (Array.isArray(value) || (facts.kind === 'other' && isList(entry.told.role))) {
    const { selected, mismatch: differs } = await chooseOption(action, ref, { labels: [value].flat().map(String) });
    return { value: Array.isArray(value) ? selected : selected.join(', '), ...(differs && { mismatch: differs }) };
  }
  if (typeof value !== 'string') throw new ToolError('invalid_input', `value: ${ref} takes text.`);
  await enterText(action, ref, { text: value });
  const now = await action.readBack();
  const differs = now && mismatch(now, value);
  return { value: now?.value ?? value, ...(differs && { mismatch: differs }) };
}

function isList(role: string): boolean {
  return role === 'combobox' || role === 'listbox';
}

interface Setting {
  value: Value;
  facts: ElementFacts;
}

async function setToggle(action: Action, ref: string, { value, facts }: Setting): Promise<boolean> {
  if (typeof value !== 'boolean') throw new ToolError('invalid_input', `value: ${ref} takes true or false.`);
  const isRadio = facts.inputType === 'radio' || facts.role === 'radio' || facts.role === 'menuitemradio';
  if (isRadio && !value && facts.checked)
    throw new ToolError('invalid_input', `value: ${ref} is a radio button: choose another one of its group instead.`);
  if (facts.checked === value) return value;
  await action.click(ref);
  let checked = (await action.readBack())?.checked ?? value;
  if (checked !== value) {
    // Components may draw their new state some frames later.
    await delay(REDRAW, undefined, { signal: action.signal });
    checked = (await action.readBack())?.checked ?? value;
  }
  if (checked !== value) throw new ToolError('browser_error', `${ref} is ${checked ? 'still' : 'not'} checked.`);
  return value;
}

/** A model may name an option by its value as well. */
async function setSelect(action: Action, ref: string, { value, facts }: Setting): Promise<Value> {
  if (typeof value === 'boolean')
    throw new ToolError('invalid_input', `value: ${ref} has these options: ${listOptions(facts.options)}`);
  const labels = [value].flat().map(text => {
    const byLabel = facts.options.find(option => option.label === text.trim());
    return (byLabel ?? facts.options.find(option => option.value === text))?.label ?? text;
  });
  await selectNative(action, ref, { labels });
  const now = await action.readBack();
  return now === undefined ? value : heldBy(now, value);
}
