import { ToolError } from '../../outcome/errors.js';
import { Flag, type WantedOptions } from '../../page/protocol.js';
import type { RefEntry } from '../../refs/ref-entry.js';
import { describeTold } from '../../refs/told.js';
import { capture } from '../../snapshot/reading.js';
import { everyNode, type PageSnapshot, type SnapshotNode } from '../../snapshot/tree.js';
import type { Action } from '../call/action.js';
import { clickElement } from '../call/attempt.js';
import { drawn } from '../call/page-waits.js';
import { isOption, optionsShow, optionsShown } from './suggestions.js';
import { listOptions } from './unfit.js';

interface Option {
  value: string;
  label: string;
  selected: boolean;
  disabled: boolean;
}

export interface Chosen {
  selected: string[];
  options: Option[];
  /** The wanted choice, and the one that the page shows instead. */
  mismatch?: { expected: string; actual: string };
}

/** Roles of what has options, or opens them (WAI-ARIA 1.2). */
const LIST_ROLES = new Set(['combobox', 'listbox']);
/** Milliseconds in which a component shows its new state. */
const REDRAW = 400;

/** Chooses in a list made of other elements (ARIA listbox, combobox, menu): opens it if need be and clicks its options. */
export async function chooseOption(action: Action, ref: string, wanted: WantedOptions): Promise<Chosen> {
  const list = await openList(action, ref);
  const isListing = wanted.values === undefined && wanted.labels === undefined && wanted.indexes === undefined;
  if (isListing) {
    if (list.opened) await action.tab.page.keyboard.press('Escape');
    return toldAs(list.options);
  }
  const chosen = pick(list.entry, list.options, wanted);
  if (chosen.length > 1 && !list.multiple)
    throw new ToolError('invalid_input', `${list.entry.ref} takes one option, not ${chosen.length}.`);
  action.reached.add(list.entry.node.key);
  for (const node of toClick(list, chosen)) {
    const option = action.session.refs.refOf(node);
    action.session.refs.tell([node]);
    await clickElement(action, option);
  }
  return chosenNow(action, list, chosen);
}

interface List {
  entry: RefEntry;
  options: SnapshotNode[];
  /** Several options can be selected at once. */
  multiple: boolean;
  /** It was closed before. */
  opened: boolean;
  /** The page before anything was pressed. */
  before: PageSnapshot;
}

async function openList(action: Action, ref: string): Promise<List> {
  const { facts } = await action.factsOf(ref);
  const before = await readPage(action);
  const entry = action.entry(ref);
  const { multiple } = facts;
  const there = optionsOf(before, entry, facts.offers);
  if (there.length > 0) return { entry, options: there, multiple, opened: false, before };
  const what = `${ref} (${describeTold(entry.told)})`;
  if (!LIST_ROLES.has(entry.told.role) && !facts.hasPopup)
    throw new ToolError('invalid_input', `ref: ${what} is no list: it has no options to select.`);
  const shown = new Set([...everyNode(before.roots)].map(node => node.key));
  const count = await optionsShown(entry);
  await clickElement(action, ref);
  await optionsShow(action, entry, count);
  // Only an open combobox may tell the list that it controls.
  const { offers } = (await action.readBack()) ?? {};
  const page = await readPage(action);
  const own = optionsOf(page, entry, offers);
  const options =
    own.length > 0 ? own : [...everyNode(page.roots)].filter(node => isOption(node) && !shown.has(node.key));
  if (options.length > 0) return { entry, options, multiple, opened: true, before };
  throw new ToolError('invalid_input', `ref: ${what} has no options to select. It was pressed to see them.`);
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

function pick(
  entry: RefEntry,
  options: readonly SnapshotNode[],
  { values, labels, indexes }: WantedOptions,
): SnapshotNode[] {
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

/** The selected options once the page has drawn the effect of the clicks, as far as it shows them. */
async function chosenNow(action: Action, list: List, chosen: readonly SnapshotNode[]): Promise<Chosen> {
  const choice = { holder: list.entry.node.key, options: list.options, chosen, before: list.before };
  const patience = performance.now() + REDRAW;
  for (;;) {
    const page = await readPage(action);
    const now = chosenIn(page, list, choice);
    if (now.mismatch === undefined || performance.now() > patience) return now;
    await drawn(action);
  }
}

function chosenIn(page: PageSnapshot, { options, multiple }: List, choice: Choice): Chosen {
  const keys = new Set(options.map(node => node.key));
  const shown = [...everyNode(page.roots)].filter(node => keys.has(node.key));
  const expected = choice.chosen.map(node => node.name);
  if (shown.some(isSelected) || (multiple && shown.length > 0)) {
    const told = toldAs(shown);
    return { ...told, ...differing(expected, told.selected) };
  }
  const selected = choiceNow(page, choice);
  return {
    selected,
    options: options.map(node => ({ ...asOption(node), selected: selected.includes(node.name) })),
    ...differing(expected, selected),
  };
}

function differing(expected: readonly string[], actual: readonly string[]): Pick<Chosen, 'mismatch'> {
  const isSame = expected.length === actual.length && expected.every(label => actual.includes(label));
  return isSame ? {} : { mismatch: { expected: expected.join(', '), actual: actual.join(', ') } };
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

/** Options that were clicked in a list made of other elements. */
interface Choice {
  /** Key of the element that the list belongs to. */
  holder: string;
  options: readonly SnapshotNode[];
  chosen: readonly SnapshotNode[];
  /** The page before anything was pressed. */
  before: PageSnapshot;
}

/**
 * What a list that does not mark its options says is selected. One that has closed says it in the text or value it
 * shows, or in what it has put beside it; a menu holds nothing.
 */
function choiceNow(page: PageSnapshot, { holder, options, chosen, before }: Choice): string[] {
  const labels = chosen.map(node => node.name);
  const own = nodeOf(page, holder);
  const isOpen = nodeOf(page, chosen[0]?.key) !== undefined;
  if (isOpen || own === undefined || options.some(node => node.role !== 'option')) return labels;
  const apart = new Set(options.map(node => node.key));
  const shows = textOf([own]);
  const isShown = (label: string): boolean =>
    shows.includes(label) || timesShown(page, label, apart) > timesShown(before, label, apart);
  if (labels.every(isShown)) return labels;
  return shows === '' ? [] : [shows];
}

function nodeOf(page: PageSnapshot, key: string | undefined): SnapshotNode | undefined {
  return [...everyNode(page.roots)].find(node => node.key === key);
}

/** All that a person reads inside some elements. */
function textOf(nodes: readonly SnapshotNode[]): string {
  return nodes
    .map(({ value, children, name }) => value || textOf(children) || name)
    .filter(text => text !== '')
    .join(' ');
}

function timesShown(page: PageSnapshot, label: string, apart: ReadonlySet<string>): number {
  const nodes = [...everyNode(page.roots)];
  return nodes.filter(node => !apart.has(node.key) && (node.value ?? node.name).includes(label)).length;
}
