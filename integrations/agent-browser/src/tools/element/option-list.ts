import { ToolError } from '../../outcome/errors.js';
import { type ElementFacts, Flag } from '../../page/protocol.js';
import type { RefEntry } from '../../refs/ref-entry.js';
import { describeTold } from '../../refs/told.js';
import { capture } from '../../snapshot/reading.js';
import { everyNode, isInteractive, type PageSnapshot, type SnapshotNode } from '../../snapshot/tree.js';
import type { Action } from '../call/action.js';
import { clickElement } from '../call/attempt.js';
import { drawn } from '../call/page-waits.js';
import { isOption, optionsShow, optionsShown } from './suggestions.js';

/** The options of a list made of other elements. */
export interface OptionList {
  entry: RefEntry;
  options: SnapshotNode[];
  /** Several options can be selected at once. */
  multiple: boolean;
  /** Its options have no role of options: nothing says how many can be selected. */
  plain: boolean;
  /** It was closed before. */
  opened: boolean;
  /** Its field says whether it is open. */
  tellsOpen: boolean;
  /** The page before anything was pressed. */
  before: PageSnapshot;
}

/** Roles of what has options, or opens them (WAI-ARIA 1.2). */
const LIST_ROLES = new Set(['combobox', 'listbox']);
/** Roles of what people take for an option where none is marked as such. */
const PLAIN_ROLES = new Set(['clickable', 'listitem', 'button', 'link']);
const DIALOG_ROLES = new Set(['dialog', 'alertdialog']);

/** The list of an element; one that does not show is opened. */
export async function openList(action: Action, ref: string): Promise<OptionList> {
  const { facts } = await action.factsOf(ref);
  const before = await readPage(action);
  const entry = action.entry(ref);
  const options = ownOptions(before, entry, facts.offers).filter(isInteractive);
  // What a closed drop-down holds is its choice.
  if (options.length > 0 && !isCollapsed(before, entry)) {
    const multiple = facts.multiple || takesSeveral(before, options);
    return { entry, options, multiple, plain: false, opened: false, tellsOpen: isExpanded(before, entry), before };
  }
  const what = `${ref} (${describeTold(entry.told)})`;
  const isList = LIST_ROLES.has(entry.told.role);
  if (!isList && !facts.hasPopup)
    throw new ToolError('invalid_input', `ref: ${what} is no list: it has no options to select.`);
  const earlier = await beforeOptions(action, entry, facts);
  const late = await pressed(action, entry);
  let list = await whatCame(action, entry, earlier);
  // A list may open at the first half of a press and take its field from under the mouse: the press has done its work.
  if (late !== undefined && list.options.length === 0) throw late;
  if (list.options.length === 0 && (await isTypedInto(action, entry))) {
    // WAI-ARIA APG, combobox: a press may give the focus alone, and Down Arrow opens the list.
    await action.tab.page.keyboard.press('ArrowDown');
    list = await whatCame(action, entry, earlier);
  }
  if (list.options.length > 0) return { ...list, multiple: facts.multiple || list.multiple };
  if (list.tellsOpen) await closeList(action, list);
  throw new ToolError('invalid_input', `ref: ${what} has no options to select. It was pressed to see them.`);
}

/** Presses a field. Answers with the error where it was out of reach, maybe halfway. */
async function pressed(action: Action, entry: RefEntry): Promise<ToolError | undefined> {
  try {
    await clickElement(action, entry.ref);
    return undefined;
  } catch (error) {
    if (error instanceof ToolError && error.code === 'element_blocked') return error;
    throw error;
  }
}

async function isTypedInto(action: Action, entry: RefEntry): Promise<boolean> {
  return entry.told.role === 'combobox' && (await action.focusFrom(entry))?.is === 'here';
}

export async function readPage(action: Action): Promise<PageSnapshot> {
  const page = await capture(action.tab, action.limits);
  action.session.refs.replace(page, false);
  return page;
}

interface Earlier {
  before: PageSnapshot;
  /** How many options were to be seen. */
  count: number;
}

/** The page before a field offers its options. What it has open without a role is closed: only what comes later is known to be its own. */
export async function beforeOptions(action: Action, entry: RefEntry, { offers }: ElementFacts): Promise<Earlier> {
  const page = await readPage(action);
  const isUnknown =
    entry.told.role === 'combobox' && isExpanded(page, entry) && !ownOptions(page, entry, offers).some(isInteractive);
  if (!isUnknown) return { before: page, count: await optionsShown(entry) };
  await closeList(action, { entry, options: [], tellsOpen: true });
  return { before: await readPage(action), count: await optionsShown(entry) };
}

