import { DIALOG_ROLES, GROUP_ROLES, LANDMARK_ROLES, MESSAGE_ROLES, WHOLE_WIDGETS } from '#page-engine/names/roles.js';
import { Flag } from '#page-engine/protocol.js';
import { cutText } from '#page-engine/text/cut-text.js';
import { everyNode, isInteractive, madeNode, type SnapshotNode, type ViewNode } from './tree.js';

/** The role given to the caption of a calendar. */
const CAPTION = 'caption';

/** This many interactive days in a row make a calendar. */
const LEAST_DAYS = 27;
const DAY = /^(?:[1-9]|[12]\d|3[01])$/;
const YEAR_IN_TEXT = /(?:^|\D)(?:19|20)\d\d(?:\D|$)/;
const CAPTION_LIMIT = 40;
/** How far before its days a caption may be, in nodes: the names of seven weekdays and some buttons come between. */
const FARTHEST = 40;
const CAPTION_ROLES = new Set(['text', 'columnheader', 'rowheader', 'cell']);

/** Turns texts that name the month of a calendar into captions. Headings and buttons are listed anyway. */
function withCaptions(roots: readonly SnapshotNode[]): readonly SnapshotNode[] {
  const captions = captionsIn(roots);
  return captions.size === 0 ? roots : roots.map(node => captioned(node, captions));
}

function captioned(node: SnapshotNode, captions: ReadonlySet<SnapshotNode>): SnapshotNode {
  if (captions.has(node)) return { ...node, role: CAPTION, children: [] };
  return { ...node, children: node.children.map(child => captioned(child, captions)) };
}

function captionsIn(roots: readonly SnapshotNode[]): Set<SnapshotNode> {
  const captions = new Set<SnapshotNode>();
  let candidate: { node: SnapshotNode; at: number } | undefined;
  /** The caption before the days that are counted. */
  let caption: SnapshotNode | undefined;
  let last = 0;
  let at = 0;
  for (const node of everyNode(roots)) {
    at++;
    const { name } = node;
    if (name.length <= 2 && isInteractive(node) && DAY.test(name)) {
      const day = Number(name);
      // The calendar may begin with the last days of the previous month.
      if (day === 1) caption = candidate !== undefined && at - candidate.at <= FARTHEST ? candidate.node : undefined;
      if (day === 1 || day === last + 1) last = day;
      if (last === LEAST_DAYS && caption !== undefined) captions.add(caption);
    } else if (name.length <= CAPTION_LIMIT && YEAR_IN_TEXT.test(name)) {
      candidate = !isInteractive(node) && CAPTION_ROLES.has(node.role) ? { node, at } : undefined;
    }
  }
  return captions;
}

/** The longest choice text in characters: a price, a rating, a date or a count. */
const CHOICE_TEXT = 24;
/** How far a text may be from its control, in siblings. */
const NEARBY_NODES = 4;
const ORDINAL = /^\d{1,3}[.)]$/;

/** choice-text: a short text with a number in the row of a control, because people choose by it. */
function isChoiceText(nodes: readonly SnapshotNode[], index: number): boolean {
  const { name } = nodes[index] as SnapshotNode;
  if (!isChoice(name)) return false;
  const near = nodes.slice(Math.max(0, index - NEARBY_NODES), index + NEARBY_NODES + 1);
  return near.some(node => isInteractive(node) && node.row.includes(name) && !node.name.includes(name));
}

/** text-beside: a text directly after the control of its row shares the line of that control. */
function withTextsBeside(views: readonly ViewNode[]): ViewNode[] {
  const out: ViewNode[] = [];
  for (const item of views) {
    const before = out.at(-1);
    if (before !== undefined && standsBeside(item, before)) before.beside = [...(before.beside ?? []), item];
    else out.push({ ...item, children: withTextsBeside(item.children) });
  }
  return out;
}

function standsBeside({ role, name, node }: ViewNode, before: ViewNode): boolean {
  if (role !== 'text' || node.flags !== 0 || !isChoice(name)) return false;
  return isInteractive(before.node) && before.children.length === 0 && before.node.row.includes(name);
}

function isChoice(text: string): boolean {
  return text.length <= CHOICE_TEXT && /\d/.test(text) && !ORDINAL.test(text);
}

/** Roles of popups that open from a menu item or a button. */
const SUBMENU_ROLES = new Set(['menu', 'listbox', 'tree', 'dialog']);

