import { everyNode, type SnapshotNode } from './tree.js';

export function keysIn(roots: readonly SnapshotNode[]): Set<string> {
  return new Set(Array.from(everyNode(roots), ({ key }) => key));
}

/** The nodes of a page with those parts of how it was, of these keys, that it has no more. */
export function withBehind(
  before: readonly SnapshotNode[],
  now: readonly SnapshotNode[],
  behind: ReadonlySet<string>,
): SnapshotNode[] {
  return new Merger(before, now, behind).merged();
}

class Merger {
  readonly #present: ReadonlySet<string>;
  readonly #old = new Map<string, SnapshotNode>();
  readonly #roots: ReadonlyMap<string, SnapshotNode>;
  /** What a modal dialog left alone in the capture, and stands where it stood. */
  readonly #inside = new Set<string>();

  constructor(
    readonly before: readonly SnapshotNode[],
    readonly now: readonly SnapshotNode[],
    readonly behind: ReadonlySet<string>,
  ) {
    this.#present = keysIn(now);
    this.#roots = new Map(now.map(node => [node.key, node]));
    for (const node of everyNode(before)) {
      this.#old.set(node.key, node);
      if (!behind.has(node.key)) continue;
      for (const { key } of everyNode(node.children)) if (this.#roots.has(key)) this.#inside.add(key);
    }
  }

  merged(): SnapshotNode[] {
    const now = this.now.filter(({ key }) => !this.#inside.has(key));
    return this.#together(this.before, now);
  }

  /** What is behind stands after what it stood after. */
  #together(before: readonly SnapshotNode[], now: readonly SnapshotNode[]): SnapshotNode[] {
    const own = new Set(now.map(({ key }) => key));
    const first: SnapshotNode[] = [];
    const after = new Map<string, SnapshotNode[]>();
    let place = first;
    for (const node of before) {
      if (own.has(node.key)) {
        place = [];
        after.set(node.key, place);
      } else if (this.behind.has(node.key)) place.push(this.#kept(node));
    }
    return [...first, ...now.flatMap(node => [this.#grown(node), ...(after.get(node.key) ?? [])])];
  }

  #grown(node: SnapshotNode): SnapshotNode {
    const old = this.#old.get(node.key);
    if (old === undefined || old.children.length === 0) return node;
    return { ...node, children: this.#together(old.children, node.children) };
  }

  #kept(node: SnapshotNode): SnapshotNode {
    const children = node.children.flatMap(child => {
      const root = this.#roots.get(child.key);
      if (root !== undefined) return [this.#grown(root)];
      return this.#present.has(child.key) ? [] : [this.#kept(child)];
    });
    return { ...node, children };
  }
}
