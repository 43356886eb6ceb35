import { DIALOG_ROLES, FIELD_ROLES } from '#page-engine/names/roles.js';
import { Flag } from '#page-engine/protocol.js';
import { shortText } from '#page-engine/text/cut-text.js';
import { rowLabel } from '../snapshot/prune.js';
import {
  counted,
  elementText,
  type Line,
  type RefOf,
  refRuns,
  renderLines,
  summarizeLines,
} from '../snapshot/render.js';
import { hasInteractive, isInteractive, type SnapshotNode, type ViewNode } from '../snapshot/tree.js';
import { daysView, withDays } from './calendars.js';
import {
  isAlike,
  itemLabelOf,
  LABELLED_ROWS,
  namePart,
  nearestNamed,
  nearestPlace,
  orderText,
  type PageChange,
  placeText,
  shortenedName,
  spokenFlags,
  subtreeSize,
} from './compare.js';
import { viewNodes } from './known-page.js';
import { calledByContent, heldNodes, inShort, isCalledByContent, withRowsOnOneLine } from './short-views.js';

/** One change, or several of a kind at one place, as it is written. */
export interface Entry {
  weight: number;
  place: ViewNode | undefined;
  /** The changed node, if its line shows its current state. */
  subject?: ViewNode;
  sign: '+' | '-' | '~';
  lines: readonly Line[];
  /** The lines without descriptive texts, for a small budget. */
  brief?: () => readonly Line[];
  /** For removals: how many removed lines the entry stands for. */
  gone?: number;
}

export interface EntryOptions {
  refOf: RefOf;
  /** Describes the element of a key, if it is listed. */
  describe?: (key: string) => string | undefined;
  /** Whether the agent was given the line of a node, now or earlier. Default: of every node. */
  wasShown?: (node: SnapshotNode) => boolean;
}

/** The order of changes: what can be acted on now first, then values, new refs, other changes, and removals. */
const WEIGHT = { loud: 8, actable: 7, valued: 6, renewed: 5, changed: 4, other: 3, back: 2, gone: 1 };

/** Roles of messages and dialogs, which come first. */
const LOUD = new Set(['alert', 'alertdialog', 'dialog', 'status']);
/** A part that is back is written in full up to this many lines. */
const SHORT_RETURN = 8;
/** In lines: top-level parts of at least this size that disappear when a dialog opens are hidden, not removed. */
const SMALLEST_BEHIND = 3;
/** Removals at one place that are written one by one. */
const SINGLE_REMOVALS = 2;
/** Places whose removals get entries of their own. */
const MOST_REMOVALS = 4;
/** Removed rows of one place that are named. */
const NAMED_REMOVALS = 5;
const REMOVAL_TEXT = 160;
/** Removals from one list that seem to be a filter's, and what it leaves that is named. */
const MANY_FILTERED = 5;
const FEW_LEFT = 4;
/** This many renewed nodes in a row share one line. */
const MANY_RENEWED = 3;
/** Characters in which renewed controls are named: which of several refs is which does not follow from a range. */
const NAMED_RENEWED = 160;
/** This many nodes that were disabled, or enabled, share one line. */
const MANY_SWITCHED = 3;
/** Nodes that share a line and are named in it. */
const NAMED_SWITCHED = 3;