/**
 * Moves each open popup below the item that opened it. In the document it may be next to the item, as most menus are,
 * or at the end of the page.
 */
function withSubmenus(roots: readonly SnapshotNode[]): readonly SnapshotNode[] {
  const openers = openersIn(roots);
  if (openers.size === 0) return roots;
  const opened = Map.groupBy(openers.keys(), menu => openers.get(menu));
  const arranged = (nodes: readonly SnapshotNode[]): SnapshotNode[] =>
    nodes.filter(node => !openers.has(node)).map(withOpened);
  const withOpened = (node: SnapshotNode): SnapshotNode => {
    const below = (opened.get(node) ?? []).map(menu => ({ ...withOpened(menu), isTied: true as const }));
    return { ...node, children: [...arranged(node.children), ...below] };
  };
  return arranged(roots);
}

/** The item that opened each menu. */
function openersIn(roots: readonly SnapshotNode[]): ReadonlyMap<SnapshotNode, SnapshotNode> {
  const openers = new Map<SnapshotNode, SnapshotNode>();
  const items: [item: SnapshotNode, next: SnapshotNode | undefined][] = [];
  collect(roots, items);
  if (items.length === 0) return openers;
  const byKey = new Map<string, SnapshotNode>();
  const parents = new Map<SnapshotNode, SnapshotNode>();
  for (const node of everyNode(roots)) {
    byKey.set(node.key, node);
    for (const child of node.children) parents.set(child, node);
  }
  /** Whether the item is inside the menu, also by way of menus that are moved below their items. */
  const isBelow = (item: SnapshotNode | undefined, menu: SnapshotNode): boolean =>
    item !== undefined && (item === menu || isBelow(openers.get(item) ?? parents.get(item), menu));
  for (const [item, next] of items) {
    const named = item.opened === undefined ? undefined : byKey.get(`${item.document.doc}:${item.opened}`);
    const beside = next?.role === 'menu' && item.popup === 'menu' ? next : undefined;
    const menu = named !== undefined && SUBMENU_ROLES.has(named.role) ? named : beside;
    if (menu !== undefined && !openers.has(menu) && !isBelow(item, menu)) openers.set(menu, item);
  }
  return openers;
}

function collect(nodes: readonly SnapshotNode[], items: [item: SnapshotNode, next: SnapshotNode | undefined][]): void {
  for (const [index, node] of nodes.entries()) {
    if (node.popup !== undefined && isInteractive(node)) items.push([node, nodes[index + 1]]);
    if (node.children.length > 0) collect(node.children, items);
  }
}

/**
 * row-context: where several controls have the same role and name, those of one row are grouped below a line with the
 * text of the row, so that they can be distinguished.
 */
function addRowContext(views: ViewNode[]): ViewNode[] {
  const named = [...everyNode(views)].filter(({ node, role }) => isInteractive(node) || role === 'heading');
  return groupRows(views, Map.groupBy(named, nameKey));
}

function nameKey(item: ViewNode): string {
  return `${item.role}\0${item.name}`;
}

/** What can be acted on, and headings, by what they are called. */
type ViewsByName = ReadonlyMap<string, readonly ViewNode[]>;

function groupRows(views: ViewNode[], namesakes: ViewsByName, parent?: ViewNode): ViewNode[] {
  const out: ViewNode[] = [];
  let before: ViewNode | undefined;
  for (let i = 0; i < views.length; ) {
    const first = views[i] as ViewNode;
    const row = rowAt(views, i);
    let end = i + 1;
    while (end < views.length && isOfRow(views[end] as ViewNode, row, namesakes)) end++;
    const group = views.slice(i, end).map(item => ({ ...item, children: groupRows(item.children, namesakes, item) }));
    // A named parent that contains nothing but this row already identifies the row.
    const isNamedByParent = parent !== undefined && parent.name !== '' && group.length === views.length;
    const isIdentified = isNamedByParent || isTitled(row, before, namesakes);
    const beside = [out.length > 0 ? rowAt(views, i - 1) : '', end < views.length ? rowAt(views, end) : ''];
    const isAlone = isIdentified || !isAmbiguous(group, row, namesakes);
    const label = { row, from: sharedBy(row, beside), around: parent?.name ?? '' };
    out.push(...(isAlone ? group : inRow(first.node, label, group)));
    before = views.slice(i, end).findLast(isNoText) ?? before;
    i = end;
  }
  return out;
}

