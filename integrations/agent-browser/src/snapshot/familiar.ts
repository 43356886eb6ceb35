import { shortened } from './diff-places.js';
import { refRuns } from './ref-runs.js';
import type { RefOf } from './render.js';
import { counted } from './rest.js';
import { Signatures, sizeOf } from './signature.js';
import { isInteractive, type SnapshotNode } from './tree.js';
import type { ViewNode } from './view-node.js';

/** A familiar sequence is folded when it takes at least so many lines. */
const SHORTEST_FOLD = 3;
/** So many controls of a fold are named. */
const MOST_NAMED = 8;
/** Parts around what a page is about, which pages of one site share. */
export const MENUS: ReadonlySet<string> = new Set(['banner', 'contentinfo', 'menu', 'menubar', 'navigation', 'search']);
/** Nothing that a page is about is left out for having been on the page before. */
const NEVER_FOLDED = new Set(['alert', 'alertdialog', 'dialog', 'main', 'status']);

/**
 * Folds what a page shares with the page before it, such as header, menus and footer, into one line for each run, which
 * names the refs that it has on this page. Of its main part only the menus in it are folded.
 * @param before What the agent was told of that page.
 */
export function foldFamiliar(views: readonly ViewNode[], before: readonly ViewNode[], refOf: RefOf): ViewNode[] {
  const signatures = new Signatures(true);
  const known = new Set<string>();
  const learn = (items: readonly ViewNode[]): void => {
    for (const item of items) {
      known.add(signatures.of(item));
      learn(item.children);
    }
  };
  learn(before);
  const isKnown = (item: ViewNode): boolean => !NEVER_FOLDED.has(item.role) && known.has(signatures.of(item));
  return foldRuns(views, { isKnown, isInMain: false, refOf });
}

interface Folding {
  isKnown: (item: ViewNode) => boolean;
  isInMain: boolean;
  refOf: RefOf;
}

function foldRuns(views: readonly ViewNode[], folding: Folding): ViewNode[] {
  const { isKnown, isInMain } = folding;
  const isFolded = (item: ViewNode): boolean => (!isInMain || MENUS.has(item.role)) && isKnown(item);
  const out: ViewNode[] = [];
  for (let start = 0; start < views.length; ) {
    let end = start;
    while (end < views.length && isFolded(views[end] as ViewNode)) end++;
    const run = views.slice(start, Math.max(end, start + 1));
    out.push(...folded(run, end > start, folding));
    start += run.length;
  }
  return out;
}

function folded(run: readonly ViewNode[], isRun: boolean, { isInMain, ...folding }: Folding): ViewNode[] {
  const size = run.reduce((sum, item) => sum + sizeOf(item), 0);
  if (isRun && size >= SHORTEST_FOLD) return [foldView(run, size, folding.refOf)];
  return run.map(item => {
    if (isRun || item.children.length === 0) return item;
    const inside = { ...folding, isInMain: item.role === 'main' || (isInMain && !MENUS.has(item.role)) };
    return { ...item, children: foldRuns(item.children, inside) };
  });
}

/** A line that stands for a run: few controls by name, of many the refs. */
function foldView(run: readonly ViewNode[], size: number, refOf: RefOf): ViewNode {
  const [first] = run;
  const only = run.length === 1 && first !== undefined && first.children.length > 0 ? first : undefined;
  const { key, id, document, distance } = (first as ViewNode).node;
  const controls = controlsIn(run);
  const isFew = controls.length > 0 && controls.length <= MOST_NAMED;
  const named = controls.map(({ node, name }) => `${JSON.stringify(shortened(name))} ${refOf(node)}`).join(', ');
  const refs = refRuns(controls.map(({ node }) => refOf(node)));
  const who = only === undefined ? '…' : `${only.role}${only.name === '' ? '' : ` ${JSON.stringify(only.name)}`}`;
  const role = `${who} as before: ${isFew ? named : `${counted(size, 'line')}${refs}`}`;
  const node: SnapshotNode = {
    key: `${key}:familiar`,
    id,
    document,
    distance,
    role: 'familiar',
    name: '',
    flags: 0,
    fingerprint: 0,
    row: '',
    children: [],
  };
  return { node, role, name: '', children: [], standsFor: nodesIn(run) };
}

function nodesIn(views: readonly ViewNode[]): SnapshotNode[] {
  return views.flatMap(({ node, children }) => [node, ...nodesIn(children)]);
}

function controlsIn(views: readonly ViewNode[]): ViewNode[] {
  return views.flatMap(item => [...(isInteractive(item.node) ? [item] : []), ...controlsIn(item.children)]);
}
