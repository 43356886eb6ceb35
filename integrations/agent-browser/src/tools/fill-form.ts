import { z } from 'zod/v4';
import { shortText } from '#page-engine/text/cut-text.js';
import { newOptions, suggestionLines, suggestionsField } from '../actions/choose-option.js';
import { FORMATTED, HANDED_ON, isFormatted, isHandedOn, mismatch } from '../actions/enter-text.js';
import { type FieldContent, type FieldValue, fillField, heldBy } from '../actions/fill-field.js';
import { clickElement } from '../actions/press.js';
import type { Session } from '../browser/session.js';
import type { Action } from '../call/action.js';
import { defineTool, headlineOf, onDialogField, refField, type ToolInput } from '../call/define.js';
import {
  type EnteredValue,
  NO_RISK,
  type Risk,
  refEntryOf,
  riskOfChoice,
  riskOfPress,
  withClass,
} from '../call/risk.js';
import { plainMessage, ToolError } from '../results/errors.js';
import { type CommonResult, errorCode, OWN_MESSAGE_CODES } from '../results/result.js';

/** In characters: the model wrote the values itself, so their beginning is enough. */
const FILLED_VALUE_LIMIT = 60;

const valueField = z.union([z.string().max(1_000_000), z.boolean(), z.array(z.string().max(5000)).max(1000)], {
  error: 'expected a string, true or false, or a list of strings',
});

const filledField = z.object({
  ref: z.string(),
  value: valueField.optional(),
  valueUnknown: z.string().optional().describe('Why the value is unknown'),
  code: errorCode.optional(),
  error: z.string().optional(),
  mismatch: z.object({ expected: z.string(), actual: z.string() }).optional(),
});
type FilledField = z.output<typeof filledField>;

export const fillForm = defineTool({
  id: 'browser_fill_form',
  description:
    'Fill several fields at once: text, dates, numbers, sliders; checkboxes, switches and radio buttons (true or false); drop-downs (labels).',
  input: z.strictObject({
    fields: z
      .array(z.strictObject({ ref: refField, value: valueField }))
      .min(1)
      .max(200),
    submit: refField.optional().describe('Ref of the button to click once all fields are filled'),
    onDialog: onDialogField,
  }),
  output: {
    fields: z.array(filledField).optional(),
    suggestions: suggestionsField.optional(),
    submitted: z.boolean().optional(),
    /** The button was pressed and opened a dialog, which the outcome depends on. */
    pressed: z.boolean().optional(),
  },
  policy: { changesPage: true, sendsInput: true, fills: true, asksFirst: true, takesSecrets: true },
  risk: riskOfForm,
  enters: ({ fields }) => (Array.isArray(fields) ? fields.map(valueEntered) : []),
  async run(action, { fields, submit }) {
    const filled: FilledField[] = [];
    action.facts.fields = filled;
    const all = [];
    await action.confirm([...fields.map(({ ref }) => ref), ...(submit === undefined ? [] : [submit])]);
    for (const field of fields) {
      const one = await fillOne(action, field.ref, field.value);
      all.push(one);
      filled.push(one.field);
    }
    if (filled.every(field => field.error !== undefined)) throw noneFilled(filled);
    if (filled.length > 1) await readAgain(action, all);
    if (submit === undefined) return {};
    action.facts.submitted = false;
    if (filled.some(field => field.error !== undefined)) return {};
    await clickElement(action, submit);
    action.facts.submitted = true;
    return {};
  },
  report(action, { submit, fields }, aftermath) {
    const { facts, acted, session } = action;
    const isAsked = facts.submitted === false && session.activeTab?.dialog !== undefined;
    const isHeld = isAsked && submit !== undefined && acted?.entry === action.entry(submit);
    if (isHeld) return { submitted: undefined, pressed: true };
    const isTyped = fields.some(({ value }) => typeof value === 'string');
    if (submit === undefined) return isTyped ? newOptions(action, aftermath) : {};
    // The button was clicked, but the form was not submitted.
    return aftermath.validation && facts.submitted ? { submitted: false } : {};
  },
  headline(result) {
    const { fields = [] } = result;
    const isPlain = ({ error, valueUnknown, mismatch: differs }: FilledField): boolean =>
      error === undefined && valueUnknown === undefined && (differs === undefined || isFormatted(differs));
    const held = fields.filter(isPlain).map(filledWords);
    return headlineOf(
      held.length === 0 ? '' : `Filled: ${held.join(', ')}`,
      ...fields.filter(field => !isPlain(field)).map(fieldLine),
      ...suggestionLines(result.suggestions),
      submitLine(result),
    );
  },
});

function filledWords({ ref, value, mismatch: differs }: FilledField): string {
  if (value === undefined) return ref;
  return `${ref} ${shown(value)}${differs === undefined ? '' : ` (${FORMATTED})`}`;
}

