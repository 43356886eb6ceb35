import { getOrInsert } from '#page-engine/dom/get-or-insert.js';
import { isNameless } from '#page-engine/names/hint-words.js';
import { MESSAGE_ROLES } from '#page-engine/names/roles.js';
import { Flag } from '#page-engine/protocol.js';
import { shortText } from '#page-engine/text/cut-text.js';
import { rowLabel, shortLabel } from './prune.js';
import { everyNode, isInteractive, type PageSnapshot, type SnapshotNode, type ViewNode } from './tree.js';

/** One line of a rendered snapshot. */
export interface Line {
  depth: number;
  text: string;
  /** Index of the parent's line; -1 at the top level. */
  parent: number;
  /** Index after the last line of its subtree. */
  end: number;
  distance: number;
  /** Roles of the line and its subtree: equal for siblings that are alike. */
  shape: string;
  /** The nodes rendered in this line; several where a container holds only one child. */
  nodes: SnapshotNode[];
  /** Estimated tokens of the line with its line break and indentation, cached. */
  tokens?: number;
}

/** Returns the ref of a node, such as `@e12`. */
export type RefOf = (node: SnapshotNode) => string;

interface RenderOptions {
  /** Omitted for removed nodes, which have no refs any more. */
  refOf?: RefOf;
  maxDepth?: number;
}

const RENDERED_NAME_LIMIT = 70;
/** Shorter than the limit of other names: the lines below a container give the details. */
const CONTAINER_NAME_LIMIT = 50;
const RENDERED_VALUE_LIMIT = 80;
const OPTIONS_LIMIT = 240;
/** In options: fewer numbers are all written. */
const SHORTEST_RANGE = 4;
const RENDERED_TEXT_LIMIT = 300;
/** In levels. A page may nest without limit, so deeper levels are not indented further. */
const DEEPEST_INDENT = 30;

const STATE_WORDS: readonly [number, string][] = [
  [Flag.Focused, 'focused'],
  [Flag.Checked, 'checked'],
  [Flag.Mixed, 'mixed'],
  [Flag.Selected, 'selected'],
  [Flag.Highlighted, 'highlighted'],
  [Flag.Pressed, 'pressed'],
  [Flag.Expanded, 'expanded'],
  [Flag.Collapsed, 'collapsed'],
  [Flag.Current, 'current'],
  [Flag.SortedAscending, 'sorted ascending'],
  [Flag.SortedDescending, 'sorted descending'],
  [Flag.Multiselectable, 'multiselectable'],
  [Flag.Required, 'required'],
  [Flag.Invalid, 'invalid'],
  [Flag.ReadOnly, 'readonly'],
  [Flag.Disabled, 'disabled'],
  [Flag.HiddenText, 'hidden-text'],
  [Flag.AriaHidden, 'aria-hidden'],
];

function quote(text: string, limit: number): string {
  return JSON.stringify(shortText(text, limit));
}

/**
 * An element as it is written in a line: role, name, ref, then its properties and states.
 * @param known The element as the reader knows it: its options are not repeated.
 */
export function elementText(item: ViewNode, refOf?: RefOf, known?: SnapshotNode): string {
  const { node } = item;
  let text = item.role;
  if (!isNameless(item.name)) text += ` ${JSON.stringify(nameShown(item))}`;
  if (refOf !== undefined && isInteractive(node)) text += ` ${refOf(node)}`;
  if (node.hint !== undefined) text += ` [${node.hint}]`;
  if (node.text !== undefined) text += ` text=${quote(node.text, RENDERED_VALUE_LIMIT)}`;
  if (node.takes !== undefined) text += ` ${node.takes}`;
  if (node.level !== undefined && node.role === item.role) text += ` level=${node.level}`;
  if (node.value !== undefined) text += ` value=${quote(node.value, RENDERED_VALUE_LIMIT)}`;
  // The options of a drop-down that opened have lines of their own.
  const isListed = node.options === undefined && (node.flags & Flag.Expanded) !== 0;
  if (!isListed && String(node.options) !== String(known?.options))
    text += optionsText(node.options, item.role === 'listbox');
  if (node.editable) text += ' editable';
  if (node.popup !== undefined) text += node.popup === 'menu' ? ' haspopup' : ` haspopup=${node.popup}`;
  for (const [flag, word] of STATE_WORDS) if (node.flags & flag) text += ` ${word}`;
  return text;
}

