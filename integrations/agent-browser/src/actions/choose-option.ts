import type { Locator } from 'playwright-core';
import { z } from 'zod/v4';
import { DIALOG_ROLES, OPTION_ROLES } from '#page-engine/names/roles.js';
import { type ElementFacts, Flag, type WantedOptions } from '#page-engine/protocol.js';
import { singleSpaced, typedSpelling } from '#page-engine/text/line-breaks.js';
import { type Action, readPage, untilPainted } from '../call/action.js';
import type { Aftermath } from '../call/define.js';
import { listOptions, type Option } from '../call/refusals.js';
import { describeRef, type RefEntry } from '../refs/registry.js';
import { isTimeout, ToolError } from '../results/errors.js';
import { everyNode, isInteractive, type PageSnapshot, type SnapshotNode } from '../snapshot/tree.js';
import { enterText } from './enter-text.js';
import { clickElement } from './press.js';
import { foldText } from './text-match.js';

/** Suggestions that are reported; the page's changes contain the others. */
const SHOWN_OPTIONS = 8;

function isOption({ role }: SnapshotNode): boolean {
  return OPTION_ROLES.has(role);
}

export const suggestionsField = z.array(
  z.object({ ref: z.string(), name: z.string(), inChanges: z.literal(true).optional() }),
);
type Suggestions = z.output<typeof suggestionsField>;

/** New options on the page: suggestions of an autocomplete, with option roles or in a plain list. */
export function newOptions(action: Action, { page, shown = [] }: Aftermath): { suggestions?: Suggestions } {
  if (page === undefined) return {};
  const inChanges = new Set(shown.map(({ key }) => key));
  const isNew = (node: SnapshotNode): boolean => !action.before.has(node.key);
  const added = [...everyNode(page.roots)].filter(isNew);
  const marked = added.filter(node => isOption(node) && isInteractive(node));
  const plain = added.filter(({ role }) => role === 'list').flatMap(list => [...everyNode(list.children)]);
  const options = marked.length > 0 ? marked : plain.filter(node => isInteractive(node) && node.name !== '');
  const suggestions = options.slice(0, SHOWN_OPTIONS).map(node => ({
    ref: action.session.refs.refOf(node),
    name: node.name,
    ...(inChanges.has(node.key) && { inChanges: true as const }),
  }));
  return suggestions.length === 0 ? {} : { suggestions };
}

/** Reports that suggestions opened, and lists those that the changes do not. */
export function suggestionLines(suggestions: Suggestions = []): string[] {
  const others = suggestions.filter(({ inChanges }) => !inChanges);
  return [
    ...(suggestions.length === 0 ? [] : ['Suggestions opened.']),
    ...others.map(({ ref, name }) => `suggestion ${JSON.stringify(name)} ${ref}`),
  ];
}

export function optionsShown(entry: RefEntry): Promise<number> {
  return visibleOptions(entry).count();
}

/** Resolves when more options are visible than before, or when the time for suggestions is over. */
export async function optionsShow({ signal, timings }: Action, entry: RefEntry, before = 0): Promise<void> {
  await visibleOptions(entry)
    .nth(before)
    .waitFor({ timeout: timings.suggestions, signal })
    .catch(error => {
      if (!isTimeout(error)) throw error;
    });
}

function visibleOptions({ node }: RefEntry): Locator {
  const { frame } = node.document;
  return frame
    .getByRole('option')
    .or(frame.getByRole('menuitem'))
    .or(frame.getByRole('menuitemradio'))
    .filter({ visible: true });
}

/** The options of a list that is not a native `select`. */
interface OptionList {
  entry: RefEntry;
  options: SnapshotNode[];
  multiple: boolean;
  /** Its options have no option role, so nothing states how many can be selected. */
  plain: boolean;
  /** It was opened for this action. */
  opened: boolean;
  /** Its field states whether it is open. */
  reportsOpen: boolean;
  before: PageSnapshot;
}

/** Roles that have options, or open them (WAI-ARIA 1.2). */
const LIST_ROLES = new Set(['combobox', 'listbox']);
/** Roles that people take for options where nothing has an option role. */
const PLAIN_ROLES = new Set(['clickable', 'listitem', 'button', 'link']);

