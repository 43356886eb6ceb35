import { z } from 'zod/v4';
import { shortText } from '#page-engine/text/cut-text.js';
import { chooseOption, chosenOf } from '../actions/choose-option.js';
import { defineTool, headlineOf, onDialogField, refField } from '../call/define.js';
import { listOptions } from '../call/refusals.js';
import { riskOfChoice, valuesEntered } from '../call/risk.js';

const choice = z.string().max(5000);

const listedOption = z.object({ value: z.string(), label: z.string(), selected: z.boolean(), disabled: z.boolean() });

export const select = defineTool({
  id: 'browser_select',
  description: 'Select options in a drop-down or list box by label, value or index. With only ref, lists the options.',
  input: z
    .strictObject({
      ref: refField,
      values: z.array(choice).max(1000).optional(),
      labels: z.array(choice).max(1000).optional(),
      indexes: z.array(z.number().int().min(0).max(100_000)).max(1000).optional(),
      onDialog: onDialogField,
    })
    .refine(({ values, labels, indexes }) => [values, labels, indexes].filter(Boolean).length <= 1, {
      message: 'give only one of values, labels or indexes',
    }),
  output: {
    selected: z.array(z.string()).optional(),
    options: z.array(listedOption).optional(),
    listed: z.literal(true).optional().describe('Nothing was chosen: the options were asked for'),
    mismatch: z.object({ expected: z.string(), actual: z.string() }).optional(),
  },
  policy: { changesPage: true, sendsInput: true, fills: true, asksFirst: true },
  risk: riskOfChoice,
  enters: ({ ref, values, labels, indexes }) => {
    const places = Array.isArray(indexes) ? indexes.map(index => `option ${Number(index) + 1}`) : [];
    return valuesEntered('options', [values, labels, ...places], ref);
  },
  async run(action, { ref, values, labels, indexes }) {
    const wanted = { values, labels, indexes };
    if ([values, labels, indexes].every(choices => choices === undefined)) action.facts.listed = true;
    if (action.entry(ref).node.kind !== 'select') return chooseOption(action, ref, wanted);
    if (action.facts.listed) return chosenOf((await action.factsOf(ref)).facts.options);
    return { selected: await action.choose(ref, wanted) };
  },
  report: (_action, _input, { acted }) => (acted?.tag === 'select' ? chosenOf(acted.options) : {}),
  headline: ({ selected = [], options = [], mismatch: differs, listed }) =>
    headlineOf(
      `Selected: ${selected.map(label => JSON.stringify(label)).join(', ') || 'nothing'}`,
      differs === undefined
        ? ''
        : `This differs from what was chosen: ${JSON.stringify(shortText(differs.expected, 200))}`,
      // After a choice that worked the others are of no use.
      listed || differs !== undefined || selected.length === 0 ? `Options: ${listOptions(options)}` : '',
    ),
});
