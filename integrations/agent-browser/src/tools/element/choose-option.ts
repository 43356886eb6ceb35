import { ToolError } from '../../outcome/errors.js';
import { Flag, type WantedOptions } from '../../page/protocol.js';
import { everyNode, type PageSnapshot, type SnapshotNode } from '../../snapshot/tree.js';
import type { Action } from '../call/action.js';
import { clickElement } from '../call/attempt.js';
import { drawn } from '../call/page-waits.js';
import { closeList, isOpen, labelOf, nodeOf, type OptionList, openList, readPage, textOf } from './option-list.js';
import { isOption } from './suggestions.js';
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

/** Chooses in a list made of other elements (ARIA listbox, combobox, menu): opens it if need be and clicks its options. */
export async function chooseOption(action: Action, ref: string, wanted: WantedOptions): Promise<Chosen> {
  const list = await openList(action, ref);
  const isListing = wanted.values === undefined && wanted.labels === undefined && wanted.indexes === undefined;
  if (isListing) {
    if (list.opened) await closeList(action, list);
    return toldAs(list.options);
  }
  const chosen = await picked(action, list, wanted);
  action.reached.add(list.entry.node.key);
  const last = await clickAll(action, list, toClick(list, chosen));
  const now = await chosenNow(action, last, chosen.map(labelOf));
  // One that takes a single option closes by itself, maybe late: only its field knows whether it will.
  if (last.opened && (last.multiple || last.tellsOpen)) await closeList(action, last);
  return now;
}

/** The wanted options. A list that was opened for a choice that is refused hides the page for nothing. */
async function picked(action: Action, list: OptionList, wanted: WantedOptions): Promise<SnapshotNode[]> {
  try {
    const chosen = pick(list, wanted);
    if (chosen.length > 1 && !list.multiple && !list.plain) throw takesOne(list, chosen.length);
    return chosen;
  } catch (error) {
    if (list.opened) await closeList(action, list);
    throw error;
  }
}

function takesOne({ entry }: OptionList, count: number): ToolError {
  return new ToolError('invalid_input', `${entry.ref} takes one option, not ${count}.`);
}

/** Clicks one option after another, and answers with the list as it was for the last one. */
async function clickAll(action: Action, list: OptionList, nodes: readonly SnapshotNode[]): Promise<OptionList> {
  let now = list;
  for (const [done, node] of nodes.entries()) {
    if (done > 0) now = await shownAgain(action, now);
    const option = nodeNow(now, node);
    if (option === undefined)
      throw new ToolError(
        'invalid_input',
        `${list.entry.ref} has no option ${JSON.stringify(labelOf(node))} any more.`,
      );
    action.session.refs.tell([option]);
    await clickElement(action, action.session.refs.refOf(option));
  }
  return now;
}

/** The list after a choice in it: it may have closed, or be made anew. */
async function shownAgain(action: Action, list: OptionList): Promise<OptionList> {
  await drawn(action);
  const page = await readPage(action);
  const options = list.options.flatMap(({ key }) => nodeOf(page, key) ?? []);
  if (isOpen(page, list) && options.length === list.options.length) return { ...list, options };
  if (list.plain)
    throw new ToolError('invalid_input', `${list.entry.ref} takes one option: it closed when the first was chosen.`);
  // What it says since is the choice itself.
  const field = nodeOf(page, list.entry.node.key);
  if (field !== undefined) action.session.refs.tell([field]);
  const again = await openList(action, list.entry.ref);
  const { tellsOpen } = again.opened ? again : list;
  return { ...again, before: list.before, opened: list.opened || again.opened, tellsOpen };
}

function nodeNow({ options }: OptionList, node: SnapshotNode): SnapshotNode | undefined {
  return options.find(({ key }) => key === node.key) ?? options.find(option => isCalled(option, labelOf(node)));
}

