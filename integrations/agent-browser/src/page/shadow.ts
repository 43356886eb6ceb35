import { boxOf } from './dom.js';

/** Elements that may host a shadow tree (DOM, attachShadow) besides custom elements. */
const HOSTS = new Set(['DIV', 'SECTION', 'ARTICLE', 'ASIDE', 'MAIN', 'SPAN', 'P', 'NAV', 'HEADER', 'FOOTER']);
/** Smaller boxes, in CSS pixels, are icons and rules. */
const SMALLEST = 12;

/** Closed shadow roots of one document: those that the DevTools protocol handed over, and who may have more. */
export class ClosedRoots {
  #roots = new WeakMap<Element, ShadowRoot>();
  #checked = new WeakSet<Element>();
  /** Elements of the latest walk that nobody has looked into yet. */
  suspects: Element[] = [];

  closed(element: Element): ShadowRoot | undefined {
    return this.#roots.get(element);
  }

  /** Notes an element that shows something and has nothing in it to show, as far as scripts can see. */
  consider(element: Element, tag: string): void {
    const custom = tag.includes('-');
    if ((!custom && !HOSTS.has(tag)) || this.#checked.has(element) || this.#roots.has(element)) return;
    if (!custom) {
      const box = boxOf(element);
      if (box.width <= SMALLEST || box.height <= SMALLEST) return;
    }
    this.suspects.push(element);
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