/** Such as ` options: "Red", "White"`, or ` 195 options`; a range of numbers only by its ends. */
function optionsText(options: SnapshotNode['options'] = 0, isListBox = false): string {
  if (typeof options === 'number') return options === 0 ? ' no options' : ` ${counted(options, 'option')}`;
  const isRange =
    options.length > SHORTEST_RANGE && options.every((label, index) => Number(label) === Number(options[0]) + index);
  const listed = isRange ? [...options.slice(0, 2), '…', ...options.slice(-1)] : options;
  if (listed.join(' | ').length > OPTIONS_LIMIT) return ` ${counted(options.length, 'option')}`;
  // The options of a list box are its visible content, those of a drop-down are choices that nobody sees yet.
  if (isListBox) return ` options=${JSON.stringify(listed.join(' | '))}`;
  return ` options: ${listed.map(label => (label === '…' ? label : JSON.stringify(label))).join(', ')}`;
}

function nameShown({ role, name, children, isWhole }: ViewNode): string {
  if (isWhole || role === 'text' || MESSAGE_ROLES.has(role)) return shortText(name, RENDERED_TEXT_LIMIT);
  if (children.length === 0) return shortLabel(name, RENDERED_NAME_LIMIT);
  return role === 'row' ? rowLabel(name) : shortLabel(name, CONTAINER_NAME_LIMIT);
}

/** Renders views as lines, in document order. */
export function renderLines(views: readonly ViewNode[], options: RenderOptions): Line[] {
  const lines: Line[] = [];
  for (const item of views) renderInto(lines, item, { depth: 0, parent: -1 }, options);
  return lines;
}

function renderInto(
  lines: Line[],
  item: ViewNode,
  at: { depth: number; parent: number },
  options: RenderOptions,
): string {
  const nodes = [item.node, ...(item.standsFor ?? [])];
  let text = elementText(item, options.refOf);
  let shape = item.role;
  let last = item;
  // A node without a name and with a single child shares its line with that child.
  while (last.children.length === 1 && isBare(last)) {
    last = last.children[0] as ViewNode;
    nodes.push(last.node);
    text += `  ${elementText(last, options.refOf)}`;
    shape += `>${last.role}`;
  }
  for (const beside of last.beside ?? []) {
    nodes.push(beside.node);
    text += ` ${quote(beside.name, RENDERED_TEXT_LIMIT)}`;
  }
  if (last.role === 'list') text += itemCount(last.node);
  const index = lines.length;
  const distance = Math.min(...nodes.map(node => node.distance));
  const line: Line = { ...at, text, end: index + 1, distance, shape, nodes };
  lines.push(line);
  if (options.maxDepth === undefined || at.depth + 1 < options.maxDepth) {
    const inside = last.children.map(child =>
      renderInto(lines, child, { depth: at.depth + 1, parent: index }, options),
    );
    if (inside.length > 0) line.shape += `(${summary(inside)})`;
  } else if (last.children.length > 0) line.text += ` … ${[...everyNode(last.children)].length} below`;
  line.end = lines.length;
  return line.shape;
}

function itemCount(list: SnapshotNode): string {
  const items = list.children.filter(child => child.role === 'listitem').length;
  return items > 1 ? ` (${items})` : '';
}

function isBare(item: ViewNode): boolean {
  return item.name === '' && item.node.value === undefined;
}

/** The shapes of children without consecutive duplicates, so that lists of different length are alike. */
function summary(shapes: string[]): string {
  return shapes
    .filter((shape, index) => shape !== shapes[index - 1])
    .join(',')
    .slice(0, 200);
}