/** Rows that begin with as many equal characters are not distinguished by their beginning. */
const SHARED_START = 24;

/** Where the text of a row begins to differ from the rows beside it: all may have the same label. 0: soon enough. */
function sharedBy(row: string, beside: readonly string[]): number {
  const shared = Math.max(...beside.map(other => (other === row ? 0 : sharedLength(row, other))));
  return shared < SHARED_START || shared === row.length ? 0 : row.lastIndexOf(' ', shared) + 1;
}

/** In characters: how much two texts have in common before the first difference. */
export function sharedLength(text: string, other: string): number {
  let length = 0;
  while (length < text.length && text[length] === other[length]) length++;
  return length;
}

/** The row of a control. A text belongs to the row of the next control if that row contains it. */
function rowAt(views: readonly ViewNode[], index: number): string {
  const { role, name, node } = views[index] as ViewNode;
  if (role !== 'text') return node.row;
  let next = index + 1;
  while (views[next]?.role === 'text') next++;
  const row = views[next]?.node.row ?? '';
  return row.includes(name) ? row : '';
}

/** Whether the line before a row contains its text, or is its title: a heading or control with a unique name. */
function isTitled(row: string, before: ViewNode | undefined, namesakes: ViewsByName): boolean {
  if (before === undefined || before.name === '')
    return before?.children.length === 1 && isTitled(row, before.children[0], namesakes);
  return row === before.name || (row.startsWith(before.name) && namesakes.get(nameKey(before))?.length === 1);
}

/** Whether a node belongs to the row before it. A control with a unique name needs a row that encloses it. */
function isOfRow(item: ViewNode, row: string, namesakes: ViewsByName): boolean {
  if (item.role === 'text') return row.includes(item.name);
  if (row === '' || item.node.row !== row) return false;
  return (item.node.flags & Flag.RowBeside) === 0 || isShared(item, namesakes);
}

/** Whether the first control of the row shares its name with others, and the row helps to distinguish it. */
function isAmbiguous(group: readonly ViewNode[], row: string, namesakes: ViewsByName): boolean {
  const controls = group.filter(isNoText);
  const [first] = controls;
  if (first === undefined || row === '' || controls.length > ROW_MEMBERS) return false;
  const saysMore = !row.includes(first.name) || row.length > first.name.length + ROW_SURPLUS;
  return isShared(first, namesakes) && saysMore;
}

function isNoText({ role }: ViewNode): boolean {
  return role !== 'text';
}

function isShared(item: ViewNode, namesakes: ViewsByName): boolean {
  return isInteractive(item.node) && item.name !== '' && (namesakes.get(nameKey(item))?.length ?? 0) > 1;
}

const ROW_NAME_LIMIT = 32;
/** A row that is not much longer is not cut. */
const WHOLE_ROW_LIMIT = 56;
const PRICE = /\p{Sc}\s?\d[\d.,'’]*\d|\p{Sc}\s?\d|\d[\d.,'’]*\s?(?:\p{Sc}|(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|kr)\b)/u;
/** A group with more controls is a section of the page rather than a row. */
const ROW_MEMBERS = 8;
/** The text of a row must be longer than the name of its control by more than some punctuation. */
const ROW_SURPLUS = 4;

/**
 * Groups nodes below a line with the text of their row. Text that the lines inside contain is not repeated, and text
 * nodes that are part of the row's text are dropped.
 */
function inRow(
  node: SnapshotNode,
  { row: whole, from, around }: { row: string; from: number; around: string },
  group: ViewNode[],
): ViewNode[] {
  const inside = viewNames(group);
  const row = from > 0 ? whole.slice(from) : withoutStart(whole, around);
  const label = `${from > 0 ? '…' : ''}${rowLabel(row)}`;
  const begin = cutText(row, ROW_NAME_LIMIT);
  const isKnown = inside.some(name => name.includes(begin)) || containsWords(inside.join(' '), row);
  if (isKnown) return group.filter(isNoText).length === 1 ? group : [rowView(node, '', group)];
  const others = group.filter(item => item.role !== 'text' || !label.includes(item.name));
  return [rowView(node, label, others)];
}

/** The text of a row around other lines. */
export function rowLabel(row: string): string {
  return row.length <= WHOLE_ROW_LIMIT ? row : shortLabel(row, ROW_NAME_LIMIT);
}

