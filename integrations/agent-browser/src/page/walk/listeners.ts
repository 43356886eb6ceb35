import { closest } from '../dom.js';
import { Hears } from '../protocol.js';
import { hasButtonsByLook } from './parts.js';

/** Elements that listen for presses and for input, as the DevTools protocol tells: no script can see the listeners of others. */
export class Listeners {
  #elements = new Map<number, WeakRef<Element>>();
  /** Names of those that listen for presses. */
  #pressed = new Set<number>();
  #listening = new WeakSet<Element>();
  #hearInput = new WeakSet<Element>();
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

  /** Whether an element listens for what is put into it. */
  hearsInput(element: Element): boolean {
    return this.#hearInput.has(element);
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
      if (node === document && heard & Hears.Presses) {
        this.#document = name;
        // Most pages have such a listener: few have anything that is another thing for it.
        if (hasButtonsByLook()) news++;
      }
      if (!(node instanceof Element)) continue;
      this.#forget(name);
      this.#elements.set(name, new WeakRef(node));
      if (heard & Hears.Input) this.#hearInput.add(node);
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
    const element = this.#elements.get(name)?.deref();
    if (element !== undefined) {
      this.#listening.delete(element);
      this.#hearInput.delete(element);
    }
    if (this.#document === name) this.#document = undefined;
    this.#elements.delete(name);
    this.#pressed.delete(name);
  }
}