function pick({ entry, options, plain }: OptionList, { values, labels, indexes }: WantedOptions): SnapshotNode[] {
  const field = values ? 'values' : labels ? 'labels' : 'indexes';
  const wanted = values ?? labels ?? indexes ?? [];
  return wanted.map(choice => {
    const fitting =
      typeof choice === 'number'
        ? options.slice(choice, choice + 1)
        : options.filter(option => isCalled(option, choice));
    const [node] = fitting;
    const asked = JSON.stringify(choice);
    const shown = listOptions(options.map(asOption));
    if (node === undefined)
      throw new ToolError('invalid_input', `${field}: ${entry.ref} has no option ${asked}; it has ${shown}`);
    if (plain && fitting.length > 1)
      throw new ToolError('invalid_input', `${field}: ${fitting.length} things that ${entry.ref} shows say ${asked}.`);
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
  return labelOf(node) === text.replace(/\s+/g, ' ').trim();
}

/** Where several can be selected, a click turns an option on or off: what is as wanted is left alone. */
function toClick(list: OptionList, chosen: readonly SnapshotNode[]): SnapshotNode[] {
  const { options, multiple, plain } = list;
  if (!multiple) return chosen.filter(node => !(plain && isSelected(node)));
  const pointedOut = pointedOutByKeys(list);
  return options.filter(node => (isSelected(node) && node !== pointedOut) !== chosen.includes(node));
}

/**
 * The option that a list which has just opened marks for the keys alone: some say that by `aria-selected`. No other is
 * marked, and the closed list had not shown it.
 */
function pointedOutByKeys({ options, opened, before }: OptionList): SnapshotNode | undefined {
  const [node, ...others] = options.filter(isSelected);
  if (!opened || node === undefined || others.length > 0 || (node.flags & Flag.Checked) !== 0) return undefined;
  return timesShown(before, labelOf(node), new Set()) === 0 ? node : undefined;
}

/** The selected options once the page has drawn the effect of the clicks, as far as it shows them. */
export async function chosenNow(action: Action, list: OptionList, expected: readonly string[]): Promise<Chosen> {
  const patience = performance.now() + action.timings.choice;
  for (;;) {
    const now = chosenIn(await readPage(action), list, expected);
    if (now.mismatch === undefined || performance.now() > patience) return now;
    await drawn(action);
  }
}

function chosenIn(page: PageSnapshot, list: OptionList, expected: readonly string[]): Chosen {
  const shown = optionsNow(page, list);
  if (shown.some(isSelected) || (list.multiple && shown.length > 0 && isOpen(page, list))) {
    const told = toldAs(shown);
    if (areMovedOut(page, list, { shown, expected }))
      return { selected: [...expected], options: told.options.map(option => ({ ...option, selected: false })) };
    return { ...told, ...differing(expected, told.selected) };
  }
  const selected = choiceNow(page, list, expected);
  return {
    selected,
    options: list.options.map(node => ({ ...asOption(node), selected: selected.includes(labelOf(node)) })),
    ...differing(expected, selected),
  };
}

/** Whether all that was chosen has left the list for a place beside it: what is marked in the list then is where the keys are. */
function areMovedOut(
  page: PageSnapshot,
  { before, options }: OptionList,
  { shown, expected }: { shown: readonly SnapshotNode[]; expected: readonly string[] },
): boolean {
  const apart = new Set(options.map(node => node.key));
  const hasMoved = (label: string): boolean =>
    !shown.some(node => labelOf(node) === label) && timesShown(page, label, apart) > timesShown(before, label, apart);
  return expected.length > 0 && expected.every(hasMoved);
}

/** The options of a list, which may be made anew at each choice. */
function optionsNow(page: PageSnapshot, list: OptionList): SnapshotNode[] {
  const nodes = [...everyNode(page.roots)];
  const keys = new Set(list.options.map(node => node.key));
  const same = nodes.filter(node => keys.has(node.key));
  if (same.length === keys.size || !isOpen(page, list)) return same;
  const labels = new Set(list.options.map(labelOf));
  const earlier = new Set([...everyNode(list.before.roots)].map(node => node.key));
  const anew = nodes.filter(node => isOption(node) && labels.has(labelOf(node)) && !earlier.has(node.key));
  return anew.length > 0 ? anew : same;
}

function differing(expected: readonly string[], actual: readonly string[]): Pick<Chosen, 'mismatch'> {
  const isSame = expected.length === actual.length && expected.every(label => actual.includes(label));
  return isSame ? {} : { mismatch: { expected: expected.join(', '), actual: actual.join(', ') } };
}

function toldAs(nodes: readonly SnapshotNode[]): Chosen {
  const options = nodes.map(asOption);
  return { selected: options.filter(option => option.selected).map(option => option.label), options };
}

export function asOption(node: SnapshotNode): Option {
  const label = labelOf(node);
  return { value: label, label, selected: isSelected(node), disabled: isDisabled(node) };
}

function isSelected({ flags }: SnapshotNode): boolean {
  return (flags & (Flag.Selected | Flag.Checked)) !== 0;
}

function isDisabled({ flags }: SnapshotNode): boolean {
  return (flags & Flag.Disabled) !== 0;
}

/**
 * What a list that does not mark its options says is selected. One that has closed says it in the text or value it
 * shows, or in what it has put beside it; a menu holds nothing.
 */
function choiceNow(page: PageSnapshot, list: OptionList, labels: readonly string[]): string[] {
  const { entry, options, before, plain } = list;
  const own = nodeOf(page, entry.node.key);
  const isMenu = !plain && options.some(node => node.role !== 'option');
  if (isMenu || own === undefined || isOpen(page, list)) return [...labels];
  const apart = new Set(options.map(node => node.key));
  const shows = textOf([own]);
  // What was selected already is shown no more often than before.
  const marked = new Set(options.filter(isSelected).map(labelOf));
  const timesBefore = (label: string): number => (marked.has(label) ? 0 : timesShown(before, label, apart));
  const isShown = (label: string): boolean =>
    shows.includes(label) || timesShown(page, label, apart) > timesBefore(label);
  if (labels.every(isShown)) return [...labels];
  return shows === '' ? [] : [shows];
}

function timesShown(page: PageSnapshot, label: string, apart: ReadonlySet<string>): number {
  const nodes = [...everyNode(page.roots)];
  return nodes.filter(node => !apart.has(node.key) && (node.value ?? node.name).includes(label)).length;
}
