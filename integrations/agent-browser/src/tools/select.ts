import { z } from 'zod/v4';
import { ToolError } from '../outcome/errors.js';
import type { ElementFacts } from '../page/protocol.js';
import { describeTold, type RefEntry } from '../refs/registry.js';
import { capture } from '../snapshot/reading.js';
import { everyNode, type SnapshotNode } from '../snapshot/tree.js';
import type { Action } from './action.js';
import { defineTool, onDialogField, refField } from './define.js';
import { listOptions } from './unfit.js';

const choice = z.string().max(5000);

const optionField = z.object({ value: z.string(), label: z.string(), selected: z.boolean(), disabled: z.boolean() });
type Option = z.output<typeof optionField>;

export const select = defineTool({
  id: 'browser_select',
  description: 'Choose options of a drop-down or list box; without a choice, list them.',
  input: z
    .strictObject({
      ref: refField,
      values: z.array(choice).max(1000).optional(),
      labels: z.array(choice).max(1000).optional(),
      indexes: z.array(z.number().int().min(0).max(100_000)).max(1000).optional(),
      onDialog: onDialogField,
    })
    .refine(({ values, labels, indexes }) => [values, labels, indexes].filter(Boolean).length <= 1, {
      message: 'only one of values, labels and indexes can be given',
    }),
  output: { selected: z.array(z.string()).optional(), options: z.array(optionField).optional() },
  policy: { changesPage: true },
  async run(action, { ref, values, labels, indexes }) {
    const entry = action.entry(ref);
    const wanted = { values, labels, indexes };
    if (entry.node.kind !== 'select') return chooseInListbox(action, entry, wanted);
    if (values === undefined && labels === undefined && indexes === undefined) {
      const { facts } = await action.factsOf(ref);
      return optionsOf(facts);
    }
    const options =
      values?.map(value => ({ value })) ??
      labels?.map(label => ({ label })) ??
      indexes?.map(index => ({ index })) ??
      [];
    await action.act(ref, (locator, limits) => locator.selectOption(options, limits), {
      purpose: { to: 'select', ...wanted },
    });
    return {};
  },
  report(action, _input, { acted }) {
    delete action.facts.element;
    return acted === undefined || acted.kind !== 'select' ? {} : optionsOf(acted);
  },
  headline: ({ selected, options }) =>
    selected === undefined || selected.length === 0
      ? `Options: ${(options ?? []).map(option => JSON.stringify(option.label)).join(', ')}`
      : `Selected: ${selected.map(label => JSON.stringify(label)).join(', ')}`,
});

function optionsOf(facts: ElementFacts): { selected: string[]; options: Option[] } {
  return {
    selected: facts.options.filter(option => option.selected).map(option => option.label),
    options: facts.options,
  };
}

interface Wanted {
  values?: string[];
  labels?: string[];
  indexes?: number[];
}

/** A list box made of other elements: it is opened if need be, and its options are clicked. */
async function chooseInListbox(
  action: Action,
  entry: RefEntry,
  wanted: Wanted,
): Promise<{ selected: string[]; options: Option[] }> {
  let options = await optionNodes(action, entry);
  if (options.length === 0) {
    await action.act(entry.ref, (locator, limits) => locator.click(limits), { guard: true, purpose: { to: 'click' } });
    options = await optionNodes(action, entry);
  }
  if (options.length === 0)
    throw new ToolError('invalid_input', `ref: ${entry.ref} (${describeTold(entry.told)}) has no options to select.`);
  const chosen: string[] = [];
  for (const node of pick(entry, options, wanted)) {
    const ref = action.session.refs.refOf(node);
    await action.act(ref, (locator, limits) => locator.click(limits), { guard: true, purpose: { to: 'click' } });
    chosen.push(node.name);
  }
  return {
    selected: chosen,
    options: options.map(node => ({
      value: node.name,
      label: node.name,
      selected: chosen.includes(node.name),
      disabled: false,
    })),
  };
}

async function optionNodes(action: Action, entry: RefEntry): Promise<SnapshotNode[]> {
  const page = await capture(action.tab, action.limits);
  action.session.refs.replace(page, true);
  const all = [...everyNode(page.roots)];
  const own = all.find(node => node.key === entry.node.key);
  const inside = [...everyNode(own?.children ?? [])].filter(node => node.role === 'option');
  return inside.length > 0 || entry.told.role === 'listbox' ? inside : all.filter(node => node.role === 'option');
}

function pick(entry: RefEntry, options: readonly SnapshotNode[], { values, labels, indexes }: Wanted): SnapshotNode[] {
  const names = values ?? labels;
  const found =
    names?.map(name => options.find(node => node.name === name.trim())) ?? indexes?.map(index => options[index]) ?? [];
  const missing = found.indexOf(undefined);
  if (missing < 0) return found.filter(node => node !== undefined);
  const shown = listOptions({
    options: options.map(node => ({ value: node.name, label: node.name, selected: false, disabled: false })),
  });
  throw new ToolError(
    'invalid_input',
    `${entry.ref} has no option ${JSON.stringify((names ?? indexes)?.[missing])}; it has ${shown}`,
  );
}