/** The entries of changes, in document order. */
export function entriesOf(changes: readonly PageChange[], options: EntryOptions): Entry[] {
  const { refOf, wasShown = () => true } = options;
  const entries: Entry[] = [];
  const closedDialogs = changes.some(change => change.kind === 'removed' && DIALOG_ROLES.has(change.was.role));
  const opensDialog = changes.some(
    change => (isAddition(change) || isReturn(change)) && holdsRole(change.item, DIALOG_ROLES),
  );
  const isBehind = (change: PageChange): boolean =>
    opensDialog &&
    change.kind === 'removed' &&
    change.parents.length === 0 &&
    subtreeSize(change.was) >= SMALLEST_BEHIND;
  const { left, switched } = withoutSwitched(changes.filter(change => !isBehind(change)));
  const calendarHeads = new Set(
    changes.flatMap(change => (change.kind === 'days' ? change.calendar.head.map(({ node }) => node.key) : [])),
  );
  const heads = (item: ViewNode): boolean => calendarHeads.has(item.node.key);
  const besides = rowsOfEqualControls(left);
  /** Parts that are back and written in full, with what is new in them. */
  const whole = new Set<ViewNode>();
  for (const group of groupsOf(inTheirHolders(left))) {
    const [first] = group;
    if (first === undefined) continue;
    // The parts behind a closed dialog are back, as expected.
    if (first.kind === 'again' && closedDialogs) continue;
    const others = group.filter(({ parents }) => !parents.some(item => whole.has(item)));
    if (first.kind === 'removed') {
      entries.push(...removalEntries(group.filter(isRemoval)));
      entries.push(...leftEntries(group.filter(isRemoval), { changes, refOf }));
    } else if (first.kind === 'added') entries.push(...additionEntries(others.filter(isAddition), { refOf, heads }));
    else if (first.kind === 'again') {
      const back = Map.groupBy(others.filter(isReturn), ({ item }) => isRead(item, wasShown));
      const unknown = back.get(false) ?? [];
      entries.push(...additionEntries(unknown, { refOf, heads }));
      for (const { item } of unknown) whole.add(item);
      for (const change of back.get(true) ?? []) {
        const entry = returnEntry(change, refOf);
        if (entry.weight !== WEIGHT.back) whole.add(change.item);
        entries.push(entry);
      }
    } else if (first.kind === 'days') entries.push(...group.filter(isOfDays).map(change => daysEntry(change, refOf)));
    else if (first.kind === 'renewed') {
      // Of two controls with one name, each is known by its row: one took the place of the other.
      const isOther = ({ item, was }: Renewed): boolean => besides.has(item) && item.node.row !== was.node.row;
      const renewed = group.filter(isRenewed);
      const same = renewed.filter(change => !isOther(change));
      entries.push(...renewed.filter(isOther).map(change => changeEntryOf(change, { refOf, heads, besides })));
      if (same.length >= MANY_RENEWED) entries.push(renewedEntry(same, refOf));
      else entries.push(...same.map(change => changeEntryOf(change, { refOf, heads, besides })));
    } else {
      entries.push(...group.filter(isLasting).map(change => changeEntryOf(change, { refOf, heads, besides })));
      entries.push(...group.filter(isAppearance).map(change => changeEntry(appearanceText(change, options.describe))));
    }
  }
  return withFewRemovals([...entries, ...switched.map(group => switchedEntry(group, refOf))]);
}

/** Whether the agent was given the controls of a part, or all of one without controls. */
function isRead(item: ViewNode, wasShown: (node: SnapshotNode) => boolean): boolean {
  const nodes = viewNodes([item]);
  const controls = nodes.filter(isInteractive);
  return (controls.length > 0 ? controls : nodes.filter(({ name }) => name !== '')).every(wasShown);
}

/** Sets aside what was only disabled, and what was only enabled, where it is many. */
function withoutSwitched(changes: readonly PageChange[]): { left: readonly PageChange[]; switched: Changed[][] } {
  const only = changes.filter(isChanged).filter(isOnlySwitched);
  const isDisabled = ({ item }: Changed): boolean => (item.node.flags & Flag.Disabled) !== 0;
  const switched = [only.filter(isDisabled), only.filter(change => !isDisabled(change))].filter(
    group => group.length >= MANY_SWITCHED,
  );
  const joined = new Set<PageChange>(switched.flat());
  return { left: changes.filter(change => !joined.has(change)), switched };
}

function isOnlySwitched({ item, was }: Changed): boolean {
  const { flags } = item.node;
  if ((spokenFlags(was.node) ^ spokenFlags(item.node)) !== Flag.Disabled) return false;
  return item.name !== '' && item.name === was.name && isAlike({ ...was.node, flags }, item.node);
}

/** What was disabled, or enabled, in one line: that is seldom what an action was for. */
function switchedEntry(group: readonly Changed[], refOf: RefOf): Entry {
  const items = group.map(({ item }) => item);
  const word = ((items[0]?.node.flags ?? 0) & Flag.Disabled) === 0 ? 'enabled' : 'disabled';
  const named = items.slice(0, NAMED_SWITCHED).map(item => `${namePart(item)} ${refOf(item.node)}`);
  const rest = items.slice(NAMED_SWITCHED).map(({ node }) => node);
  const more = rest.length === 0 ? '' : ` and ${rest.length} more${refRuns(rest.map(refOf))}`;
  const nodes = items.map(({ node }) => node);
  return changeEntry(`${word}: ${named.join(', ')}${more}`, { weight: WEIGHT.other, nodes });
}

