import { Flag } from '../page/protocol.js';
import { CAPTION, withCaptions } from './calendar-captions.js';
import { isChoiceText, withTextsBeside } from './choice-texts.js';
import { addRowContext } from './row-context.js';
import { withSubmenus } from './submenus.js';
import { everyNode, isInteractive, type SnapshotNode } from './tree.js';
import type { ViewNode } from './view-node.js';

const LANDMARKS = new Set(['banner', 'complementary', 'contentinfo', 'form', 'main', 'navigation', 'region', 'search']);
/** Roles whose text is their purpose. */
export const MESSAGES: ReadonlySet<string> = new Set(['alert', 'status', 'tooltip', 'progressbar', 'meter', 'timer']);
const DIALOGS = new Set(['dialog', 'alertdialog']);
/** Groups whose name says what the things in them are for. */
const GROUPS = new Set([
  'feed',
  'figure',
  'grid',
  'group',
  'list',
  'listbox',
  'menu',
  'menubar',
  'radiogroup',
  'table',
  'tablist',
  'tabpanel',
  'toolbar',
  'tree',
  'treegrid',
  'application',
]);

const SORTED = Flag.SortedAscending | Flag.SortedDescending;

/** Rows have a name only where their author gave them one. */
const ROWS = new Set(['article', 'listitem']);

/**
 * Only what can be acted on and what gives it meaning.
 * @param verbatim With all texts, as in a dialog.
 */
export function pruneToInteractive(roots: readonly SnapshotNode[], verbatim = false): ViewNode[] {
  const kept = keepChildren(withCaptions(withSubmenus(roots)), verbatim);
  return withTextsBeside(addRowContext(kept));
}

/** All that a person can read or act on. */
export function pruneToContent(roots: readonly SnapshotNode[]): ViewNode[] {
  return withSubmenus(roots).flatMap(keepContent);
}

/** The same, to be read rather than acted on: a name that is the text of something is not cut short. */
export function toBeRead(views: readonly ViewNode[]): ViewNode[] {
  return views.map(item => {
    const isWhole = item.children.length === 0 || (item.node.flags & Flag.NamedByContent) !== 0;
    return { ...item, isWhole, children: toBeRead(item.children) };
  });
}

function view(node: SnapshotNode, children: ViewNode[]): ViewNode {
  const inside = children.filter(child => !repeatsHeading(node, child));
  const said = inside.length === 1 ? inside[0] : undefined;
  if (said !== undefined && isSaidBy(node, said)) return { node, role: node.role, name: said.name, children: [] };
  return { node, role: node.role, name: nameBesideChildren(node, inside), children: inside };
}

/** message-text: the one text in a message without a name stands in its line, as the name would. */
function isSaidBy(message: SnapshotNode, { node, role }: ViewNode): boolean {
  return MESSAGES.has(message.role) && message.name === '' && role === 'text' && (node.flags & Flag.HiddenText) === 0;
}

/**
 * name-from-child: a name that its only child repeats is not said twice. Nothing is lost: the child stands in the same
 * line and says it.
 */
function nameBesideChildren(node: SnapshotNode, children: ViewNode[]): string {
  if (node.role === 'iframe' || DIALOGS.has(node.role)) return node.name;
  const only = children.length === 1 ? children[0] : undefined;
  return only !== undefined && only.name === node.name && only.children.length === 0 ? '' : node.name;
}

/**
 * heading-in-name: a heading that only repeats the name of the region it heads, or part of the name of the link it stands
 * in, adds nothing to it.
 */
function repeatsHeading(node: SnapshotNode, child: ViewNode): boolean {
  if (child.role !== 'heading' || child.children.length > 0 || node.role === 'heading') return false;
  return isInteractive(node) ? node.name.includes(child.name) : node.name === child.name;
}

/** Whether what is inside belongs to it word for word: a message or a dialog. */
export function isVerbatim({ role }: SnapshotNode): boolean {
  return MESSAGES.has(role) || DIALOGS.has(role);
}

/** @param verbatim Whether they are inside a message or a dialog. */
function keepChildren(nodes: readonly SnapshotNode[], verbatim: boolean): ViewNode[] {
  return nodes.flatMap((node, index) => {
    if (node.role === 'text' && !verbatim) return isChoiceText(nodes, index) ? [view(node, [])] : [];
    return keepInteractive(node, verbatim);
  });
}

