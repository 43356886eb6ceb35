import { z } from 'zod/v4';
import { Flag } from '../page/protocol.js';
import { everyNode } from '../snapshot/tree.js';
import type { Action } from './action.js';
import { type Aftermath, defineTool, onDialogField, refField } from './define.js';
import { enterText } from './enter-text.js';

const TEXT_LIMIT = 1_000_000;
const SUGGESTIONS = 8;

export const type = defineTool({
  id: 'browser_type',
  description: 'Type text into a field; replaces what is there unless clear is false.',
  input: z.strictObject({
    ref: refField,
    text: z.string().max(TEXT_LIMIT),
    clear: z.boolean().optional(),
    submit: z.boolean().optional().describe('Presses Enter afterwards'),
    slowly: z.boolean().optional().describe('Key by key, for fields that react to keys'),
    onDialog: onDialogField,
  }),
  output: {
    value: z.string().optional(),
    x: z.number().optional(),
    y: z.number().optional(),
    mismatch: z.object({ expected: z.string(), actual: z.string() }).optional(),
    suggestions: z.array(z.object({ ref: z.string(), name: z.string() })).optional(),
  },
  policy: { changesPage: true },
  async run(action, input) {
    const { clear = true, slowly = false } = input;
    const { entry } = await enterText(action, input.ref, { text: input.text, clear, slowly });
    action.facts.before = clear ? '' : (entry.node.value ?? '');
    if (input.submit) await action.tab.page.keyboard.press('Enter');
    return {};
  },
  report(action, input, { acted, page }) {
    const before = takeBefore(action);
    if (acted === undefined) return {};
    const masked = acted.inputType === 'password';
    const expected = before + input.text;
    const differs = !masked && !input.submit && acted.value !== expected;
    const suggestions = page === undefined ? [] : openOptions(action, page);
    return {
      value: acted.value,
      x: acted.x,
      y: acted.y,
      ...(differs && { mismatch: { expected: expected.slice(0, 1000), actual: acted.value.slice(0, 1000) } }),
      ...(suggestions.length > 0 && { suggestions }),
    };
  },
  headline({ value, mismatch, suggestions }) {
    const lines = [value === undefined ? 'Typed.' : `The field holds ${JSON.stringify(value.slice(0, 200))}`];
    if (mismatch !== undefined)
      lines.push(`That is not what was typed: ${JSON.stringify(mismatch.expected.slice(0, 200))}`);
    for (const { ref, name } of suggestions ?? []) lines.push(`suggestion ${JSON.stringify(name)} ${ref}`);
    return lines.join('\n');
  },
});

/** What the field held before, noted by `run` for `report` alone. */
function takeBefore(action: Action): string {
  const { before } = action.facts;
  delete action.facts.before;
  delete action.facts.element;
  return typeof before === 'string' ? before : '';
}

/** Options that show after typing and did not before: what an autocomplete offers. */
function openOptions(action: Action, page: NonNullable<Aftermath['page']>): { ref: string; name: string }[] {
  const options = [...everyNode(page.roots)].filter(
    node => node.role === 'option' && (node.flags & Flag.Interactive) !== 0 && node.id > action.newestBefore,
  );
  return options.slice(0, SUGGESTIONS).map(node => ({ ref: action.session.refs.refOf(node), name: node.name }));
}
