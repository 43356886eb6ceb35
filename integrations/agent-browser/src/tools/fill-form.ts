import { z } from 'zod/v4';
import { ToolError } from '../outcome/errors.js';
import type { ElementFacts } from '../page/protocol.js';
import type { Action } from './action.js';
import { defineTool, onDialogField, refField } from './define.js';
import { enterText } from './enter-text.js';
import { listOptions } from './unfit.js';

const valueField = z.union([z.string().max(1_000_000), z.boolean(), z.array(z.string().max(5000)).max(1000)]);

const filledField = z.object({
  ref: z.string(),
  value: z.union([z.string(), z.boolean(), z.array(z.string())]).optional(),
  code: z.string().optional(),
  error: z.string().optional(),
});
type Filled = z.output<typeof filledField>;

export const fillForm = defineTool({
  id: 'browser_fill_form',
  description: 'Fill several fields at once: text, check boxes (true or false), drop-downs (labels).',
  input: z.strictObject({
    fields: z
      .array(z.strictObject({ ref: refField, value: valueField }))
      .min(1)
      .max(200),
    submit: refField.optional().describe('Button to click afterwards'),
    onDialog: onDialogField,
  }),
  output: { fields: z.array(filledField).optional() },
  policy: { changesPage: true },
  async run(action, { fields, submit }) {
    const filled: Filled[] = [];
    for (const field of fields) filled.push(await fillOne(action, field.ref, field.value));
    action.facts.fields = filled;
    const failed = filled.filter(field => field.error !== undefined);
    if (submit !== undefined && failed.length === 0) {
      await action.act(submit, (locator, limits) => locator.click(limits), { guard: true, purpose: { to: 'click' } });
    }
    return { fields: filled };
  },
  report(action) {
    delete action.facts.element;
    return {};
  },
  headline: ({ fields }) =>
    (fields ?? [])
      .map(({ ref, value, code, error }) =>
        error === undefined ? `${ref} holds ${JSON.stringify(value)}` : `${ref} ${code}: ${error}`,
      )
      .join('\n'),
});

/** Fills one field; what goes wrong is told with it, and the others are still filled. */
async function fillOne(action: Action, ref: string, value: z.output<typeof valueField>): Promise<Filled> {
  try {
    return { ref, value: await setValue(action, ref, value) };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { ref, code: error.code, error: error.message };
  }
}

async function setValue(
  action: Action,
  ref: string,
  value: z.output<typeof valueField>,
): Promise<string | boolean | string[]> {
  const { facts } = await action.factsOf(ref);
  if (facts.kind === 'toggle') return setToggle(action, ref, value, facts);
  if (facts.kind === 'select') return setSelect(action, ref, value, facts);
  if (typeof value !== 'string') throw new ToolError('invalid_input', `value: ${ref} takes text.`);
  await enterText(action, ref, { text: value, clear: true, slowly: false });
  return (await readBack(action, ref)).value;
}

/** A field's name can be its text, so that it says something else once it is filled. */
async function readBack(action: Action, ref: string): Promise<ElementFacts> {
  const entry = action.entry(ref);
  const target = { ...action.session.refs.target(entry), fingerprint: 0 };
  return action.ask<ElementFacts>(entry.node.document.frame, { do: 'facts', target });
}

async function setToggle(
  action: Action,
  ref: string,
  value: z.output<typeof valueField>,
  facts: ElementFacts,
): Promise<boolean> {
  if (typeof value !== 'boolean') throw new ToolError('invalid_input', `value: ${ref} takes true or false.`);
  if (facts.checked !== value) {
    await action.act(ref, (locator, limits) => locator.click(limits), { guard: true, purpose: { to: 'click' } });
  }
  const { checked } = await readBack(action, ref);
  if (checked !== value)
    throw new ToolError('browser_error', `${ref} is ${checked ? 'checked' : 'not checked'} still.`);
  return value;
}

async function setSelect(
  action: Action,
  ref: string,
  value: z.output<typeof valueField>,
  facts: ElementFacts,
): Promise<string[]> {
  const wanted = typeof value === 'boolean' ? undefined : [value].flat();
  const labels = wanted?.map(
    text =>
      facts.options.find(option => option.label === text.trim())?.label ??
      facts.options.find(option => option.value === text)?.label,
  );
  if (labels === undefined || labels.includes(undefined)) {
    throw new ToolError('invalid_input', `value: ${ref} has these options: ${listOptions(facts)}`);
  }
  const known = labels.filter(label => label !== undefined);
  await action.act(
    ref,
    (locator, limits) =>
      locator.selectOption(
        known.map(label => ({ label })),
        limits,
      ),
    { purpose: { to: 'select', labels: known } },
  );
  return (await readBack(action, ref)).options.filter(option => option.selected).map(option => option.label);
}