/** The list of an element, opened if it is not visible. */
async function openList(action: Action, ref: string): Promise<OptionList> {
  const { facts } = await action.factsOf(ref);
  const before = await readPage(action);
  const entry = action.entry(ref);
  const options = ownOptions(before, entry, facts.offers).filter(isInteractive);
  // The option inside a closed drop-down is its current choice.
  if (options.length > 0 && !isListCollapsed(before, entry)) {
    const multiple = facts.multiple || takesSeveral(before, options);
    return { entry, options, multiple, plain: false, opened: false, reportsOpen: isExpanded(before, entry), before };
  }
  const what = `${ref} (${describeRef(entry.shown)})`;
  const isList = LIST_ROLES.has(entry.shown.role);
  if (!isList && !facts.hasPopup) throw refusal(`ref: ${what} is not a list: it has no options to select.`);
  const earlier = await beforeOptions(action, entry, facts);
  const late = await pressed(action, entry);
  let list = await whatCame(action, entry, earlier);
  // A list may open on mousedown and cover its field: the press has then done its work.
  if (late !== undefined && list.options.length === 0) throw late;
  const isCombobox = entry.shown.role === 'combobox';
  if (list.options.length === 0 && isCombobox && (await action.focusFrom(entry))?.is === 'here') {
    // WAI-ARIA APG, combobox: a press may only give the focus, and Down Arrow opens the list.
    await action.tab.page.keyboard.press('ArrowDown');
    list = await whatCame(action, entry, earlier);
  }
  if (list.options.length > 0) return { ...list, multiple: facts.multiple || list.multiple };
  if (list.reportsOpen) await closeList(action, list);
  throw refusal(`ref: ${what} has no options to select, even after it was clicked to show them.`);
}

function refusal(words: string): ToolError {
  return new ToolError('invalid_input', words);
}

/** Presses a field. Returns the error when the field was blocked, maybe halfway through the press. */
async function pressed(action: Action, entry: RefEntry): Promise<ToolError | undefined> {
  try {
    await clickElement(action, entry.ref);
    return undefined;
  } catch (error) {
    if (error instanceof ToolError && error.code === 'element_blocked') return error;
    throw error;
  }
}

interface Earlier {
  before: PageSnapshot;
  /** Number of visible options. */
  count: number;
}

/** The page before a field offers options. An open popup without known options is closed: only new ones are its own. */
async function beforeOptions(action: Action, entry: RefEntry, { offers }: ElementFacts): Promise<Earlier> {
  const page = await readPage(action);
  const isUnknown =
    entry.shown.role === 'combobox' && isExpanded(page, entry) && !ownOptions(page, entry, offers).some(isInteractive);
  if (!isUnknown) return { before: page, count: await optionsShown(entry) };
  await closeList(action, { entry, options: [], reportsOpen: true });
  return { before: await readPage(action), count: await optionsShown(entry) };
}

/** The list that a field shows since it was pressed or typed into. */
async function whatCame(action: Action, entry: RefEntry, { before, count }: Earlier): Promise<OptionList> {
  await optionsShow(action, entry, count);
  // A combobox may reveal the list that it controls only while it is open.
  const { offers } = (await action.readBack(action.entry(entry.ref))) ?? {};
  const page = await readPage(action);
  const shown = new Set([...everyNode(before.roots)].map(node => node.key));
  const added = [...everyNode(page.roots)].filter(node => !shown.has(node.key));
  const owned = ownOptions(page, entry, offers);
  // The choice of a drop-down may resemble one of its options.
  const come = isListCollapsed(before, entry) ? owned.filter(node => !shown.has(node.key)) : [];
  const own = come.length > 0 ? come : owned;
  const marked = own.length > 0 ? own : added.filter(isOption);
  const seen = marked.filter(isInteractive);
  const reportsOpen = isExpanded(page, entry);
  // Some pages expose invisible options to screen readers, and show others without a role.
  const plain = seen.length === 0 && (marked.length > 0 || reportsOpen);
  const options = plain ? added.filter(isPlainOption) : seen;
  return { entry, options, multiple: takesSeveral(page, options), plain, opened: true, reportsOpen, before };
}

function isPlainOption(node: SnapshotNode): boolean {
  const isPart = isInteractive(node) && PLAIN_ROLES.has(node.role) && optionLabelOf(node) !== '';
  return isPart && ![...everyNode(node.children)].some(isInteractive);
}

/** The options inside an element, or in the lists that it controls; they may be invisible. */
function ownOptions(page: PageSnapshot, entry: RefEntry, offers: readonly number[] = []): SnapshotNode[] {
  const { doc } = entry.node.document;
  const ids = new Set(offers);
  const nodes = [...everyNode(page.roots)];
  const inside = [...everyNode(nodeOf(page, entry.node.key)?.children ?? [])].filter(isOption);
  return inside.length > 0
    ? inside
    : nodes.filter(node => node.document.doc === doc && ids.has(node.id) && isOption(node));
}

