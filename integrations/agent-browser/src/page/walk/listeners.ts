import { closest } from '../dom.js';
import { Hears } from '../protocol.js';
import { parentInFlatTree } from '../visibility/flat-tree.js';
import { hasButtonsByLook } from './parts.js';

/** Nodes that listen for presses and for input, as the DevTools protocol tells: no script can see the listeners of others. */
export class Listeners {
  #nodes = new Map<number, WeakRef<Node>>();
  /** Names of those that listen for presses. */
  #pressed = new Set<number>();
  #listening = new WeakSet<Node>();
  #hearInput = new WeakSet<Node>();
  #hearInputWithin = new WeakSet<Node>();
  /** Drawings that have such elements in them. */
  #drawings = new WeakSet<Element>();
  /** The name of the document, where that listens for presses. */
  #document: number | undefined;
  #met = new WeakSet<ShadowRoot>();
  #unasked: ShadowRoot[] = [];
  /** Shadow roots that walks have come to. */
  roots = 0;

  get areNone(): boolean {
    return this.#pressed.size === 0;
  }

  /** Whether the document itself listens for presses, of whatever is in it. */
  get hearsDocument(): boolean {
    return this.#document !== undefined;
  }

  has(element: Element): boolean {
    return this.#listening.has(element);
  }

  /** Whether anybody listens for what is put into an element: itself, or what it stands in, as frameworks do. */
  hearsInput(element: Element): boolean {
    if (this.#hearInput.has(element)) return true;
    for (let node: Node | null = element; node !== null; node = parentInFlatTree(node))
      if (this.#hearInputWithin.has(node)) return true;
    return false;
  }

  hasIn(drawing: Element): boolean {
    return this.#drawings.has(drawing);
  }

  /** Notes a shadow root: the protocol is asked for the listeners in each by itself. */
  meet(root: ShadowRoot): void {
    if (this.#met.has(root)) return;
    this.#met.add(root);
    this.#unasked.push(root);
    this.roots++;
  }

  /** Called over the DevTools protocol. Returns the shadow roots that it does not know yet. */
  takeRoots(): ShadowRoot[] {
    return this.#unasked.splice(0);
  }

  /**
   * Called over the DevTools protocol with what nodes have begun to listen for ({@link Hears}), and the names of those that
   * have ceased to. Returns how many of them are of this document.
   */
  note(gone: readonly number[], came: readonly [name: number, heard: number][], nodes: readonly unknown[]): number {
    for (const name of gone) this.#forget(name);
    let news = gone.length;
    for (const [index, node] of nodes.entries()) {
      const [name, heard] = came[index] ?? [];
      if (name === undefined || heard === undefined) continue;
      if (!(node instanceof Node)) continue;
      this.#forget(name);
      this.#nodes.set(name, new WeakRef(node));
      if (heard & Hears.Input) this.#hearInput.add(node);
      if (heard & Hears.InputWithin) this.#hearInputWithin.add(node);
      if (node === document && heard & Hears.Presses) {
        this.#document = name;
        // Most pages have such a listener: few have anything that is another thing for it.
        if (hasButtonsByLook()) news++;
      }
      if (!(node instanceof Element)) continue;
      if (heard & Hears.Presses) this.#notePress(name, node);
      news++;
    }
    return news;
  }

  #notePress(name: number, element: Element): void {
    this.#pressed.add(name);
    this.#listening.add(element);
    const drawing = element instanceof SVGElement ? closest(element, 'svg') : null;
    if (drawing !== null) this.#drawings.add(drawing);
  }

  #forget(name: number): void {
    const node = this.#nodes.get(name)?.deref();
    if (node !== undefined)
      for (const set of [this.#listening, this.#hearInput, this.#hearInputWithin]) set.delete(node);
    if (this.#document === name) this.#document = undefined;
    this.#nodes.delete(name);
    this.#pressed.delete(name);
  }
}