/** The only text of a cell or control without a name is its name: if it changed, the cell has. */
function inTheirHolders(changes: readonly PageChange[]): PageChange[] {
  const changed = new Set(changes.filter(isChanged).map(({ item }) => item));
  return changes.flatMap(change => {
    const holder = change.parents.at(-1);
    const isText = (isChanged(change) || isAddition(change)) && change.item.role === 'text';
    if (!isText || holder?.children.length !== 1 || !isCalledByContent(holder)) return [change];
    if (LABELLED_ROWS.has(holder.role)) return [change];
    if (changed.has(holder)) return [];
    changed.add(holder);
    return [{ kind: 'changed' as const, item: holder, was: holder, parents: change.parents.slice(0, -1) }];
  });
}

/** Joins removals at many places into one entry: listed one by one, they would add nothing. */
function withFewRemovals(entries: readonly Entry[]): Entry[] {
  const removals = entries.filter(({ weight }) => weight === WEIGHT.gone);
  if (removals.length <= MOST_REMOVALS) return [...entries];
  const gone = removals.reduce((sum, entry) => sum + (entry.gone ?? 1), 0);
  const text = `${counted(gone, 'line')}: ${removals.map(({ lines: [line] }) => line?.text).join('; ')}`;
  const joined = goneEntry(shortText(text, REMOVAL_TEXT), { place: undefined, gone });
  return [...entries.filter(({ weight }) => weight !== WEIGHT.gone), joined];
}

type Removal = Extract<PageChange, { kind: 'removed' }>;
/** A change of the page's appearance rather than of its elements. */
const APPEARANCES = ['selected', 'restyled', 'titled', 'attribute', 'scrolled', 'slid', 'drawn'] as const;
type Appearance = Extract<PageChange, { kind: (typeof APPEARANCES)[number] }>;
type Addition = Extract<PageChange, { kind: 'added' }>;
type Return = Extract<PageChange, { kind: 'again' }>;
type Changed = Extract<PageChange, { kind: 'changed' }>;
type Renewed = Extract<PageChange, { kind: 'renewed' }>;
type OfDays = Extract<PageChange, { kind: 'days' }>;
type Lasting = Exclude<PageChange, Removal | Addition | Return | OfDays | Appearance>;

const isRemoval = (change: PageChange): change is Removal => change.kind === 'removed';
const isAppearance = (change: PageChange): change is Appearance => APPEARANCES.some(kind => kind === change.kind);
const isAddition = (change: PageChange): change is Addition => change.kind === 'added';
const isReturn = (change: PageChange): change is Return => change.kind === 'again';
const isChanged = (change: PageChange): change is Changed => change.kind === 'changed';
const isRenewed = (change: PageChange): change is Renewed => change.kind === 'renewed';
const isOfDays = (change: PageChange): change is OfDays => change.kind === 'days';
const isLasting = (change: PageChange): change is Lasting =>
  ![isRemoval, isAddition, isReturn, isOfDays, isAppearance].some(isOther => isOther(change));

/** Groups successive changes of one kind at one place. */
function groupsOf(changes: readonly PageChange[]): PageChange[][] {
  const groups: PageChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const first = group?.[0];
    if (first?.kind === change.kind && nearestPlace(first) === nearestPlace(change)) group?.push(change);
    else groups.push([change]);
  }
  return groups;
}

/** Elements that were rendered again unchanged: only their refs are new. */
function renewedEntry(group: readonly PageChange[], refOf: RefOf): Entry {
  const lines = group
    .filter(isLasting)
    .flatMap(({ item }) => (item === undefined ? [] : renderLines([item], { refOf })));
  const nodes = lines.flatMap(line => line.nodes);
  const controls = nodes.filter(isInteractive);
  const named = controls.filter(({ name }) => name !== '');
  const list = named.map(node => `${node.role} ${JSON.stringify(node.name)} ${refOf(node)}`).join(', ');
  const areUnlike = new Set(named.map(({ role, name }) => `${role}\0${name}`)).size === named.length;
  const areNamed = named.length > 0 && areUnlike && list.length <= NAMED_RENEWED;
  const others = areNamed ? controls.filter(({ name }) => name === '') : controls;
  const left = areNamed ? lines.filter(line => line.nodes.some(node => others.includes(node))) : lines;
  const summary = others.length === 0 ? '' : `${summarizeLines(left)}${refRuns(others.map(refOf))}`;
  const text = `rendered again as before: ${[...(areNamed ? [list] : []), summary].filter(Boolean).join(', ')}`;
  return changeEntry(text, { weight: WEIGHT.renewed, place: nearestPlace(group[0] as PageChange), nodes });
}

