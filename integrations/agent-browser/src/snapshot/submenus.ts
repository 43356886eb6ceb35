import { isInteractive, type SnapshotNode } from './tree.js';

/** Roles of what opens from a menu item or a button. */
const MENUS = new Set(['menu', 'listbox', 'tree', 'dialog']);

/**
 * Puts what has opened from an item below that item, wherever it stands in the document: beside it, as most menus do, or
 * at the end of the page.
 */
export function withSubmenus(roots: readonly SnapshotNode[]): readonly SnapshotNode[] {
  const menus = new Menus(roots);
  return menus.openers.size === 0 ? roots : menus.arranged(roots);
}

class Menus {
  /** The element that opened each open menu. */
  readonly openers = new Map<SnapshotNode, SnapshotNode>();
  readonly #parents = new Map<SnapshotNode, SnapshotNode>();
  readonly #opened = new Map<SnapshotNode, SnapshotNode[]>();
  #byKey: Map<string, SnapshotNode> | undefined;

  constructor(readonly roots: readonly SnapshotNode[]) {
    const items: [item: SnapshotNode, next: SnapshotNode | undefined][] = [];
    collect(roots, items);
    if (items.length === 0) return;
    this.#byKey = new Map();
    this.#index(roots);
    for (const [item, next] of items) {
      const menu = this.#named(item) ?? (next?.role === 'menu' && item.popup === 'menu' ? next : undefined);
      if (menu !== undefined && !this.openers.has(menu) && !this.#isBelow(item, menu)) this.#note(menu, item);
    }
  }

  arranged(nodes: readonly SnapshotNode[]): SnapshotNode[] {
    return nodes
      .filter(node => !this.openers.has(node))
      .map(node => ({ ...node, children: this.arranged(node.children).concat(this.#below(node)) }));
  }

  #below(item: SnapshotNode): SnapshotNode[] {
    const menus = this.#opened.get(item) ?? [];
    return menus.map(menu => ({
      ...menu,
      isTied: true,
      children: this.arranged(menu.children).concat(this.#below(menu)),
    }));
  }

  #note(menu: SnapshotNode, item: SnapshotNode): void {
    this.openers.set(menu, item);
    this.#opened.set(item, [...(this.#opened.get(item) ?? []), menu]);
  }

  #named({ document, opened }: SnapshotNode): SnapshotNode | undefined {
    const menu = opened === undefined ? undefined : this.#byKey?.get(`${document.doc}:${opened}`);
    return menu !== undefined && MENUS.has(menu.role) ? menu : undefined;
  }

  #index(nodes: readonly SnapshotNode[], parent?: SnapshotNode): void {
    for (const node of nodes) {
      this.#byKey?.set(node.key, node);
      if (parent !== undefined) this.#parents.set(node, parent);
      this.#index(node.children, node);
    }
  }

  /** Whether the item stands in the menu, or would once menus stand below what they opened from. */
  #isBelow(item: SnapshotNode, menu: SnapshotNode): boolean {
    for (
      let at: SnapshotNode | undefined = item;
      at !== undefined;
      at = this.openers.get(at) ?? this.#parents.get(at)
    ) {
      if (at === menu) return true;
    }
    return false;
  }
}

function collect(nodes: readonly SnapshotNode[], items: [item: SnapshotNode, next: SnapshotNode | undefined][]): void {
  for (const [index, node] of nodes.entries()) {
    if (node.popup !== undefined && isInteractive(node)) items.push([node, nodes[index + 1]]);
    if (node.children.length > 0) collect(node.children, items);
  }
}