function takesSeveral(page: PageSnapshot, options: readonly SnapshotNode[]): boolean {
  const lists = [...everyNode(page.roots)].filter(({ flags }) => (flags & Flag.Multiselectable) !== 0);
  return lists.some(list => [...everyNode(list.children)].some(node => options.includes(node)));
}

function isExpanded(page: PageSnapshot, { node }: RefEntry): boolean {
  return ((nodeOf(page, node.key)?.flags ?? 0) & Flag.Expanded) !== 0;
}

function isListCollapsed(page: PageSnapshot, { node, shown }: RefEntry): boolean {
  return shown.role === 'combobox' && ((nodeOf(page, node.key)?.flags ?? 0) & Flag.Collapsed) !== 0;
}

/** Whether an opened list is still open. A field may report it as closed before the list has faded out. */
function isOpen(page: PageSnapshot, { entry, options, reportsOpen }: Opened): boolean {
  if (reportsOpen && nodeOf(page, entry.node.key) !== undefined) return isExpanded(page, entry);
  return options.some(option => nodeOf(page, option.key) !== undefined);
}

type Opened = Pick<OptionList, 'entry' | 'options' | 'reportsOpen'>;

/** Closes a list that hides the page. In a dialog, Escape could close the dialog: the field is pressed again there. */
async function closeList(action: Action, list: Opened): Promise<void> {
  const page = await readPage(action);
  if (!isOpen(page, list)) return;
  const { entry } = list;
  const { keyboard } = action.tab.page;
  // A list that hides its own field is above all dialogs.
  const field = nodeOf(page, entry.node.key);
  if (field === undefined) return keyboard.press('Escape');
  if (!page.modal && !isInDialog(page.roots, entry.node.key)) {
    await keyboard.press('Escape');
    await untilPainted(action);
    if (!isOpen(await readPage(action), list)) return;
  }
  action.session.refs.recordShown([field]);
  await clickElement(action, entry.ref).catch(error => {
    // The choice is made, whether the list is closed or not.
    if (!(error instanceof ToolError)) throw error;
  });
  await untilPainted(action);
}

function isInDialog(nodes: readonly SnapshotNode[], key: string): boolean {
  const dialogs = [...everyNode(nodes)].filter(({ role }) => DIALOG_ROLES.has(role));
  return dialogs.some(({ children }) => [...everyNode(children)].some(node => node.key === key));
}

function nodeOf(page: PageSnapshot, key: string | undefined): SnapshotNode | undefined {
  return [...everyNode(page.roots)].find(node => node.key === key);
}

function optionLabelOf(option: SnapshotNode): string {
  return option.name || optionText(option.children);
}

function optionText(nodes: readonly SnapshotNode[]): string {
  return nodes
    .map(({ value, children, name }) => value || optionText(children) || name)
    .filter(text => text !== '')
    .join(' ');
}

export interface Chosen {
  selected: string[];
  options: Option[];
  mismatch?: { expected: string; actual: string };
}

/** Chooses in a custom list (ARIA listbox, combobox, menu): opens it if necessary and clicks its options. */
export async function chooseOption(action: Action, ref: string, wanted: WantedOptions): Promise<Chosen> {
  const list = await openList(action, ref);
  const isListing = wanted.values === undefined && wanted.labels === undefined && wanted.indexes === undefined;
  if (isListing) {
    if (list.opened) await closeList(action, list);
    return chosenOf(list.options.map(asOption));
  }
  const chosen = await picked(action, list, wanted);
  action.reached.add(list.entry.node.key);
  const last = await clickAll(action, list, toClick(list, chosen));
  const now = await chosenNow(action, last, chosen.map(optionLabelOf));
  // A single-select list closes by itself, maybe late; only its field reports whether it will.
  if (last.opened && (last.multiple || last.reportsOpen)) await closeList(action, last);
  return now;
}

/** The wanted options. When the choice is refused, an opened list is closed so that it does not hide the page. */
async function picked(action: Action, list: OptionList, wanted: WantedOptions): Promise<SnapshotNode[]> {
  try {
    const chosen = pick(list, wanted);
    if (chosen.length > 1 && !list.multiple && !list.plain)
      throw refusal(`${list.entry.ref} accepts one option, not ${chosen.length}.`);
    return chosen;
  } catch (error) {
    if (list.opened) await closeList(action, list);
    throw error;
  }
}