/** How changes are written that may head a calendar. */
interface Heading {
  refOf: RefOf;
  /** Whether a node names the month that a calendar shows now. */
  heads: (item: ViewNode) => boolean;
}

/** The rows of changed controls that have the same role and name, as those of a list that draws only what is in view. */
function rowsOfEqualControls(changes: readonly PageChange[]): ReadonlyMap<ViewNode, string> {
  const controls = changes.flatMap(change => {
    if (!isChanged(change) && !isRenewed(change)) return [];
    return isInteractive(change.item.node) && change.item.name !== '' ? [change.item] : [];
  });
  const alike = Map.groupBy(controls, ({ role, name }) => `${role}\0${name}`);
  const shared = [...alike.values()].filter(({ length }) => length > 1).flat();
  return new Map(shared.flatMap(item => (item.node.row === '' ? [] : [[item, rowLabel(item.node.row)] as const])));
}

/** Joins the additions at one place, so that repetitions can be folded. Messages get entries of their own. */
function additionEntries(group: readonly (Addition | Return)[], { refOf, heads }: Heading): Entry[] {
  const entry = (items: readonly ViewNode[], weight: number): Entry[] => {
    const [first] = group;
    if (items.length === 0 || first === undefined) return [];
    const views = withDays(items, refOf).map(withRowsOnOneLine);
    const brief = (): Line[] => renderLines(views.flatMap(inShort), { refOf });
    return [{ weight, place: nearestPlace(first), sign: '+', lines: renderLines(views, { refOf }), brief }];
  };
  const loud = group.filter(({ item, parents }) => isLoud(parents, item));
  const others = group.filter(change => !loud.includes(change)).map(({ item }) => item);
  const weight = others.some(item => hasInteractive(item) || heads(item)) ? WEIGHT.actable : WEIGHT.other;
  return [...loud.flatMap(({ item }) => entry([item], WEIGHT.loud)), ...entry(others, weight)];
}

/** A calendar that shows other days: all of them in one line. */
function daysEntry(change: OfDays, refOf: RefOf): Entry {
  const lines = renderLines([daysView(change.calendar, refOf)], { refOf });
  const weight = isLoud(change.parents) ? WEIGHT.loud : WEIGHT.actable;
  return { weight, place: nearestPlace(change), sign: '~', lines };
}

function returnEntry(change: Return, refOf: RefOf): Entry {
  const { item } = change;
  const views = withDays([item], refOf);
  const size = views.reduce((sum, view) => sum + subtreeSize(view), 0);
  const isShort = size <= SHORT_RETURN;
  const lines = isShort
    ? renderLines(views, { refOf })
    : [textLine(`again as before: ${namePart(item)} (${counted(size, 'line')})`, [item.node])];
  return { weight: isShort ? WEIGHT.changed : WEIGHT.back, place: nearestPlace(change), sign: '+', lines };
}

function changeEntryOf(
  change: Lasting,
  { refOf, heads, besides }: Heading & { besides: ReadonlyMap<ViewNode, string> },
): Entry {
  const place = nearestPlace(change);
  switch (change.kind) {
    case 'changed': {
      const { item, was } = change;
      const text = elementText(calledByContent(change.item), refOf, was.node) + lostStates(was, item);
      const weight = isLoud(change.parents, item)
        ? WEIGHT.loud
        : heads(item)
          ? WEIGHT.actable
          : isInteractive(item.node) && item.node.value !== was.node.value
            ? WEIGHT.valued
            : hasInteractive(item) || item.role === 'heading'
              ? WEIGHT.changed
              : WEIGHT.other;
      const line = withRow(textLine(text, [item.node, ...heldNodes(item)]), besides.get(item));
      return { weight, place, subject: item, sign: '~', lines: [line] };
    }
    case 'renewed': {
      const { item } = change;
      const lines = renderLines([item], { refOf });
      return { weight: WEIGHT.renewed, place, sign: '~', lines: lines.map(line => withRow(line, besides.get(item))) };
    }
    case 'moved': {
      const { item } = change;
      const isPlaced = place !== undefined && place === change.parents.at(-1);
      const what = placeText(item, refOf);
      const text = isPlaced ? `moved here: ${what}` : `${what} moved${movedTo(change)}`;
      return changeEntry(text, { place, nodes: [item.node] });
    }
    case 'reordered': {
      const { item, order } = change;
      const holder = item ?? nearestNamed(change.parents);
      const what = holder === undefined ? 'page' : namePart(nearestNamed([...change.parents, holder]) ?? holder);
      return changeEntry(`reordered: ${what}${orderText(order)}`, { nodes: holder === undefined ? [] : [holder.node] });
    }
  }
}

