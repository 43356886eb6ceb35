import { ToolError } from '../outcome/errors.js';
import { Flag } from '../page/protocol.js';
import { describeTold, type RefEntry } from '../refs/registry.js';
import { capture } from '../snapshot/reading.js';
import { everyNode, type PageSnapshot, type SnapshotNode } from '../snapshot/tree.js';
import type { Action } from './action.js';
import { optionsShow, optionsShown } from './suggestions.js';
import { listOptions } from './unfit.js';

/** Which options: by value, by label, or by index; none of the three to list them. */
export interface Wanted {
  values?: string[];
  labels?: string[];
  indexes?: number[];
}

export interface Option {
  value: string;
  label: string;
  selected: boolean;
  disabled: boolean;
}

export interface Chosen {
  selected: string[];
  options: Option[];
}

const OPTION_ROLES = new Set(['option', 'menuitem', 'menuitemradio', 'menuitemcheckbox', 'treeitem']);

/** Chooses in a list made of other elements (ARIA listbox, combobox, menu): opens it if need be and clicks its options. */
export async function chooseOption(action: Action, ref: string, wanted: Wanted): Promise<Chosen> {
  const list = await openList(action, ref);
  const isListing = wanted.values === undefined && wanted.labels === undefined && wanted.indexes === undefined;
  if (isListing) {
    if (list.opened) await action.tab.page.keyboard.press('Escape');
    return toldAs(list.options);
  }
  const chosen = pick(list.entry, list.options, wanted);
  if (chosen.length > 1 && !list.multiple)
    throw new ToolError('invalid_input', `${list.entry.ref} takes one option, not ${chosen.length}.`);
  for (const node of toClick(list, chosen)) {
    const option = action.session.refs.refOf(node);
    action.session.refs.tell([node]);
    await action.click(option);
  }
  return readBack(action, list, chosen);
}

interface List {
  entry: RefEntry;
  options: SnapshotNode[];
  /** Several options can be selected at once. */
  multiple: boolean;
  /** It was closed before. */
  opened: boolean;
}

async function openList(action: Action, ref: string): Promise<List> {
  const { facts } = await action.factsOf(ref);
  const before = await readPage(action);
  const entry = action.entry(ref);
  const { multiple } = facts;
  const there = optionsOf(before, entry, facts.offers);
  if (there.length > 0) return { entry, options: there, multiple, opened: false };
  const shown = new Set([...everyNode(before.roots)].map(node => node.key));
  const count = await optionsShown(entry);
  await action.click(ref);
  await optionsShow(action, entry, count);
  // What it controls may be known only now that it is open.
  const { offers } = (await action.readBack()) ?? {};
  const page = await readPage(action);
  const own = optionsOf(page, entry, offers);
  const options =
    own.length > 0 ? own : [...everyNode(page.roots)].filter(node => isOption(node) && !shown.has(node.key));
  if (options.length > 0) return { entry, options, multiple, opened: true };
  throw new ToolError('invalid_input', `ref: ${ref} (${describeTold(entry.told)}) has no options to select.`);
}

async function readPage(action: Action): Promise<PageSnapshot> {
  const page = await capture(action.tab, action.limits);
  action.session.refs.replace(page, false);
  return page;
}

/** The options inside an element, or in the lists that it controls. */
function optionsOf(page: PageSnapshot, entry: RefEntry, offers: readonly number[] = []): SnapshotNode[] {
  const { doc } = entry.node.document;
  const ids = new Set(offers);
  const nodes = [...everyNode(page.roots)];
  const own = nodes.find(node => node.key === entry.node.key);
  const inside = [...everyNode(own?.children ?? [])].filter(isOption);
  return inside.length > 0
    ? inside
    : nodes.filter(node => node.document.doc === doc && ids.has(node.id) && isOption(node));
}

function isOption(node: SnapshotNode): boolean {
  return OPTION_ROLES.has(node.role);
}

function pick(entry: RefEntry, options: readonly SnapshotNode[], { values, labels, indexes }: Wanted): SnapshotNode[] {
  const field = values ? 'values' : labels ? 'labels' : 'indexes';
  const wanted = values ?? labels ?? indexes ?? [];
  return wanted.map(choice => {
    const node = typeof choice === 'number' ? options[choice] : options.find(option => isCalled(option, choice));
    const asked = JSON.stringify(choice);
    const shown = listOptions(options.map(asOption));
    if (node === undefined)
      throw new ToolError('invalid_input', `${field}: ${entry.ref} has no option ${asked}; it has ${shown}`);
    if (isDisabled(node))
      throw new ToolError(
        'invalid_input',
        `${field}: the option ${asked} of ${entry.ref} is disabled; it has ${shown}`,
      );
    return node;
  });
}

/** An option of such a list has no value of its own: it is called what it says. */
function isCalled(node: SnapshotNode, text: string): boolean {
  return node.name === text.replace(/\s+/g, ' ').trim();
}

/** Where several can be selected, a click turns an option on or off: what is as wanted is left alone. */
function toClick({ options, multiple }: List, chosen: readonly SnapshotNode[]): SnapshotNode[] {
  if (!multiple) return [...chosen];
  return options.filter(node => isSelected(node) !== chosen.includes(node));
}

/** What is selected now, as far as the page says so; a list that has closed says it in the name or value it shows. */
async function readBack(action: Action, list: List, chosen: readonly SnapshotNode[]): Promise<Chosen> {
  const page = await readPage(action);
  const keys = new Set(list.options.map(node => node.key));
  const now = [...everyNode(page.roots)].filter(node => keys.has(node.key));
  if (now.some(isSelected) || (list.multiple && now.length > 0)) return toldAs(now);
  const selected = chosen.map(node => node.name);
  return { selected, options: list.options.map(node => ({ ...asOption(node), selected: chosen.includes(node) })) };
}

function toldAs(nodes: readonly SnapshotNode[]): Chosen {
  const options = nodes.map(asOption);
  return { selected: options.filter(option => option.selected).map(option => option.label), options };
}

function asOption(node: SnapshotNode): Option {
  return { value: node.name, label: node.name, selected: isSelected(node), disabled: isDisabled(node) };
}

function isSelected({ flags }: SnapshotNode): boolean {
  return (flags & (Flag.Selected | Flag.Checked)) !== 0;
}

function isDisabled({ flags }: SnapshotNode): boolean {
  return (flags & Flag.Disabled) !== 0;
}
