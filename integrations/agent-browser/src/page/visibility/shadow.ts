import { boxOf, matches } from '../dom.js';

/** Elements that may host a shadow tree (DOM, attachShadow) besides custom elements. */
const HOSTS = new Set(['DIV', 'SECTION', 'ARTICLE', 'ASIDE', 'MAIN', 'SPAN', 'P', 'NAV', 'HEADER', 'FOOTER']);
/** Smaller boxes, in CSS pixels, are icons and rules. */
const SMALLEST = 12;

/** Closed shadow roots of one document: those that the DevTools protocol handed over, and who may have more. */
export class ClosedRoots {
  #roots = new WeakMap<Element, ShadowRoot>();
  /** Elements that were looked into, and whether their custom element was defined then. */
  #checked = new WeakMap<Element, boolean>();
  /** How many were found so far. */
  count = 0;
  /** Elements of the latest walk that nobody has looked into yet. */
  suspects: Element[] = [];

  static mayHost(tag: string): boolean {
    return tag.includes('-') || HOSTS.has(tag);
  }

  closed(element: Element): ShadowRoot | undefined {
    return this.#roots.get(element);
  }

  /** Notes an element that shows something and has nothing in it to show, as far as scripts can see. */
  consider(element: Element, tag: string): void {
    if (ClosedRoots.mayHost(tag) && this.isSuspect(element, tag)) this.suspects.push(element);
  }

  /** Whether nobody has looked yet into an element that may host a shadow tree. */
  isSuspect(element: Element, tag: string): boolean {
    if (this.#roots.has(element)) return false;
    const custom = tag.includes('-');
    const checked = this.#checked.get(element);
    if (checked !== undefined && (checked || !custom || !matches(element, ':defined'))) return false;
    if (custom) return true;
    const box = boxOf(element);
    return box.width > SMALLEST && box.height > SMALLEST;
  }

  beginWalk(): void {
    this.suspects = [];
  }

  /** Called over the DevTools protocol with a root that it found. */
  adopt(root: ShadowRoot): void {
    this.count++;
    this.#roots.set(root.host, root);
  }

  /** Called over the DevTools protocol when the first so many suspects were looked into. */
  settle(count: number): void {
    for (const element of this.suspects.splice(0, count)) this.#checked.set(element, matches(element, ':defined'));
  }
}