function withRow(line: Line, row: string | undefined): Line {
  return row === undefined || line.depth > 0 ? line : { ...line, text: `${line.text} in row ${JSON.stringify(row)}` };
}

/** Where a node moved to, such as ` after "Guest"`, if its new parent has no name. */
function movedTo({ beside, parents }: Extract<PageChange, { kind: 'moved' }>): string {
  if (beside === undefined) return ` into an empty ${parents.at(-1)?.role ?? 'page'}`;
  return ` ${beside.where} ${JSON.stringify(shortenedName(itemLabelOf(beside.item) ?? beside.item.role))}`;
}

/** Styles by which a page closes something. */
const HIDING = /\bdisplay: none|\bvisibility: hidden/;

/** Describes a change of appearance, such as `underlined "word"`. */
function appearanceText(change: Appearance, describe: EntryOptions['describe']): string {
  if (change.kind === 'selected') return `selected ${JSON.stringify(change.text)}`;
  if (change.kind === 'titled') return `page is now titled ${JSON.stringify(change.title)}`;
  if (change.kind === 'scrolled') {
    const { heading, percent } = change;
    return heading
      ? `scrolled to heading ${JSON.stringify(shortenedName(heading))} (${percent}%)`
      : `scrolled to ${percent}%`;
  }
  if (change.kind === 'slid') {
    const { into, out } = change;
    return `slid into view: ${listedNames(into)}${out.length > 0 ? ` (out of view: ${listedNames(out)})` : ''}`;
  }
  if (change.kind === 'drawn')
    return `drawn: ${change.names.map(name => `canvas${name && ` ${listedNames([name])}`}`).join(', ')}`;
  const named = change.key === undefined ? undefined : describe?.(change.key);
  if (change.kind === 'attribute') {
    const what = named ?? `<${change.tag}>`;
    return HIDING.test(change.how) ? `no longer shown: ${what}` : `appearance changed: ${what} (${change.how})`;
  }
  const { gained, lost, text } = change;
  const isReplaced = (word: string): boolean =>
    gained.some(other => other.split(' ').at(-1) === word.split(' ').at(-1));
  const words = [...gained, ...lost.filter(word => !isReplaced(word)).map(word => `no longer ${word}`)];
  return `${words.join(', ')} ${named ?? (text === '' ? `<${change.tag}>` : JSON.stringify(text))}`;
}

function listedNames(names: readonly string[]): string {
  return names.map(name => JSON.stringify(shortenedName(name))).join(', ');
}

function removalEntries(removals: readonly Removal[]): Entry[] {
  const written = removals
    .map(({ was, parents }) => ({ was, place: nearestPlace({ parents }), lines: linesGone(was) }))
    .filter(({ lines }) => lines.length > 0);
  if (written.length <= SINGLE_REMOVALS) {
    return written.map(({ was, place, lines }) => {
      const entry = goneEntry(goneText(was, lines), { place, gone: lines.length });
      return DIALOG_ROLES.has(was.role) ? { ...entry, weight: WEIGHT.changed } : entry;
    });
  }
  const dialogs = removals.filter(({ was }) => DIALOG_ROLES.has(was.role));
  if (dialogs.length > 0) {
    const others = removals.filter(removal => !dialogs.includes(removal));
    return [...dialogs.flatMap(dialog => removalEntries([dialog])), ...removalEntries(others)];
  }
  const lines = written.flatMap(each => each.lines);
  const [first] = written;
  const areRows = written.every(({ was }) => was.role === first?.was.role && LABELLED_ROWS.has(was.role));
  const text = areRows
    ? `${counted(written.length, first?.was.role ?? '')}${written.length > NAMED_REMOVALS ? '' : orderText(written.map(({ was }) => was))}`
    : `${counted(lines.length, 'line')}: ${summarizeLines(lines)}`;
  return [goneEntry(text, { place: first?.place, gone: lines.length })];
}