/** The list that a field shows since it was pressed or typed into. */
export async function whatCame(action: Action, entry: RefEntry, { before, count }: Earlier): Promise<OptionList> {
  await optionsShow(action, entry, count);
  // Only an open combobox may tell the list that it controls.
  const { offers } = (await action.readBack(action.entry(entry.ref))) ?? {};
  const page = await readPage(action);
  const shown = new Set([...everyNode(before.roots)].map(node => node.key));
  const added = [...everyNode(page.roots)].filter(node => !shown.has(node.key));
  const owned = ownOptions(page, entry, offers);
  const own = isCollapsed(before, entry) ? newOnes(owned, shown) : owned;
  const marked = own.length > 0 ? own : added.filter(isOption);
  const seen = marked.filter(isInteractive);
  const tellsOpen = isExpanded(page, entry);
  // Some pages tell a screen reader of options that nobody sees, and show others without a role.
  const plain = seen.length === 0 && (marked.length > 0 || tellsOpen);
  const options = plain ? added.filter(isPlainOption) : seen;
  return { entry, options, multiple: takesSeveral(page, options), plain, opened: true, tellsOpen, before };
}

/** Those that were not there before, where any are: the choice of a drop-down may look like one of its options. */
function newOnes(options: SnapshotNode[], before: ReadonlySet<string>): SnapshotNode[] {
  const come = options.filter(node => !before.has(node.key));
  return come.length > 0 ? come : options;
}

function isPlainOption(node: SnapshotNode): boolean {
  const isPart = isInteractive(node) && PLAIN_ROLES.has(node.role) && labelOf(node) !== '';
  return isPart && ![...everyNode(node.children)].some(isInteractive);
}

/** The options inside an element, or in the lists that it controls; a person may not see them. */
function ownOptions(page: PageSnapshot, entry: RefEntry, offers: readonly number[] = []): SnapshotNode[] {
  const { doc } = entry.node.document;
  const ids = new Set(offers);
  const nodes = [...everyNode(page.roots)];
  const inside = [...everyNode(nodeOf(page, entry.node.key)?.children ?? [])].filter(isOption);
  return inside.length > 0
    ? inside
    : nodes.filter(node => node.document.doc === doc && ids.has(node.id) && isOption(node));
}

/** Whether the list around some options says that several can be selected. */
function takesSeveral(page: PageSnapshot, options: readonly SnapshotNode[]): boolean {
  const lists = [...everyNode(page.roots)].filter(({ flags }) => (flags & Flag.Multiselectable) !== 0);
  return lists.some(list => [...everyNode(list.children)].some(node => options.includes(node)));
}

function isExpanded(page: PageSnapshot, { node }: RefEntry): boolean {
  return ((nodeOf(page, node.key)?.flags ?? 0) & Flag.Expanded) !== 0;
}

function isCollapsed(page: PageSnapshot, { node, told }: RefEntry): boolean {
  return told.role === 'combobox' && ((nodeOf(page, node.key)?.flags ?? 0) & Flag.Collapsed) !== 0;
}

/** Whether a list that was opened is open still. A field that tells it may tell it before the list has faded away. */
export function isOpen(page: PageSnapshot, { entry, options, tellsOpen }: Opened): boolean {
  if (tellsOpen && nodeOf(page, entry.node.key) !== undefined) return isExpanded(page, entry);
  return options.some(option => nodeOf(page, option.key) !== undefined);
}

type Opened = Pick<OptionList, 'entry' | 'options' | 'tellsOpen'>;

/** Closes a list, for it hides the page. In a dialog Escape could close that as well: there its field is pressed again. */
export async function closeList(action: Action, list: Opened): Promise<void> {
  const page = await readPage(action);
  if (!isOpen(page, list)) return;
  const { entry } = list;
  const { keyboard } = action.tab.page;
  // A list that hides its own field stands above all dialogs.
  const field = nodeOf(page, entry.node.key);
  if (field === undefined) return keyboard.press('Escape');
  if (!page.modal && !isInDialog(page.roots, entry.node.key)) {
    await keyboard.press('Escape');
    await drawn(action);
    if (!isOpen(await readPage(action), list)) return;
  }
  action.session.refs.tell([field]);
  await clickElement(action, entry.ref).catch(error => {
    // What was done in the list is done, be it open or not.
    if (!(error instanceof ToolError)) throw error;
  });
  await drawn(action);
}

function isInDialog(nodes: readonly SnapshotNode[], key: string): boolean {
  const dialogs = [...everyNode(nodes)].filter(({ role }) => DIALOG_ROLES.has(role));
  return dialogs.some(({ children }) => [...everyNode(children)].some(node => node.key === key));
}

export function nodeOf(page: PageSnapshot, key: string | undefined): SnapshotNode | undefined {
  return [...everyNode(page.roots)].find(node => node.key === key);
}

/** What an option says. */
export function labelOf(option: SnapshotNode): string {
  return option.name || textOf(option.children);
}

/** All that a person reads inside some elements. */
export function textOf(nodes: readonly SnapshotNode[]): string {
  return nodes
    .map(({ value, children, name }) => value || textOf(children) || name)
    .filter(text => text !== '')
    .join(' ');
}