function fieldLine({ ref, value, valueUnknown, code, error }: FilledField): string {
  if (valueUnknown !== undefined) return `${ref} was filled, but its value is unknown: ${valueUnknown}`;
  return error === undefined
    ? `${ref} holds ${shown(value)}, which differs from what was entered`
    : `${ref} ${code}: ${error}`;
}

function shown(value: FilledField['value']): string {
  return shortText(JSON.stringify(value) ?? '', FILLED_VALUE_LIMIT);
}

function submitLine({ submitted, pressed, dialog }: CommonResult & { submitted?: boolean; pressed?: boolean }): string {
  if (pressed) return 'The button was clicked: whether the form is submitted depends on the dialog that it opened.';
  if (submitted && dialog?.answered === 'dismissed')
    return 'The button was clicked, and the dialog that it opened was dismissed.';
  if (submitted === undefined) return '';
  return submitted ? 'Submitted.' : 'Not submitted.';
}

function noneFilled(filled: readonly FilledField[]): ToolError {
  // The message contains page text, so it must not get a code whose messages count as the toolset's own words.
  const { code = 'browser_error' } = filled.find(field => !OWN_MESSAGE_CODES.has(field.code)) ?? filled[0] ?? {};
  const what = filled.length === 1 ? 'The field was not filled' : `None of the ${filled.length} fields was filled`;
  const message = `${what}: ${filled.map(({ ref, error }) => `${ref}: ${error}`).join(' ')}`;
  return new ToolError(code, message, { hint: 'Correct what each field says, then fill them again.' });
}

interface FilledOne extends Pick<FieldContent, 'expected' | 'isChosen'> {
  field: FilledField;
}

/** Fills one field. An error is reported with the field, and the others are still filled. */
async function fillOne(action: Action, ref: string, value: FieldValue): Promise<FilledOne> {
  try {
    const { expected, isChosen, ...held } = await fillField(action, ref, value);
    return { field: { ref, ...held }, ...(expected !== undefined && { expected }), ...(isChosen && { isChosen }) };
  } catch (error) {
    if (action.signal.aborted || action.tab.page.isClosed()) throw error;
    await action.releaseInput();
    if (error instanceof ToolError) {
      const { code, message, options } = error;
      return { field: { ref, code, error: [message, options.hint].filter(Boolean).join(' ') } };
    }
    return { field: { ref, code: 'browser_error', error: plainMessage(error) } };
  }
}

/** Reads the values again, because leaving a field or filling another one can change them. */
async function readAgain(action: Action, filled: readonly FilledOne[]): Promise<void> {
  await Promise.all(
    filled.map(async ({ field, expected, isChosen }) => {
      const found = action.session.refs.find(field.ref);
      if (field.error !== undefined || field.value === undefined || !('found' in found)) return;
      const facts = await action.readBack(action.entry(field.ref));
      if (facts === undefined) return;
      if (isHandedOn(facts, expected)) {
        field.value = undefined;
        field.mismatch = undefined;
        field.valueUnknown = HANDED_ON;
        return;
      }
      const value = heldBy(facts, field.value);
      // A choice that the page shows next to the field cannot be read again.
      if (isChosen && facts.kind === 'text' && value === '') delete field.value;
      else if (!isChosen || typeof field.value === 'string') field.value = value;
      if (expected === undefined) return;
      const differs = mismatch(facts, expected);
      if (differs === undefined) delete field.mismatch;
      else field.mismatch = differs;
    }),
  );
}

function riskOfForm(session: Session, { fields, submit }: ToolInput): Risk {
  const all = Array.isArray(fields) ? (fields as { ref?: unknown; value?: unknown }[]) : [];
  const inFields = all.map(({ ref, value }) =>
    isTyped(session, ref) ? riskOfPress(session, ref) : riskOfChoice(session, { ref, labels: [value].flat() }),
  );
  const sent = submit === undefined ? NO_RISK : withClass('submit', riskOfPress(session, submit));
  const classes = [...new Set([...sent.classes, ...inFields.flatMap(risk => risk.classes)])];
  return { ...sent, classes, isUncertain: [sent, ...inFields].some(risk => risk.isUncertain) };
}

/** Whether a field takes its value by keys. Other fields are pressed, or their options are. */
function isTyped(session: Session, ref: unknown): boolean {
  const node = refEntryOf(session, ref)?.node;
  return (
    node !== undefined && (node.editable === true || TYPED_TAGS.has(node.tag ?? '')) && !SET_BY_PRESS.has(node.role)
  );
}

const TYPED_TAGS = new Set(['input', 'textarea']);
const SET_BY_PRESS = new Set(['checkbox', 'radio', 'switch']);

function valueEntered({ ref, value }: { ref?: unknown; value?: unknown }): EnteredValue {
  if (typeof value === 'boolean')
    return { kind: 'checked', texts: [], into: { ref, value: value ? 'checked' : 'not checked' } };
  const texts = [value].flat().map(String);
  return { kind: Array.isArray(value) ? 'options' : 'text', texts, into: { ref, value: texts.join(', ') } };
}