/** Names what a filter has left of a list: it may stand in a fold of what the agent has read. */
function leftEntries(
  removals: readonly Removal[],
  { changes, refOf }: { changes: readonly PageChange[]; refOf: RefOf },
): Entry[] {
  const [{ was, parents } = {}] = removals;
  const holder = parents?.at(-1);
  const alike = removals.filter(removal => removal.parents.at(-1) === holder && removal.was.role === was?.role);
  if (holder === undefined || alike.length < MANY_FILTERED) return [];
  const left = holder.children.filter(({ role, node }) => role === was?.role && isInteractive(node));
  const isReported = left.some(item => changes.some(change => 'item' in change && change.item === item));
  if (left.length === 0 || left.length > FEW_LEFT || isReported) return [];
  const text = `left: ${left.map(item => elementText(item, refOf)).join(', ')}`;
  const nodes = left.map(({ node }) => node);
  return [changeEntry(text, { weight: WEIGHT.valued, place: nearestPlace({ parents: parents ?? [] }), nodes })];
}

/** The lines of a removed part; none if it had neither text nor fields. */
function linesGone(was: ViewNode): Line[] {
  return renderLines([withoutValues(was)], {}).filter(
    ({ text, nodes }) => text.includes('"') || nodes.some(({ role }) => FIELD_ROLES.has(role)),
  );
}

/** What a removed field held is not on the page any more. */
function withoutValues(item: ViewNode): ViewNode {
  const node = FIELD_ROLES.has(item.role) ? { ...item.node, value: undefined, options: undefined } : item.node;
  return { ...item, node, children: item.children.map(withoutValues) };
}

function goneText(was: ViewNode, lines: readonly Line[]): string {
  const closed = DIALOG_ROLES.has(was.role) ? ' closed' : '';
  const [first] = lines;
  if (lines.length === 1 && first !== undefined && was.name === '') return `${first.text}${closed}`;
  const head = elementText({ ...withoutValues(was), name: itemLabelOf(was) ?? '', children: [] });
  return closed === '' && lines.length > 1 ? `${head} (${lines.length} lines)` : `${head}${closed}`;
}

/** Words for states that have ended: a word that is only missing would go unnoticed. */
const LOST: readonly [number, string][] = [
  [Flag.SortedAscending | Flag.SortedDescending, 'not sorted'],
  [Flag.Required, 'not required'],
  [Flag.ReadOnly, 'not readonly'],
  [Flag.Checked, 'not checked'],
  [Flag.Selected, 'not selected'],
  [Flag.Highlighted, 'not highlighted'],
  [Flag.Pressed, 'not pressed'],
  [Flag.Current, 'not current'],
  [Flag.Disabled, 'enabled'],
  [Flag.Invalid, 'valid'],
];

function lostStates(was: ViewNode, { node }: ViewNode): string {
  const [before, now] = [spokenFlags(was.node), spokenFlags(node)];
  const words = LOST.flatMap(([flags, word]) => (before & flags && !(now & flags) ? [word] : []));
  if (was.node.value !== undefined && was.node.value !== '' && node.value === undefined) words.push('empty');
  return words.length === 0 ? '' : ` ${words.join(' ')}`;
}

function holdsRole({ role, children }: ViewNode, roles: ReadonlySet<string>): boolean {
  return roles.has(role) || children.some(child => holdsRole(child, roles));
}

/** Whether a change is a message or dialog, or is in one. */
function isLoud(parents: readonly ViewNode[], item?: ViewNode): boolean {
  return parents.some(({ role }) => LOUD.has(role)) || (item !== undefined && holdsRole(item, LOUD));
}

/** An entry of one line about what is there now. */
function changeEntry(
  text: string,
  { weight = WEIGHT.changed, place, nodes }: Partial<Pick<Entry, 'weight' | 'place'>> & { nodes?: SnapshotNode[] } = {},
): Entry {
  return { weight, place, sign: '~', lines: [textLine(text, nodes)] };
}

/** An entry of one line about what is gone. */
function goneEntry(text: string, { place, gone }: Pick<Entry, 'place' | 'gone'>): Entry {
  return { weight: WEIGHT.gone, place, sign: '-', lines: [textLine(text)], gone };
}

function textLine(text: string, nodes: SnapshotNode[] = []): Line {
  return { depth: 0, text, parent: -1, end: 1, distance: 0, shape: '', nodes };
}