/** A name in about `limit` characters: a longer one is cut, but keeps its price. */
export function shortLabel(name: string, limit: number): string {
  if (name.length <= limit) return name;
  const begin = cutText(name, limit);
  const price = PRICE.exec(name)?.[0] ?? '';
  return begin.includes(price) ? `${begin}…` : `${begin}… ${price}`;
}

/** A text without a name that it begins with, such as that of the article around a row. */
function withoutStart(text: string, name: string): string {
  if (name === '' || !text.startsWith(name)) return text;
  return withoutStart(text.slice(name.length).replace(/^[\s\p{Co},;:·|–-]+/u, ''), name);
}

function viewNames(views: readonly ViewNode[]): string[] {
  return views.flatMap(({ name, children }) => [name, ...viewNames(children)]).filter(name => name !== '');
}

/** Separators between the parts of a text, which a list of its parts does not repeat. */
const BETWEEN_WORDS = /[\s,;|·]+/;

function containsWords(whole: string, text: string): boolean {
  const words = new Set(whole.split(BETWEEN_WORDS));
  return text.split(BETWEEN_WORDS).every(word => word === '' || words.has(word));
}

function rowView(node: SnapshotNode, name: string, children: ViewNode[]): ViewNode {
  return { node: madeNode(node, 'row', name), role: 'row', name, children };
}

/** States of one among several, such as the chosen day of a calendar. */
const CHOSEN_FLAGS = Flag.Selected | Flag.Current;
const MARKED_CELLS = new Set(['cell', 'gridcell']);

const SORTED_FLAGS = Flag.SortedAscending | Flag.SortedDescending;

/** Roles of items, which have a name only where the author gave them one. */
const ITEM_ROLES = new Set(['article', 'listitem']);

/**
 * Keeps interactive nodes and their context: headings, landmarks, named groups, messages.
 * @param verbatim Keeps all texts, as in a dialog.
 */
export function pruneToInteractive(roots: readonly SnapshotNode[], verbatim = false): ViewNode[] {
  const kept = keepChildren(withCaptions(withSubmenus(roots)), verbatim);
  return withTextsBeside(addRowContext(kept));
}

/** Keeps everything that a person can read or act on. */
export function pruneToContent(roots: readonly SnapshotNode[]): ViewNode[] {
  return withSubmenus(roots).flatMap(keepContent);
}

/** Marks names that are the content of an element, so that they are not truncated: the views are for reading. */
export function toBeRead(views: readonly ViewNode[]): ViewNode[] {
  return views.map(item => {
    const isWhole = item.children.length === 0 || (item.node.flags & Flag.NamedByContent) !== 0;
    // A row that can be acted on is known by its name, even where its cells repeat it.
    const name = item.role === 'row' && isInteractive(item.node) ? withoutToggle(item.node, item.children) : item.name;
    return { ...item, name, isWhole, children: toBeRead(item.children) };
  });
}

function view(node: SnapshotNode, children: ViewNode[]): ViewNode {
  const inside = children.filter(
    child => !repeatsHeading(node, child) && !isPartOfTab(node, child) && !isSurface(node, child),
  );
  const only = inside.length === 1 ? inside[0] : undefined;
  // own-text: an item that can be acted on has its one text as its name, right before its ref.
  if (only !== undefined && isInteractive(node) && ITEM_ROLES.has(node.role) && repeatsName(node, only))
    return { node, role: node.role, name: node.name, children: [] };
  if (only !== undefined && isMessageText(node, only)) return { node, role: node.role, name: only.name, children: [] };
  return { node, role: node.role, name: nameBesideChildren(node, inside), children: inside };
}

function repeatsName({ name }: SnapshotNode, { role, name: text, node }: ViewNode): boolean {
  return role === 'text' && text === name && node.flags === 0;
}

/** message-text: the only text of a message without a name is rendered in its line, in place of the name. */
function isMessageText(message: SnapshotNode, { node, role }: ViewNode): boolean {
  return (
    MESSAGE_ROLES.has(message.role) && message.name === '' && role === 'text' && (node.flags & Flag.HiddenText) === 0
  );
}

/** name-from-child: a name that the only child repeats is dropped: the child is rendered in the same line. */
function nameBesideChildren(node: SnapshotNode, children: ViewNode[]): string {
  if (node.role === 'iframe' || DIALOG_ROLES.has(node.role)) return node.name;
  const only = children.length === 1 ? children[0] : undefined;
  if (only !== undefined && only.name === node.name && only.children.length === 0) return '';
  // row-text: the lines below a row may contain all of it.
  if (node.role === 'row' && containsWords(viewNames(children).join(' '), node.name)) return '';
  return withoutToggle(node, children);
}

