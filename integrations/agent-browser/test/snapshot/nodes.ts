import fc from 'fast-check';
import type { Frame } from 'playwright-core';
import { Flag } from '#page-engine/protocol.js';
import type { RefOf } from '../../src/snapshot/render.js';
import type { PageSnapshot, SnapshotNode, ViewNode } from '../../src/snapshot/tree.js';

/** The pure stages never look into a frame. */
const document = { frame: {} as Frame, doc: 'd', lastId: 0 };

let nextId = 0;

export type NodeParts = Partial<Omit<SnapshotNode, 'children'>>;

/** A captured node. What can be acted on has the flag of it unless other flags are given. */
export function node(role: string, name = '', parts: NodeParts = {}, children: SnapshotNode[] = []): SnapshotNode {
  const id = parts.id ?? ++nextId;
  const flags = parts.flags ?? (ACTED_ON.has(role) ? Flag.Interactive : 0);
  return { key: `d:${id}`, document, role, name, distance: 0, fingerprint: id, row: '', ...parts, id, flags, children };
}

const ACTED_ON = new Set(['button', 'link', 'textbox', 'checkbox', 'clickable']);

/** Numbers elements by their ids. */
export const refOf: RefOf = ({ id }) => `@e${id}`;

export function page(roots: SnapshotNode[], parts: Partial<PageSnapshot> = {}): PageSnapshot {
  const scroll = { top: 0, length: 720, viewport: 720 };
  const rest = {
    doc: 'd',
    lastId: nextId,
    modal: false,
    cut: false,
    elementCount: 0,
    acted: new Map(),
    refused: [],
    styleChanges: [],
    loading: 0,
    visualEffects: [],
  };
  return { title: 'Title', url: 'http://site/', scroll, ...rest, roots, ...parts };
}

/** Every view, parents before children. */
export function everyView(views: readonly ViewNode[]): ViewNode[] {
  return views.flatMap(item => [item, ...everyView(item.children)]);
}

const names = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('', 'Delete', 'Blue mug', 'Add to cart', 'Order 1234', 'Terms and conditions'),
  },
  { weight: 2, arbitrary: fc.string({ maxLength: 120 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
);
const roles = fc.constantFrom(
  'button',
  'link',
  'textbox',
  'clickable',
  'text',
  'heading',
  'list',
  'listitem',
  'row',
  'cell',
  'main',
  'group',
  'dialog',
  'alert',
  'status',
  'region',
  'img',
);
const flags = fc.constantFrom(0, 0, 0, Flag.Disabled, Flag.Checked, Flag.Focused, Flag.HiddenText, Flag.Expanded);

interface Leaf {
  role: string;
  name: string;
  flags: number;
  distance: number;
  value: string | undefined;
  row: string;
}

const leaf: fc.Arbitrary<Leaf> = fc.record({
  role: roles,
  name: names,
  flags,
  distance: fc.constantFrom(0, 0, 100, 5000),
  value: fc.option(names, { nil: undefined, freq: 4 }),
  row: fc.constantFrom('', '', 'Alpha 12', 'Beta 13'),
});

function make({ role, name, value, ...parts }: Leaf, children: SnapshotNode[]): SnapshotNode {
  const acted = ACTED_ON.has(role) ? Flag.Interactive : 0;
  const own = { ...parts, flags: parts.flags | acted, ...(value !== undefined && { value }) };
  return node(role, name, own, role === 'text' ? [] : children);
}

/** Trees of captured nodes. */
export const forests: fc.Arbitrary<SnapshotNode[]> = fc.array(
  fc.letrec<{ tree: SnapshotNode }>(tie => ({
    tree: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'tree' },
      leaf.map(parts => make(parts, [])),
      fc.tuple(leaf, fc.array(tie('tree'), { maxLength: 7 })).map(([parts, children]) => make(parts, children)),
    ),
  })).tree,
  { maxLength: 20 },
);
