import type { Frame } from 'playwright-core';
import { Flag } from '../../src/page/protocol.js';
import type { SnapshotNode } from '../../src/snapshot/tree.js';

/** The pure stages never look into a frame. */
const document = { frame: {} as Frame, doc: 'doc', lastId: 1000 };

let nextId = 1;

type Fields = Partial<Omit<SnapshotNode, 'children' | 'document' | 'key'>>;

/** A node as a capture would bring it; roles that are widgets are interactive. */
export function node(role: string, name = '', fields: Fields = {}, children: SnapshotNode[] = []): SnapshotNode {
  const id = fields.id ?? nextId++;
  const isWidget = /^(button|link|textbox|combobox|checkbox|clickable|iframe|tab|treeitem)$/.test(role);
  const base = {
    role,
    name,
    flags: isWidget ? Flag.Interactive : 0,
    distance: 0,
    fingerprint: isWidget ? id : 0,
    row: '',
  };
  return { ...base, ...fields, id, key: `doc:${id}`, document, children };
}

/** Numbers refs by element, as a registry does. */
export function refs(): (node: SnapshotNode) => string {
  const given = new Map<string, string>();
  return ({ key }) => {
    const ref = given.get(key) ?? `@e${given.size + 1}`;
    given.set(key, ref);
    return ref;
  };
}