const ROW_TOGGLES = new Set(['checkbox', 'radio', 'switch']);
const ROW_PARTS = new Set(['row', 'cell', 'gridcell']);

/** toggle-in-name: the name of the toggle that a row or a cell begins with stands in a line of its own below. */
function withoutToggle({ role, name }: SnapshotNode, children: readonly ViewNode[]): string {
  let first = ROW_PARTS.has(role) ? children[0] : undefined;
  while (first !== undefined && !ROW_TOGGLES.has(first.role)) first = first.children[0];
  return first === undefined ? name : withoutStart(name, first.name) || name;
}

/** heading-in-name: a heading that only repeats the name of its region or of the link around it is dropped. */
function repeatsHeading(node: SnapshotNode, child: ViewNode): boolean {
  if (child.role !== 'heading' || child.children.length > 0 || node.role === 'heading') return false;
  return isInteractive(node) ? node.name.includes(child.name) : node.name === child.name;
}

/** tab-part: the link that fills a tab, with its name, is the tab. */
function isPartOfTab(node: SnapshotNode, child: ViewNode): boolean {
  return node.role === 'tab' && isInteractive(child.node) && child.name === node.name && child.children.length === 0;
}

/** surface: what listens in a widget and shows nothing, such as a ripple or a focus ring, is the widget. */
function isSurface({ role, flags }: SnapshotNode, { node, name, children }: ViewNode): boolean {
  if (!WHOLE_WIDGETS.has(role) || (flags & Flag.Interactive) === 0 || node.role !== 'clickable') return false;
  return name === '' && node.hint === undefined && node.value === undefined && children.length === 0;
}

/** Whether the full text of a node matters: it is a message or a dialog. */
export function isVerbatim({ role }: SnapshotNode): boolean {
  return MESSAGE_ROLES.has(role) || DIALOG_ROLES.has(role);
}

/** @param verbatim Whether the nodes are inside a message or a dialog. */
function keepChildren(nodes: readonly SnapshotNode[], verbatim: boolean): ViewNode[] {
  return nodes.flatMap((node, index) => {
    if (node.role === 'text' && !verbatim) return isChoiceText(nodes, index) ? [view(node, [])] : [];
    return keepInteractive(node, verbatim);
  });
}

/** @param verbatim Whether the node is inside a message or a dialog. */
function keepInteractive(node: SnapshotNode, verbatim: boolean): ViewNode[] {
  // calendar-caption: the month of the days in a calendar.
  if (node.role === 'text' || node.role === CAPTION) return [view(node, [])];
  if (isSuggestions(node)) return keepContent(node);
  const children = keepChildren(node.children, verbatim || isVerbatim(node));
  const [, , keep] = PRUNE_RULES.find(([, applies]) => applies(node, children)) ?? NAMELESS_GROUP;
  return keep(node, children);
}

type PruneRule = readonly [
  name: string,
  applies: (node: SnapshotNode, children: ViewNode[]) => boolean,
  keep: (node: SnapshotNode, children: ViewNode[]) => ViewNode[],
];

const withLine: PruneRule[2] = (node, children) => [view(node, children)];
const onlyInside: PruneRule[2] = (_, children) => children;
const noLine: PruneRule[2] = () => [];

/** What is left of a node that is neither text nor a list of suggestions. The first rule that applies decides. */
const PRUNE_RULES: readonly PruneRule[] = [
  // The control in it does the same, and has its name.
  ['clickable-wrapper', (node, children) => isInteractive(node) && isWrapper(node, children), onlyInside],
  ['control', isInteractive, withLine],
  ['heading', ({ role }) => role === 'heading', withLine],
  // The sort order of a table is a state of the column header, interactive or not.
  ['sorted-column', ({ flags }) => (flags & SORTED_FLAGS) !== 0, withLine],
  // A cell that is chosen shares the line of the one control in it.
  ['marked-cell', isMarkedCell, (node, children) => [{ node, role: node.role, name: '', children }]],
  // An empty live region has no text yet.
  ['empty-message', (node, children) => MESSAGE_ROLES.has(node.role) && isWithoutContent(node, children), noLine],
  ['message', ({ role }) => MESSAGE_ROLES.has(role) || DIALOG_ROLES.has(role), withLine],
  // Without interactive content or headings there is nothing to find below it.
  ['empty-region', (node, children) => isRegion(node) && children.length === 0, noLine],
  // What is aria-hidden and shown nevertheless is marked once, with all of its content below.
  ['region', isRegion, withLine],
  ['named-group', ({ role, name }, children) => isGroup(role) && name !== '' && children.length > 0, withLine],
];

