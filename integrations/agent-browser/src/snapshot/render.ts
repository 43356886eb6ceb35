import { Flag } from '../page/protocol.js';
import { isNameless } from '../page/role-and-name/hint-words.js';
import { MESSAGES } from './prune.js';
import { isInteractive, type PageSnapshot, type SnapshotNode } from './tree.js';
import type { ViewNode } from './view-node.js';

/** One line of a snapshot's text. */
export interface Line {
  depth: number;
  text: string;
  /** Index of the parent's line; -1 at the top. */
  parent: number;
  /** Index behind the last line of what is below this one. */
  end: number;
  distance: number;
  /** Roles of the line and of what is below it: alike for siblings that look alike. */
  shape: string;
  /** The nodes that stand in this line; several where a container holds nothing but its only child. */
  nodes: SnapshotNode[];
  /** Estimate for the text with its line break and indentation, once somebody has asked. */
  tokens?: number;
}

/** Gives the ref of a node, such as `@e12`. */
export type RefOf = (node: SnapshotNode) => string;

export interface RenderOptions {
  /** Left out for what is gone, which has no refs any more. */
  refOf?: RefOf;
  maxDepth?: number;
}

const NAME_LIMIT = 70;
/** Names of things that hold other things, which say the rest. */
const CONTAINER_NAME_LIMIT = 50;
const VALUE_LIMIT = 80;
const OPTIONS_LIMIT = 240;
const TEXT_LIMIT = 300;
/** Deeper levels are not indented further: a page can nest without end, a reader cannot. */
const DEEPEST_INDENT = 30;

const STATES: readonly [number, string][] = [
  [Flag.Focused, 'focused'],
  [Flag.Checked, 'checked'],
  [Flag.Mixed, 'mixed'],
  [Flag.Selected, 'selected'],
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
];

function quote(text: string, limit: number): string {
  return JSON.stringify(text.length > limit ? `${cut(text, limit)}…` : text);
}

/** Never between the two halves of a character. */
function cut(text: string, limit: number): string {
  return text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
}

/** One element as it stands in a line: role, name, ref, then the states that matter. */
export function elementText(item: ViewNode, refOf?: RefOf): string {
  const { node } = item;
  let text = item.role;
  if (!isNameless(item.name)) text += ` ${quote(item.name, nameLimit(item))}`;
  if (refOf !== undefined && isInteractive(node)) text += ` ${refOf(node)}`;
  if (node.hint !== undefined) text += ` [${node.hint}]`;
  if (node.text !== undefined) text += ` text=${quote(node.text, VALUE_LIMIT)}`;
  if (node.takes !== undefined) text += ` ${node.takes}`;
  if (node.level !== undefined && node.role === item.role) text += ` level=${node.level}`;
  if (node.value !== undefined) text += ` value=${quote(node.value, VALUE_LIMIT)}`;
  if (node.options !== undefined) text += ` options=${quote(node.options.join(' | '), OPTIONS_LIMIT)}`;
  if (node.editable) text += ' editable';
  if (node.popup !== undefined) text += node.popup === 'menu' ? ' haspopup' : ` haspopup=${node.popup}`;
  for (const [flag, word] of STATES) if (node.flags & flag) text += ` ${word}`;
  return text;
}

function nameLimit(item: ViewNode): number {
  if (item.isWhole || item.role === 'text' || MESSAGES.has(item.role)) return TEXT_LIMIT;
  return item.children.length > 0 ? CONTAINER_NAME_LIMIT : NAME_LIMIT;
}

/** The lines of some views, in document order. */
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
  // A node that only says "one thing is in me" shares its line with that thing.
  while (last.children.length === 1 && isBare(last)) {
    last = last.children[0] as ViewNode;
    nodes.push(last.node);
    text += `  ${elementText(last, options.refOf)}`;
    shape += `>${last.role}`;
  }
  for (const beside of last.beside ?? []) {
    nodes.push(beside.node);
    text += ` ${quote(beside.name, TEXT_LIMIT)}`;
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
  } else if (last.children.length > 0) line.text += ` … ${count(last.children)} below`;
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

/** Shapes of children with their repetitions taken out, so that rows of different length are alike. */
function summary(shapes: string[]): string {
  return shapes
    .filter((shape, index) => shape !== shapes[index - 1])
    .join(',')
    .slice(0, 200);
}

function count(views: readonly ViewNode[]): number {
  return views.reduce((sum, item) => sum + 1 + count(item.children), 0);
}

/** The first line: what page this is and where in it the viewport stands. */
export function renderHeader(page: PageSnapshot): string {
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
  const title = page.title === '' ? '' : ` ${quote(page.title, NAME_LIMIT)}`;
  return `page${title} ${page.url.slice(0, 500)}${notes.length > 0 ? `  (${notes.join(', ')})` : ''}`;
}

export function indent(depth: number): string {
  return '  '.repeat(Math.min(depth, DEEPEST_INDENT));
}
