import { Flag } from '../page/protocol.js';
import { DIALOG_ROLES } from '../page/roles.js';
import { fitToBudget } from '../snapshot/budget.js';
import {
  counted,
  elementText,
  indent,
  type Line,
  type RefOf,
  refRuns,
  renderLines,
  shortSummaryOf,
  summarizeLines,
} from '../snapshot/render.js';
import { estimateTokens } from '../snapshot/tokens.js';
import { isInteractive, type SnapshotNode, type ViewNode } from '../snapshot/tree.js';
import {
  hasInteractive,
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

/** One change, or several of a kind at one place, as it is written. */
interface Entry {
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

interface EntryOptions {
  refOf: RefOf;
  /** Describes the element of a key, if it is listed. */
  describe?: (key: string) => string | undefined;
}

/** The order of changes: what can be acted on now first, then values, other changes, and removals. */
const WEIGHT = { loud: 8, actable: 7, valued: 6, changed: 5, renewed: 4, said: 3, back: 2, gone: 1 };

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
/** This many renewed nodes in a row share one line. */
const MANY_RENEWED = 3;

/** The entries of changes, in document order. */
function entriesOf(changes: readonly PageChange[], options: EntryOptions): Entry[] {
  const { refOf } = options;
  const entries: Entry[] = [];
  const closedDialogs = changes.some(change => change.kind === 'removed' && DIALOG_ROLES.has(change.was.role));
  const opensDialog = changes.some(change => change.kind === 'added' && hasDialog(change.item));
  const isBehind = (change: PageChange): boolean =>
    opensDialog &&
    change.kind === 'removed' &&
    change.parents.length === 0 &&
    subtreeSize(change.was) >= SMALLEST_BEHIND;
  for (const group of groupsOf(changes.filter(change => !isBehind(change)))) {
    const [first] = group;
    if (first === undefined) continue;
    // The parts behind a closed dialog are back, as expected.
    if (first.kind === 'again' && closedDialogs) continue;
    if (first.kind === 'removed') entries.push(...removalEntries(group.filter(isRemoval)));
    else if (first.kind === 'added') entries.push(...additionEntries(group.filter(isAddition), refOf));
    else if (first.kind === 'renewed' && group.length >= MANY_RENEWED) entries.push(renewedEntry(group, refOf));
    else {
      entries.push(...group.filter(isLasting).map(change => changeEntryOf(change, refOf)));
      entries.push(...group.filter(isAppearance).map(change => appearanceEntry(change, options)));
    }
  }
  return withFewRemovals(entries);
}

/** Joins removals at many places into one entry: listed separately they would say no more. */
function withFewRemovals(entries: readonly Entry[]): Entry[] {
  const removals = entries.filter(({ weight }) => weight === WEIGHT.gone);
  if (removals.length <= MOST_REMOVALS) return [...entries];
  const gone = removals.reduce((sum, entry) => sum + (entry.gone ?? 1), 0);
  const text = `${counted(gone, 'line')}: ${removals.map(({ lines: [line] }) => line?.text).join('; ')}`;
  const lines = [textLine(undefined, text.length > REMOVAL_TEXT ? `${text.slice(0, REMOVAL_TEXT)}…` : text)];
  return [
    ...entries.filter(({ weight }) => weight !== WEIGHT.gone),
    { weight: WEIGHT.gone, place: undefined, sign: '-', lines, gone },
  ];
}

type Removal = Extract<PageChange, { kind: 'removed' }>;
/** A change of the page's appearance rather than of its elements. */
type Appearance = Extract<
  PageChange,
  { kind: 'selected' | 'restyled' | 'titled' | 'looks' | 'scrolled' | 'slid' | 'drawn' }
>;
type Addition = Extract<PageChange, { kind: 'added' }>;
type Lasting = Exclude<PageChange, Removal | Addition | Appearance>;

const isRemoval = (change: PageChange): change is Removal => change.kind === 'removed';
const APPEARANCES: ReadonlySet<string> = new Set<Appearance['kind']>([
  'selected',
  'restyled',
  'titled',
  'looks',
  'scrolled',
  'slid',
  'drawn',
]);
const isAppearance = (change: PageChange): change is Appearance => APPEARANCES.has(change.kind);
const isAddition = (change: PageChange): change is Addition => change.kind === 'added';
const isLasting = (change: PageChange): change is Lasting =>
  !isRemoval(change) && !isAddition(change) && !isAppearance(change);

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

/** Elements that were rendered again unchanged: only their refs are news. */
function renewedEntry(group: readonly PageChange[], refOf: RefOf): Entry {
  const lines = group
    .filter(isLasting)
    .flatMap(({ item }) => (item === undefined ? [] : renderLines([item], { refOf })));
  const nodes = lines.flatMap(line => line.nodes);
  const text = `rendered again as before: ${summarizeLines(lines)}${refRuns(nodes.filter(isInteractive).map(refOf))}`;
  const line: Line = { ...textLine(undefined, text), nodes };
  return { weight: WEIGHT.renewed, place: nearestPlace(group[0] as PageChange), sign: '~', lines: [line] };
}

/** Joins the additions at one place, so that repetitions can be folded. Messages get entries of their own. */
function additionEntries(group: readonly Addition[], refOf: RefOf): Entry[] {
  const isLoud = ({ item, parents }: Addition): boolean => parents.some(({ role }) => LOUD.has(role)) || isLoudIn(item);
  const place = nearestPlace(group[0] as Addition);
  const entry = (items: readonly ViewNode[], weight: number): Entry[] =>
    items.length === 0
      ? []
      : [
          {
            weight,
            place,
            sign: '+',
            lines: renderLines(items, { refOf }),
            brief: () => renderLines(items.flatMap(withoutTexts), { refOf }),
          },
        ];
  const loud = group.filter(isLoud).flatMap(({ item }) => entry([item], WEIGHT.loud));
  const others = group.filter(change => !isLoud(change)).map(({ item }) => item);
  const weight = others.some(hasInteractive) ? WEIGHT.actable : WEIGHT.said;
  return [...loud, ...entry(others, weight)];
}

/** The interactive parts of a view and their context. */
function withoutTexts(item: ViewNode): ViewNode[] {
  if (item.children.length === 0) return item.role === 'text' ? [] : [item];
  return hasInteractive(item) ? [{ ...item, children: item.children.flatMap(withoutTexts) }] : [item];
}

function changeEntryOf(change: Lasting, refOf: RefOf): Entry {
  const place = nearestPlace(change);
  const isLoud =
    change.parents.some(({ role }) => LOUD.has(role)) || (change.item !== undefined && isLoudIn(change.item));
  switch (change.kind) {
    case 'again': {
      const { item } = change;
      const size = subtreeSize(item);
      const lines = renderLines([item], { refOf });
      const isShort = size <= SHORT_RETURN;
      const told = isShort ? lines : [textLine(item, `again as before: ${namePart(item)} (${counted(size, 'line')})`)];
      return { weight: isShort ? WEIGHT.changed : WEIGHT.back, place, sign: '+', lines: told };
    }
    case 'changed': {
      const { item, was } = change;
      const text = elementText(item, refOf) + lostStates(was, item);
      const weight = isLoud
        ? WEIGHT.loud
        : isInteractive(item.node) && item.node.value !== was.node.value
          ? WEIGHT.valued
          : hasInteractive(item) || item.role === 'heading'
            ? WEIGHT.changed
            : WEIGHT.said;
      return { weight, place, subject: item, sign: '~', lines: [textLine(item, text)] };
    }
    case 'renewed': {
      const { item } = change;
      return { weight: WEIGHT.renewed, place, sign: '~', lines: renderLines([item], { refOf }) };
    }
    case 'moved': {
      const { item } = change;
      const isPlaced = place !== undefined && place === change.parents.at(-1);
      const label = { ...item, name: item.name === '' ? shortenedName(itemLabelOf(item) ?? '') : item.name };
      const what = elementText(label, refOf);
      const text = isPlaced ? `moved here: ${what}` : `${what} moved${movedTo(change)}`;
      return { weight: WEIGHT.changed, place, sign: '~', lines: [textLine(item, text)] };
    }
    case 'reordered': {
      const { item, order } = change;
      const holder = item ?? nearestNamed(change.parents);
      const what = holder === undefined ? 'page' : namePart(nearestNamed([...change.parents, holder]) ?? holder);
      return {
        weight: WEIGHT.changed,
        place: undefined,
        sign: '~',
        lines: [textLine(holder, `reordered: ${what}${orderText(order)}`)],
      };
    }
  }
}

/** Where a node moved to, such as ` after "Guest"`, if its new parent has no name. */
function movedTo({ beside, parents }: Extract<PageChange, { kind: 'moved' }>): string {
  if (beside === undefined) return ` into an empty ${parents.at(-1)?.role ?? 'page'}`;
  return ` ${beside.where} ${JSON.stringify(shortenedName(itemLabelOf(beside.item) ?? beside.item.role))}`;
}

function appearanceEntry(change: Appearance, { describe }: EntryOptions): Entry {
  return {
    weight: WEIGHT.changed,
    place: undefined,
    sign: '~',
    lines: [textLine(undefined, appearanceText(change, describe))],
  };
}

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
  if (change.kind === 'looks') return `appearance changed: ${named ?? `<${change.tag}>`} (${change.how})`;
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
  const telling = removals.map(({ was, parents }) => ({
    was,
    place: nearestPlace({ parents }),
    lines: linesGone(was),
  }));
  const told = telling.filter(({ lines }) => lines.length > 0);
  if (told.length <= SINGLE_REMOVALS) {
    return told.map(({ was, place, lines }) => ({
      weight: DIALOG_ROLES.has(was.role) ? WEIGHT.changed : WEIGHT.gone,
      place,
      sign: '-',
      lines: [textLine(undefined, goneText(was, lines))],
      gone: lines.length,
    }));
  }
  const dialogs = removals.filter(({ was }) => DIALOG_ROLES.has(was.role));
  if (dialogs.length > 0) {
    const others = removals.filter(removal => !dialogs.includes(removal));
    return [...dialogs.flatMap(dialog => removalEntries([dialog])), ...removalEntries(others)];
  }
  const lines = told.flatMap(each => each.lines);
  const [first] = told;
  const areRows = told.every(({ was }) => was.role === first?.was.role && LABELLED_ROWS.has(was.role));
  const text = areRows
    ? `${counted(told.length, first?.was.role ?? '')}${told.length > NAMED_REMOVALS ? '' : orderText(told.map(({ was }) => was))}`
    : `${counted(lines.length, 'line')}: ${summarizeLines(lines)}`;
  return [
    { weight: WEIGHT.gone, place: told[0]?.place, sign: '-', lines: [textLine(undefined, text)], gone: lines.length },
  ];
}

/** The lines of a removed part; none if it had no text. */
function linesGone(was: ViewNode): Line[] {
  return renderLines([was], {}).filter(({ text }) => text.includes('"'));
}

function goneText(was: ViewNode, lines: readonly Line[]): string {
  const closed = DIALOG_ROLES.has(was.role) ? ' closed' : '';
  const [first] = lines;
  if (lines.length === 1 && first !== undefined && was.name === '') return `${first.text}${closed}`;
  const head = elementText({ ...was, name: was.name === '' ? (itemLabelOf(was) ?? '') : was.name, children: [] });
  return closed === '' && lines.length > 1 ? `${head} (${lines.length} lines)` : `${head}${closed}`;
}

/** Words for states that have ended: a word that is only missing would be overlooked. */
const LOST: readonly [number, string][] = [
  [Flag.Checked, 'not checked'],
  [Flag.Selected, 'not selected'],
  [Flag.Pressed, 'not pressed'],
  [Flag.Current, 'not current'],
  [Flag.Disabled, 'enabled'],
  [Flag.Invalid, 'valid'],
];

function lostStates(was: ViewNode, { node }: ViewNode): string {
  const lost = spokenFlags(was.node) & ~spokenFlags(node);
  const words = LOST.flatMap(([flag, word]) => (lost & flag ? [word] : []));
  if (was.node.value !== undefined && was.node.value !== '' && node.value === undefined) words.push('empty');
  return words.length === 0 ? '' : ` ${words.join(' ')}`;
}

function hasDialog({ role, children }: ViewNode): boolean {
  return DIALOG_ROLES.has(role) || children.some(hasDialog);
}

function isLoudIn({ role, children }: ViewNode): boolean {
  return LOUD.has(role) || children.some(isLoudIn);
}

function textLine(item: ViewNode | undefined, text: string): Line {
  const nodes = item === undefined ? [] : [item.node];
  return { depth: 0, text, parent: -1, end: 1, distance: 0, shape: item?.role ?? '', nodes };
}

/** The text where no change was seen. */
export const NO_CHANGE = '(no change seen)';

/** The text where the result itself reports what was seen. */
export const NO_OTHER_CHANGE = '(no other change seen)';

interface Difference {
  text: string;
  /** Whether the text contains every change. */
  complete: boolean;
  /** Nodes whose lines are in the text. */
  told: SnapshotNode[];
}

interface DiffOptions extends EntryOptions {
  maxTokens: number;
}

/** Reserved for the line that reports what was left out. */
const DIFF_CLOSING_TOKENS = 40;
/** The largest share of the remaining budget that one change may take while others follow. */
const LARGEST_SHARE = 0.7;

/** Writes changes within a budget, by weight: new content that can be acted on, then changes, then removals. */
export function writeChanges(changes: readonly PageChange[], options: DiffOptions): Difference {
  const entries = entriesOf(changes, options);
  if (entries.length === 0) return { text: NO_CHANGE, complete: true, told: [] };
  const ordered = entriesInOrder(entries);
  const told: WrittenEntry[] = [];
  const left: Entry[] = [];
  let budget = options.maxTokens - DIFF_CLOSING_TOKENS;
  const aboutPlace = new Map(entries.map(entry => [entry.subject, entry]));
  const headed = new Set<Entry>();
  let place: ViewNode | undefined;
  for (const [position, entry] of ordered.entries()) {
    if (headed.has(entry)) continue;
    // A place that has changed itself is written as that change.
    const heading = entry.place === undefined || entry.place === place ? undefined : aboutPlace.get(entry.place);
    const header =
      entry.place === undefined || entry.place === place
        ? []
        : [heading === undefined ? `  ${placeText(entry.place, options.refOf)}` : `~ ${heading.lines[0]?.text}`];
    const others = position < ordered.length - 1;
    const room = budget - linesTokens(header);
    const written = writeEntry(entry, {
      ...options,
      maxTokens: others ? Math.max(room * LARGEST_SHARE, SMALLEST_PART_TOKENS) : room,
    });
    const cost = written === undefined ? 0 : linesTokens(header) + linesTokens(written.lines);
    if (written === undefined || cost > budget) {
      left.push(entry);
      continue;
    }
    budget -= cost;
    if (heading !== undefined) headed.add(heading);
    told.push({ entry, header, heads: heading?.lines[0]?.nodes ?? [], written });
    place = entry.subject ?? entry.place;
  }
  for (const each of told) budget = fill(each, budget, options);
  left.push(...told.flatMap(({ entry, written: { rest } }) => (rest.length > 0 ? [{ ...entry, lines: rest }] : [])));
  const out = told.flatMap(({ header, written }) => [...header, ...written.lines]);
  if (left.length > 0) out.push(closing(left, options));
  return {
    text: out.join('\n'),
    complete: left.length === 0,
    told: told.flatMap(({ heads, written }) => [...heads, ...written.told]),
  };
}

interface WrittenEntry {
  entry: Entry;
  header: readonly string[];
  /** The nodes in the header. */
  heads: readonly SnapshotNode[];
  written: WrittenChange;
}

/** Writes more of a change that was truncated to leave room for others. Returns the remaining budget. */
function fill(each: WrittenEntry, budget: number, options: DiffOptions): number {
  const { written, entry } = each;
  if (!written.isCut) return budget;
  const cost = linesTokens(written.lines);
  const fuller = writeEntry(entry, { ...options, maxTokens: cost + budget, isFilled: true });
  if (fuller === undefined) return budget;
  each.written = fuller;
  return budget + cost - linesTokens(fuller.lines);
}

/** Sorts by weight, each entry followed by the others at its place, so that the place is written once. */
function entriesInOrder(entries: readonly Entry[]): Entry[] {
  const byWeight = [...entries].sort((one, other) => other.weight - one.weight);
  const ordered = new Set<Entry>();
  for (const entry of byWeight) {
    ordered.add(entry);
    for (const place of [entry.subject, entry.place]) {
      if (place !== undefined) for (const other of byWeight) if (other.place === place) ordered.add(other);
    }
  }
  return [...ordered];
}

/** Tokens that a change may always take, even where others follow. */
const SMALLEST_PART_TOKENS = 60;

interface WrittenChange {
  lines: string[];
  told: readonly SnapshotNode[];
  rest: readonly Line[];
  /** Whether the change was truncated. */
  isCut: boolean;
}

function writeEntry(
  { lines, brief, sign, place }: Entry,
  { refOf, maxTokens, isFilled = false }: DiffOptions & { isFilled?: boolean },
): WrittenChange | undefined {
  const start = place === undefined ? '' : indent(1);
  const signed = (text: string): string => `${sign} ${start}${text}`;
  const whole = lines.map(line => signed(indent(line.depth) + line.text));
  if (linesTokens(whole) <= maxTokens)
    return { lines: whole, told: lines.flatMap(({ nodes }) => nodes), rest: [], isCut: false };
  if (lines.length === 1) return undefined;
  const shorter = brief?.() ?? lines;
  // The budget does not count the sign of each line.
  const body = fitToBudget(shorter.length === 0 ? lines : shorter, {
    maxTokens: maxTokens - 2 * Math.min(lines.length, maxTokens / 8),
    usualTokens: 0,
    isFilled,
    refOf,
  });
  if (body.text === '') return undefined;
  const kept = body.text.split('\n').map(signed);
  if (linesTokens(kept) > maxTokens) return undefined;
  const texts = shorter.length < lines.length ? lines.filter(isTextLine) : [];
  return { lines: kept, told: [...body.shown, ...body.folded], rest: [...body.unfolded, ...texts], isCut: true };
}

function isTextLine({ nodes }: Line): boolean {
  return nodes.every(({ role }) => role === 'text');
}

function linesTokens(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + estimateTokens(line) + 1, 0);
}

/** The line that reports what was left out, shorter where it is only removals. */
function closing(left: readonly Entry[], { maxTokens, refOf }: DiffOptions): string {
  const gone = left.reduce((sum, entry) => sum + (entry.gone ?? 0), 0);
  const others = left.filter(entry => entry.gone === undefined).flatMap(({ lines }) => lines);
  if (others.length === 0) return `… ${gone} removed`;
  const count = others.length + gone;
  const head = `… ${count} more ${count === 1 ? 'change' : 'changes'}`;
  const text = (what: string): string => {
    const parts = [what, gone === 0 ? '' : `${gone} removed`].filter(Boolean).join(', ');
    return `${head}${parts && `: ${parts}`} (browser_snapshot)`;
  };
  if (maxTokens < 2 * DIFF_CLOSING_TOKENS) return `${head} (browser_snapshot)`;
  return text(shortSummaryOf(others, refOf, what => estimateTokens(text(what)) <= DIFF_CLOSING_TOKENS));
}
