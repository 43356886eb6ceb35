import { refRuns } from './ref-runs.js';
import type { Line, RefOf } from './render.js';
import { isInteractive, type SnapshotNode } from './tree.js';

/** Parts of a page that say by themselves what is in them. */
const PARTS = new Set(
  `article banner complementary contentinfo dialog form grid group heading list listbox main menu menubar navigation
  radiogroup region search table tablist tabpanel toolbar tree treegrid`.split(/\s+/),
);
/** Those that a page has once, as a reader calls them. */
const LANDMARKS: Record<string, string> = {
  banner: 'header',
  contentinfo: 'footer',
  main: 'main',
  navigation: 'navigation',
  search: 'search',
};
const PLURALS: Record<string, string> = { checkbox: 'checkboxes', searchbox: 'searchboxes', textbox: 'textboxes' };

const FIRST = 1_000_000;
const MOST_PARTS = 5;
const MOST_KINDS = 3;
const SHORT_NAME_LIMIT = 30;

/**
 * What lies in lines that are left out, in a few words: their parts by name, then how many of which kind, such as
 * `form "Delivery", list "Items" (12), footer, 3 links`.
 */
export function summaryOf(lines: readonly Line[], refOf?: RefOf): string {
  return wordsFor(lines, refOf).join(', ');
}

/** The same, made shorter until it fits: without refs, then without its end. Empty where nothing fits. */
export function shortSummaryOf(lines: readonly Line[], refOf: RefOf, fits: (text: string) => boolean): string {
  const text = summaryOf(lines, refOf);
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
    const part = parts.length < MOST_PARTS ? partName(lines, index) : undefined;
    if (part === undefined) {
      const node = mattersIn(line);
      if (node !== undefined && !isBareHolder(lines, index))
        kinds.set(node.role, [...(kinds.get(node.role) ?? []), node]);
    } else {
      parts.push(part);
      inside = line.depth;
    }
  }
  return [...parts, ...countsOf(kinds, refOf)];
}

/** Whether a node says nothing by itself: then only its content is counted. */
function isBareHolder(lines: readonly Line[], index: number): boolean {
  const line = lines[index] as Line;
  return line.nodes.every(({ name }) => name === '') && (lines[index + 1]?.depth ?? 0) > line.depth;
}

function partName(lines: readonly Line[], index: number): string | undefined {
  const line = lines[index] as Line;
  const { role, name } = line.nodes[0] ?? { role: '', name: '' };
  const landmark = LANDMARKS[role];
  if (!PARTS.has(role) || (name === '' && landmark === undefined)) return undefined;
  const short = name.length > SHORT_NAME_LIMIT ? `${name.slice(0, SHORT_NAME_LIMIT)}…` : name;
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

/** The subject of a line: the node that can be acted on, else the first that is no mere holder. */
function mattersIn({ nodes }: Line): SnapshotNode | undefined {
  const said = nodes.find(({ role, name }) => name !== '' || PARTS.has(role));
  return nodes.find(isInteractive) ?? said ?? nodes[0];
}

/** Such as `12 links (@e4-@e15), 1 button (@e20)`. */
function countsOf(kinds: ReadonlyMap<string, readonly SnapshotNode[]>, refOf: RefOf | undefined): string[] {
  const sorted = [...kinds].sort(([, one], [, other]) => weightOf(other) - weightOf(one));
  const told = sorted.slice(0, MOST_KINDS).map(([role, nodes]) => {
    const refs = refOf === undefined ? '' : refRuns(nodes.filter(isInteractive).map(refOf));
    return `${counted(nodes.length, role)}${refs}`;
  });
  const left = sorted.slice(MOST_KINDS).reduce((sum, [, nodes]) => sum + nodes.length, 0);
  return left === 0 ? told : [...told, `${left} more`];
}

/** The order: nodes that can be acted on first, then the most frequent ones. */
function weightOf(nodes: readonly SnapshotNode[]): number {
  return nodes.length + (nodes.some(isInteractive) ? FIRST : 0);
}

/** Such as `1 link` and `2 checkboxes`. */
export function counted(count: number, kind: string): string {
  return count === 1 ? `1 ${kind}` : `${count} ${PLURALS[kind] ?? `${kind}s`}`;
}