/** Clicks the options in turn, and returns the list as it was for the last one. */
async function clickAll(action: Action, list: OptionList, nodes: readonly SnapshotNode[]): Promise<OptionList> {
  let now = list;
  for (const [done, node] of nodes.entries()) {
    if (done > 0) now = await shownAgain(action, now);
    const option = nodeNow(now, node);
    if (option === undefined)
      throw refusal(`${list.entry.ref} no longer has the option ${JSON.stringify(optionLabelOf(node))}.`);
    action.session.refs.recordShown([option]);
    await clickElement(action, action.session.refs.refOf(option));
  }
  return now;
}

/** The list after a choice in it, which may have closed or re-rendered it. */
async function shownAgain(action: Action, list: OptionList): Promise<OptionList> {
  await untilPainted(action);
  const page = await readPage(action);
  const options = list.options.flatMap(({ key }) => nodeOf(page, key) ?? []);
  if (isOpen(page, list) && options.length === list.options.length) return { ...list, options };
  if (list.plain) throw refusal(`${list.entry.ref} accepts one option: the list closed when the first was chosen.`);
  // The field may contain the choice by now.
  const field = nodeOf(page, list.entry.node.key);
  if (field !== undefined) action.session.refs.recordShown([field]);
  const again = await openList(action, list.entry.ref);
  const { reportsOpen } = again.opened ? again : list;
  return { ...again, before: list.before, opened: list.opened || again.opened, reportsOpen };
}

function nodeNow({ options }: OptionList, node: SnapshotNode): SnapshotNode | undefined {
  return options.find(({ key }) => key === node.key) ?? optionsCalled(options, optionLabelOf(node))[0];
}

function pick({ entry, options, plain }: OptionList, { values, labels, indexes }: WantedOptions): SnapshotNode[] {
  const field = values ? 'values' : labels ? 'labels' : 'indexes';
  const wanted = values ?? labels ?? indexes ?? [];
  return wanted.map(choice => {
    const fitting = typeof choice === 'number' ? options.slice(choice, choice + 1) : optionsCalled(options, choice);
    const [node] = fitting;
    const asked = JSON.stringify(choice);
    const shown = listOptions(options.map(asOption));
    if (node === undefined) throw refusal(`${field}: ${entry.ref} has no option ${asked}; it has ${shown}`);
    if (plain && fitting.length > 1)
      throw refusal(`${field}: ${asked} is ambiguous: ${fitting.length} items that ${entry.ref} shows match it.`);
    if (asOption(node).disabled)
      throw refusal(`${field}: the option ${asked} of ${entry.ref} is disabled; it has ${shown}`);
    return node;
  });
}

/** Options of a custom list have no values; their labels identify them, in other typography only without an equal one. */
function optionsCalled(options: readonly SnapshotNode[], text: string): SnapshotNode[] {
  const same = options.filter(option => optionLabelOf(option) === singleSpaced(text));
  return same.length > 0
    ? same
    : options.filter(option => typedSpelling(optionLabelOf(option)) === typedSpelling(text));
}

/** In a multi-select list a click toggles an option, so options in the wanted state are not clicked. */
function toClick(list: OptionList, chosen: readonly SnapshotNode[]): SnapshotNode[] {
  const { options, multiple, plain } = list;
  if (!multiple) return chosen.filter(node => !(plain && isSelected(node)));
  const pointedOut = pointedOutByKeys(list);
  return options.filter(node => (isSelected(node) && node !== pointedOut) !== chosen.includes(node));
}

/** The option that a newly opened list marks (`aria-selected`) only for the keyboard: it was not shown before. */
function pointedOutByKeys({ options, opened, before }: OptionList): SnapshotNode | undefined {
  const [node, ...others] = options.filter(isSelected);
  if (!opened || node === undefined || others.length > 0 || (node.flags & Flag.Checked) !== 0) return undefined;
  return timesShown(before, optionLabelOf(node), new Set()) === 0 ? node : undefined;
}

/** The selected options, as far as they are visible, once the page has rendered the effect of the clicks. */
export async function chosenNow(action: Action, list: OptionList, expected: readonly string[]): Promise<Chosen> {
  const patience = performance.now() + action.timings.choice;
  for (;;) {
    const now = chosenIn(await readPage(action), list, expected);
    if (now.mismatch === undefined || performance.now() > patience) return now;
    await untilPainted(action);
  }
}