/** A group without a name would only add indentation. */
const NAMELESS_GROUP: PruneRule = ['nameless-group', () => true, onlyInside];

function isMarkedCell({ role, flags }: SnapshotNode, children: readonly ViewNode[]): boolean {
  return MARKED_CELLS.has(role) && (flags & CHOSEN_FLAGS) !== 0 && children.length === 1;
}

function isWithoutContent({ name, value }: SnapshotNode, children: readonly ViewNode[]): boolean {
  return name === '' && value === undefined && children.length === 0;
}

function isRegion({ role, flags }: SnapshotNode): boolean {
  return (flags & Flag.AriaHidden) !== 0 || LANDMARK_ROLES.has(role);
}

function isGroup(role: string): boolean {
  return GROUP_ROLES.has(role) || ITEM_ROLES.has(role);
}

/** Roles of suggestion popups. A table that a field filters is part of the page instead. */
const SUGGESTIONS = new Set(['generic', 'group', 'list', 'listbox', 'region', 'tooltip']);

/** suggestions: the options that a field suggests are listed in full if none of them is interactive. */
function isSuggestions(node: SnapshotNode): boolean {
  if ((node.flags & Flag.Offered) === 0 || !SUGGESTIONS.has(node.role)) return false;
  for (const inside of everyNode([node])) if (isInteractive(inside)) return false;
  return true;
}

/** Structural roles: an element with such a role handles clicks on behalf of the control in it. */
const WRAPPER_ROLES = new Set(['clickable', 'listitem', 'cell', 'gridcell', 'heading', 'img', 'group', 'figure']);

/**
 * clickable-wrapper: a clickable element around a single control, with no name beyond that of the control, is dropped.
 * Clicking the control does the same.
 */
function isWrapper(node: SnapshotNode, children: ViewNode[]): boolean {
  const only = children.length === 1 ? children[0] : undefined;
  if (!WRAPPER_ROLES.has(node.role) || only === undefined || !isInteractive(only.node)) return false;
  if ((node.flags & CHOSEN_FLAGS & ~only.node.flags) !== 0) return false;
  return node.name === only.name || node.name === '';
}

function keepContent(node: SnapshotNode): ViewNode[] {
  const children = node.children.flatMap(keepContent);
  if (isInteractive(node)) return isWrapper(node, children) ? children : [view(node, children)];
  if (node.role === 'text') return [view(node, children)];
  // empty-structure: a structural element without content and name is dropped.
  if (children.length === 0 && node.name === '' && node.value === undefined) return [];
  const isUnheard = (node.flags & Flag.AriaHidden) !== 0;
  if (PLAIN_CONTAINERS.has(node.role) && node.name === '' && !isUnheard) return children;
  if (node.role === 'row') return [plainRow(node, children)];
  return [view(node, children)];
}

/** Containers that only group: without a name they are replaced by their children. */
const PLAIN_CONTAINERS = new Set([
  'generic',
  'group',
  'figure',
  'region',
  'form',
  'application',
  'article',
  'tabpanel',
  'toolbar',
  'feed',
]);

/** plain-row: the cells of a row that contains only text are joined into one line. */
function plainRow(node: SnapshotNode, children: ViewNode[]): ViewNode {
  const plain = children.every(
    child =>
      child.children.length === 0 &&
      !isInteractive(child.node) &&
      !isLabelled(child.node) &&
      (child.node.flags & Flag.HiddenText) === 0 &&
      child.role.includes('cell'),
  );
  // A name that is not made of the cells was given by the author (ARIA).
  const isOwnName = isLabelled(node) && !children.every(({ name }) => node.name.includes(name));
  if (isOwnName) return view(node, children);
  if (!plain || children.length === 0) return { ...view(node, children), name: '' };
  return { node, role: 'row', name: children.map(child => child.name).join(' | '), children: [] };
}

function isLabelled(node: SnapshotNode): boolean {
  return (node.flags & Flag.Labelled) !== 0;
}