/** @param verbatim Whether it is inside such a one. */
function keepInteractive(node: SnapshotNode, verbatim: boolean): ViewNode[] {
  const { role } = node;
  // calendar-caption: the month that days are of.
  if (role === 'text' || role === CAPTION) return [view(node, [])];
  if (isSuggestions(node)) return keepContent(node);
  const isMessage = MESSAGES.has(role);
  const isDialog = DIALOGS.has(role);
  const children = keepChildren(node.children, verbatim || isVerbatim(node));
  if (isInteractive(node)) return isWrapper(node, children) ? children : [view(node, children)];
  if (role === 'heading') return [view(node, children)];
  // sorted-column: which way a table is sorted is a state of it, whatever sorts it.
  if ((node.flags & SORTED) !== 0) return [view(node, children)];
  // empty-message: a live region that says nothing now has nothing to tell.
  if (isMessage)
    return node.name !== '' || node.value !== undefined || children.length > 0 ? [view(node, children)] : [];
  if (isDialog) return [view(node, children)];
  // empty-landmark: a landmark without anything to act on or head is scenery.
  if (LANDMARKS.has(role)) return children.length > 0 ? [view(node, children)] : [];
  // nameless-group: a group without a name only adds indentation.
  if ((GROUPS.has(role) || ROWS.has(role)) && node.name !== '' && children.length > 0) return [view(node, children)];
  return children;
}

/** Roles that suggestions come in; a table that a field filters is a part of the page. */
const SUGGESTIONS = new Set(['generic', 'group', 'list', 'listbox', 'region', 'tooltip']);

/** suggestions: what a field offers to be typed is told, where nothing in it can be acted on. */
function isSuggestions(node: SnapshotNode): boolean {
  if ((node.flags & Flag.Offered) === 0 || !SUGGESTIONS.has(node.role)) return false;
  for (const inside of everyNode([node])) if (isInteractive(inside)) return false;
  return true;
}

/** Roles that only structure: what has one of them and reacts to clicks does so on behalf of what is in it. */
const WRAPPERS = new Set(['clickable', 'listitem', 'cell', 'gridcell', 'heading', 'img', 'group', 'figure']);

/**
 * clickable-wrapper: an element that is clickable only because it surrounds one control, and says no more than that
 * control, is not listed. Clicking the control does the same.
 */
function isWrapper(node: SnapshotNode, children: ViewNode[]): boolean {
  const only = children.length === 1 ? children[0] : undefined;
  if (!WRAPPERS.has(node.role) || only === undefined || !isInteractive(only.node)) return false;
  return node.name === only.name || node.name === '';
}

function keepContent(node: SnapshotNode): ViewNode[] {
  const children = node.children.flatMap(keepContent);
  if (isInteractive(node)) return isWrapper(node, children) ? children : [view(node, children)];
  if (node.role === 'text') return [view(node, children)];
  // empty-structure: structure with nothing in it and no name says nothing.
  if (children.length === 0 && node.name === '' && node.value === undefined) return [];
  if (PLAIN_CONTAINERS.has(node.role) && node.name === '') return children;
  if (node.role === 'row') return [plainRow(node, children)];
  return [view(node, children)];
}

/** Containers that only group; without a name their children say all. */
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

/** plain-row: the cells of a row of mere text stand in one line, as they do on the page. */
function plainRow(node: SnapshotNode, children: ViewNode[]): ViewNode {
  const plain = children.every(
    child =>
      child.children.length === 0 &&
      !isInteractive(child.node) &&
      !isLabelled(child.node) &&
      child.role.includes('cell'),
  );
  // A name that its cells do not make is one that its author gave it.
  const isOwnName = isLabelled(node) && !children.every(({ name }) => node.name.includes(name));
  if (isOwnName) return view(node, children);
  if (!plain || children.length === 0) return { ...view(node, children), name: '' };
  return { node, role: 'row', name: children.map(child => child.name).join(' | '), children: [] };
}

function isLabelled(node: SnapshotNode): boolean {
  return (node.flags & Flag.Labelled) !== 0;
}