function chosenIn(page: PageSnapshot, list: OptionList, expected: readonly string[]): Chosen {
  const shown = optionsNow(page, list);
  if (shown.some(isSelected) || (list.multiple && shown.length > 0 && isOpen(page, list))) {
    const chosen = chosenOf(shown.map(asOption));
    if (areMovedOut(page, list, { shown, expected }))
      return { selected: [...expected], options: chosen.options.map(option => ({ ...option, selected: false })) };
    return { ...chosen, ...differing(expected, chosen.selected) };
  }
  const selected = choiceNow(page, list, expected);
  return {
    selected,
    options: list.options.map(node => ({ ...asOption(node), selected: selected.includes(optionLabelOf(node)) })),
    ...differing(expected, selected),
  };
}

/** Whether all choices have left the list for a place beside it; what the list marks then is its keyboard focus. */
function areMovedOut(
  page: PageSnapshot,
  { before, options }: OptionList,
  { shown, expected }: { shown: readonly SnapshotNode[]; expected: readonly string[] },
): boolean {
  const apart = new Set(options.map(node => node.key));
  const hasMoved = (label: string): boolean =>
    !shown.some(node => optionLabelOf(node) === label) &&
    timesShown(page, label, apart) > timesShown(before, label, apart);
  return expected.length > 0 && expected.every(hasMoved);
}

/** The options of a list, which may be re-rendered at each choice. */
function optionsNow(page: PageSnapshot, list: OptionList): SnapshotNode[] {
  const nodes = [...everyNode(page.roots)];
  const keys = new Set(list.options.map(node => node.key));
  const same = nodes.filter(node => keys.has(node.key));
  if (same.length === keys.size || !isOpen(page, list)) return same;
  const labels = new Set(list.options.map(optionLabelOf));
  const earlier = new Set([...everyNode(list.before.roots)].map(node => node.key));
  const anew = nodes.filter(node => isOption(node) && labels.has(optionLabelOf(node)) && !earlier.has(node.key));
  return anew.length > 0 ? anew : same;
}

function differing(expected: readonly string[], actual: readonly string[]): Pick<Chosen, 'mismatch'> {
  const isSame = expected.length === actual.length && expected.every(label => actual.includes(label));
  return isSame ? {} : { mismatch: { expected: expected.join(', '), actual: actual.join(', ') } };
}

/** What is chosen of these options. */
export function chosenOf(options: Option[]): Chosen {
  return { selected: options.filter(option => option.selected).map(option => option.label), options };
}

export function asOption(node: SnapshotNode): Option {
  const label = optionLabelOf(node);
  return { value: label, label, selected: isSelected(node), disabled: (node.flags & Flag.Disabled) !== 0 };
}

function isSelected({ flags }: SnapshotNode): boolean {
  return (flags & (Flag.Selected | Flag.Checked)) !== 0;
}

/**
 * The selection of a list that does not mark its options. A closed list shows it in its text or value, or beside
 * itself; a menu has no selection.
 */
function choiceNow(page: PageSnapshot, list: OptionList, labels: readonly string[]): string[] {
  const { entry, options, before, plain } = list;
  const own = nodeOf(page, entry.node.key);
  const isMenu = !plain && options.some(node => node.role !== 'option');
  if (isMenu || own === undefined || isOpen(page, list)) return [...labels];
  const apart = new Set(options.map(node => node.key));
  const shows = optionText([own]);
  // A label that was selected before is not visible more often now.
  const marked = new Set(options.filter(isSelected).map(optionLabelOf));
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

export interface Suggested {
  list: OptionList;
  /** The chosen option; undefined when there is none, and the text stays as it was typed. */
  label?: string;
}

/** Types into a combobox and chooses the option that equals the text, or the only one that contains it. */
export async function chooseSuggested(
  action: Action,
  { entry, facts }: { entry: RefEntry; facts: ElementFacts },
  text: string,
): Promise<Suggested> {
  const earlier = await beforeOptions(action, entry, facts);
  await enterText(action, entry.ref, { text });
  const list = await whatCame(action, entry, earlier);
  const option = optionCalled(list, text);
  if (option === undefined) return { list };
  action.session.refs.recordShown([option]);
  await clickElement(action, action.session.refs.refOf(option));
  return { list, label: optionLabelOf(option) };
}

/** An element without an option role must equal the text, and be the only one that does. */
function optionCalled({ options, plain }: OptionList, text: string): SnapshotNode | undefined {
  const wanted = foldText(text);
  const same = options.filter(option => foldText(optionLabelOf(option)) === wanted);
  if (plain) return same.length === 1 ? same[0] : undefined;
  const having = options.filter(option => foldText(optionLabelOf(option)).includes(wanted));
  return same[0] ?? (having.length === 1 ? having[0] : undefined);
}
