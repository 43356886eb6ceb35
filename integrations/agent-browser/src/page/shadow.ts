/** Closed shadow roots of one document: those that the DevTools protocol handed over, and who may have more. */
export class ClosedRoots {
  #roots = new WeakMap<Element, ShadowRoot>();
  #checked = new WeakSet<Element>();
  /** Elements of the latest walk that nobody has looked into yet. */
  suspects: Element[] = [];

  closed(element: Element): ShadowRoot | undefined {
    return this.#roots.get(element);
  }

  suspect(element: Element): void {
    if (!this.#checked.has(element)) this.suspects.push(element);
  }

  beginWalk(): void {
    this.suspects = [];
  }

  /** Called over the DevTools protocol with a root that it found. */
  adopt(root: ShadowRoot): void {
    this.#roots.set(root.host, root);
  }

  /** Called over the DevTools protocol when the first so many suspects were looked into. */
  settle(count: number): void {
    for (const element of this.suspects.splice(0, count)) this.#checked.add(element);
  }
}
