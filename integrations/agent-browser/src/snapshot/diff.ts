import { Flag } from '../page/protocol.js';
import type { ViewNode } from './prune.js';
import { elementText, indent, type RefOf } from './render.js';
import { estimateTokens } from './tokens.js';
import { isInteractive, type SnapshotNode } from './tree.js';

/** What the agent knows of a page: each node's line without its ref, and where it stood. */
export interface KnownView {
  lines: Map<string, { text: string; parent: string }>;
}

export interface Difference {
  /** Lines with `+`, `-` and `~`, within the budget; `(no change)` when there is none. */
  text: string;
  /** Whether every change is told. */
  complete: boolean;
  /** Nodes whose lines stand in the text. */
  told: SnapshotNode[];
}

interface Change {
  sign: '+' | '-' | '~';
  text: string;
  depth: number;
  /** Keys of the nodes that this one stands in, outermost first. */
  parents: string[];
  weight: number;
  node?: SnapshotNode;
}

/**
 * What is compared: without the ref, so that an element which was rendered again does not look different for its number
 * alone, and without the focus, which every action moves.
 */
function comparedText(item: ViewNode): string {
  const node = { ...item.node, flags: item.node.flags & ~Flag.Focused };
  return elementText({ ...item, node }, () => '@');
}

export function knownView(views: readonly ViewNode[]): KnownView {
  const lines: KnownView['lines'] = new Map();
  const visit = (item: ViewNode, parent: string): void => {
    lines.set(item.node.key, { text: comparedText(item), parent });
    for (const child of item.children) visit(child, item.node.key);
  };
  for (const item of views) visit(item, '');
  return { lines };
}

export interface DiffOptions {
  refOf: RefOf;
  maxTokens: number;
}

/** What differs between what the agent knows and what is there, by the identity of elements. */
export function diffViews(known: KnownView, views: readonly ViewNode[], options: DiffOptions): Difference {
  const current = new Map<string, string>();
  const changes = collect(known, views, current);
  const gone = collectGone(known, current);
  const all = mergeReplaced(changes, gone);
  if (all.length === 0) return { text: '(no change)', complete: true, told: [] };
  return write(all, views, options);
}

/** What is gone, told by the outermost line that has something to say: a nameless list item says nothing. */
function collectGone(known: KnownView, current: ReadonlyMap<string, string>): Change[] {
  const gone: Change[] = [];
  const told = new Set<string>();
  for (const [key, { text, parent }] of known.lines) {
    if (current.has(key)) continue;
    if (told.has(parent)) {
      told.add(key);
      continue;
    }
    if (!text.includes('"')) continue;
    told.add(key);
    const parents = current.has(parent) ? [parent] : [];
    gone.push({ sign: '-', text: text.replace(' @', ''), depth: 0, parents, weight: 1 });
  }
  return gone;
}

/** What they say is the first thing to know. */
const LOUD = new Set(['alert', 'alertdialog', 'dialog', 'status']);

function collect(known: KnownView, views: readonly ViewNode[], current: Map<string, string>): Change[] {
  const changes: Change[] = [];
  const visit = (item: ViewNode, parents: string[], isAloud: boolean): void => {
    const text = comparedText(item);
    const isLoud = isAloud || LOUD.has(item.role);
    const before = known.lines.get(item.node.key);
    current.set(item.node.key, text);
    if (before === undefined || before.text !== text) {
      const weight = isLoud ? 4 : isInteractive(item.node) || item.role === 'heading' ? 3 : 2;
      changes.push({
        sign: before === undefined ? '+' : '~',
        text,
        depth: parents.length,
        parents,
        weight,
        node: item.node,
      });
    }
    const path = [...parents, item.node.key];
    for (const child of item.children) visit(child, path, isLoud);
  };
  for (const item of views) visit(item, [], false);
  return changes;
}

/**
 * What was rendered again and reads as before is no removal and addition: it is told once, with its new ref, and not at
 * all where it has none.
 */
function mergeReplaced(changes: Change[], gone: Change[]): Change[] {
  const left = new Map<string, Change[]>();
  for (const change of gone) {
    const key = placeOf(change, change.text);
    left.set(key, [...(left.get(key) ?? []), change]);
  }
  const merged = new Set<Change>();
  for (const change of changes) {
    if (change.sign !== '+') continue;
    const twin = left.get(placeOf(change, change.text.replace(' @', '')))?.shift();
    if (twin === undefined) continue;
    merged.add(twin);
    if (change.text.includes('@')) change.sign = '~';
    else merged.add(change);
  }
  return [...changes, ...gone].filter(change => !merged.has(change));
}

function placeOf(change: Change, text: string): string {
  return `${change.parents[change.parents.length - 1] ?? ''}\0${text}`;
}

/** Set aside for the line that counts what was left out. */
const CLOSING_TOKENS = 16;

function write(changes: Change[], views: readonly ViewNode[], options: DiffOptions): Difference {
  const labels = new Map<string, string>();
  const label = (items: readonly ViewNode[]): void => {
    for (const item of items) {
      labels.set(item.node.key, elementText(item, options.refOf));
      label(item.children);
    }
  };
  label(views);
  const chosen = choose(changes, labels, options.maxTokens - CLOSING_TOKENS);
  const out: string[] = [];
  const written = new Set<string>();
  for (const change of changes) {
    if (!chosen.has(change)) continue;
    const place = placing(change, labels, written);
    if (place !== undefined) out.push(`  ${place}`);
    const text = writtenText(change, labels);
    const depth = change.parents.some(parent => written.has(parent)) ? 1 : 0;
    out.push(`${change.sign} ${indent(depth)}${text}`);
    if (change.node !== undefined) written.add(change.node.key);
  }
  const left = changes.length - chosen.size;
  if (left > 0) out.push(`… ${left} more ${left === 1 ? 'change' : 'changes'}: browser_snapshot`);
  const told = changes.flatMap(change => (chosen.has(change) && change.node !== undefined ? [change.node] : []));
  return { text: out.join('\n'), complete: left === 0, told };
}

/** With its ref, where it has one. */
function writtenText({ node, text }: Change, labels: ReadonlyMap<string, string>): string {
  return node === undefined ? text : (labels.get(node.key) ?? text);
}

/** The line of the nearest parent, where it says where the change is and has not been written yet. */
function placing(change: Change, labels: Map<string, string>, written: Set<string>): string | undefined {
  const parent = change.parents[change.parents.length - 1];
  if (parent === undefined || written.has(parent)) return undefined;
  const text = labels.get(parent);
  if (text === undefined || !text.includes('"')) return undefined;
  written.add(parent);
  return text;
}

/** Takes the weightiest changes that fit; among equals, the first in the document. */
function choose(changes: readonly Change[], labels: Map<string, string>, maxTokens: number): Set<Change> {
  const chosen = new Set<Change>();
  let left = maxTokens;
  for (const change of [...changes].sort((a, b) => b.weight - a.weight)) {
    const parent = change.parents[change.parents.length - 1];
    const place = parent === undefined ? '' : (labels.get(parent) ?? '');
    const cost = estimateTokens(writtenText(change, labels)) + estimateTokens(place) + 4;
    if (cost > left) continue;
    left -= cost;
    chosen.add(change);
  }
  return chosen;
}