/**
 * The first line of a snapshot: title, URL, scroll position.
 * @param hasAllText Whether the lines below contain all text, without having been asked for it.
 */
export function renderHeader(page: PageSnapshot, hasAllText = false): string {
  const notes: string[] = [];
  const { top, length, viewport } = page.scroll;
  const hidden = length - viewport;
  if (hidden > viewport / 10) {
    const below = (length - viewport - top) / viewport;
    notes.push(`scrolled ${Math.round((100 * top) / hidden)}%`);
    if (below > 0.1) notes.push(`${below < 10 ? Math.round(below * 10) / 10 : Math.round(below)} pages below`);
  }
  if (page.modal) notes.push('a modal dialog hides the rest of the page');
  if (page.cut) notes.push('very large page: only its first part is listed');
  if (hasAllText) notes.push('all text');
  const title = page.title === '' ? '' : ` ${quote(page.title, RENDERED_NAME_LIMIT)}`;
  return `page${title} ${page.url.slice(0, 500)}${notes.length > 0 ? `  (${notes.join(', ')})` : ''}`;
}

export function indent(depth: number): string {
  return '  '.repeat(Math.min(depth, DEEPEST_INDENT));
}

const MOST_RUNS = 2;

/** Ranges of refs such as ` (@e14-@e51, @e60)`; empty where there are none. */
export function refRuns(refs: readonly string[]): string {
  const runs = numberRuns(refs.map(ref => Number(ref.slice(2))));
  const listed = runs
    .slice(0, MOST_RUNS)
    .map(([first, last]) => (first === last ? `@e${first}` : `@e${first}-@e${last}`));
  if (runs.length > MOST_RUNS) listed.push('…');
  return listed.length === 0 ? '' : ` (${listed.join(', ')})`;
}

/** Stands for the ref of an element whose document is gone, until {@link withoutGoneRefs} takes it out. */
export const GONE_REF = '@e0';

/** In each form that refs are written in. What a page wrote stands in quotes, and stays. */
const GONE_REFS = /("(?:[^"\\]|\\.)*")|: snapshot ref=@e0\b| \(@e0(?:@e0|[-, …])*\)| @e0(?:-@e0)?\b/g;

/** A text that was written with {@link GONE_REF}, without any refs: nobody can act on what is gone. */
export function withoutGoneRefs(text: string): string {
  return text.replace(GONE_REFS, '$1');
}

/** Ranges of consecutive numbers. Elements that were added to the page later have higher ones. */
export function numberRuns(numbers: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs[runs.length - 1];
    if (run !== undefined && number === run[1] + 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

/** Roles whose name describes their content. */
const PARTS = new Set(
  `article banner complementary contentinfo dialog form grid group heading list listbox main menu menubar navigation
  radiogroup region search table tablist tabpanel toolbar tree treegrid`.split(/\s+/),
);
/** Words for landmarks that a page has only one of. */
const LANDMARK_WORDS: Record<string, string> = {
  banner: 'header',
  contentinfo: 'footer',
  main: 'main',
  navigation: 'navigation',
  search: 'search',
};
const PLURALS: Record<string, string> = { checkbox: 'checkboxes', searchbox: 'searchboxes', textbox: 'textboxes' };

const FIRST = 1_000_000;
const MOST_PARTS_NAMED = 5;
const MOST_KINDS_NAMED = 3;
const SHORT_NAME_LIMIT = 30;

/**
 * Summarizes lines that are left out: named parts first, then the number of nodes by role, such as `form "Delivery",
 * list "Items" (12), footer, 3 links`.
 */
export function summarizeLines(lines: readonly Line[], refOf?: RefOf): string {
  return wordsFor(lines, refOf).join(', ');
}

/** A summary that is shortened until it fits: first without refs, then without its end. Empty where nothing fits. */
export function shortSummaryOf(lines: readonly Line[], refOf: RefOf, fits: (text: string) => boolean): string {
  const text = summarizeLines(lines, refOf);
  if (fits(text)) return text;
  const words = wordsFor(lines);
  for (let count = words.length; count > 0; count--) {
    const shorter = [...words.slice(0, count), ...(count < words.length ? ['…'] : [])].join(', ');
    if (fits(shorter)) return shorter;
  }
  return '';
}

function wordsFor(lines: readonly Line[], refOf?: RefOf): string[] {
  const parts: string[] = [];
  const kinds = new Map<string, SnapshotNode[]>();
  let inside = Number.POSITIVE_INFINITY;
  for (const [index, line] of lines.entries()) {
    if (line.depth > inside) continue;
    inside = Number.POSITIVE_INFINITY;
    const part = parts.length < MOST_PARTS_NAMED ? partName(lines, index) : undefined;
    if (part === undefined) {
      const node = mainNodeOf(line);
      if (node === undefined || isBareHolder(lines, index)) continue;
      getOrInsert(kinds, node.role, () => []).push(node);
    } else {
      parts.push(part);
      inside = line.depth;
    }
  }
  return [...parts, ...kindCountsOf(kinds, refOf)];
}

/** Whether a line has no name but has content below it: then only the content is counted. */
function isBareHolder(lines: readonly Line[], index: number): boolean {
  const line = lines[index] as Line;
  return line.nodes.every(({ name }) => name === '') && (lines[index + 1]?.depth ?? 0) > line.depth;
}

function partName(lines: readonly Line[], index: number): string | undefined {
  const line = lines[index] as Line;
  const { role, name } = line.nodes[0] ?? { role: '', name: '' };
  const landmark = LANDMARK_WORDS[role];
  if (!PARTS.has(role) || (name === '' && landmark === undefined)) return undefined;
  const short = shortText(name, SHORT_NAME_LIMIT);
  const items = role === 'list' ? itemsBelow(lines, index) : 0;
  return `${landmark ?? role}${short === '' ? '' : ` ${JSON.stringify(short)}`}${items > 1 ? ` (${items})` : ''}`;
}

function itemsBelow(lines: readonly Line[], index: number): number {
  const { depth } = lines[index] as Line;
  let items = 0;
  for (let i = index + 1; i < lines.length && (lines[i] as Line).depth > depth; i++)
    if ((lines[i] as Line).depth === depth + 1) items++;
  return items;
}

/** The main node of a line: the interactive one, otherwise the first with a name or a descriptive role. */
function mainNodeOf({ nodes }: Line): SnapshotNode | undefined {
  const named = nodes.find(({ role, name }) => name !== '' || PARTS.has(role));
  return nodes.find(isInteractive) ?? named ?? nodes[0];
}

/** Counts by role, such as `12 links (@e4-@e15), 1 button (@e20)`. */
function kindCountsOf(kinds: ReadonlyMap<string, readonly SnapshotNode[]>, refOf: RefOf | undefined): string[] {
  const sorted = [...kinds].sort(([, one], [, other]) => weightOf(other) - weightOf(one));
  const listed = sorted.slice(0, MOST_KINDS_NAMED).map(([role, nodes]) => {
    const refs = refOf === undefined ? '' : refRuns(nodes.filter(isInteractive).map(refOf));
    return `${counted(nodes.length, role)}${refs}`;
  });
  const left = sorted.slice(MOST_KINDS_NAMED).reduce((sum, [, nodes]) => sum + nodes.length, 0);
  return left === 0 ? listed : [...listed, `${left} more`];
}

/** The sort key: interactive nodes first, then the most frequent ones. */
function weightOf(nodes: readonly SnapshotNode[]): number {
  return nodes.length + (nodes.some(isInteractive) ? FIRST : 0);
}

/** A count with its noun, such as `1 link` or `2 checkboxes`. */
export function counted(count: number, kind: string): string {
  return count === 1 ? `1 ${kind}` : `${count} ${PLURALS[kind] ?? `${kind}s`}`;
}
