import { boxOf, closest, localName, matches, parentNode, textContent } from '../dom.js';
import { childrenOf, familyOf } from './families.js';
import type { Listeners } from './listeners.js';
import { hasFieldsOnly, isButtonByLook, isClose, isSign, PartFinder } from './parts.js';

/** An element with more characters is read rather than pressed. */
const SELF_TEXT = 300;
/** A larger part of the viewport is a place in which things are, rather than a thing. */
const GROUND = 0.6;
const LANDMARKS = 'main, nav, footer, [role="main"], [role="navigation"], [role="contentinfo"]';

/** The part of a listening element that a person presses. */
type Judgement = 'self' | 'parts' | 'nothing';

/**
 * Decides what a person presses where a page listens: the element with the listener, or things in it that share the
 * listener. One at the root of a page is there for what looks like a button, and says nothing about anything else in it.
 */
export class Reactions {
  #judged = new Map<Element, Judgement>();
  /** Members of families that listen each for itself, by their parents. */
  #listening = new Map<Element, ReadonlySet<Element>>();
  /** Elements that are pressed inside elements that listen. */
  #parts = new WeakSet<Element>();
  /** An element that holds the whole page listens. */
  #hearsRoot = false;
  /** Drawings with such parts. */
  #drawings = new WeakSet<Element>();

  constructor(readonly listeners: Listeners) {}

  /** Forgets what was found out in another state of the document. */
  beginWalk(): void {
    this.#judged = new Map();
    this.#listening = new Map();
    this.#parts = new WeakSet();
    this.#drawings = new WeakSet();
    this.#hearsRoot = false;
  }

  /** Whether a press of the element does something. Asked of elements in document order. */
  reacts(element: Element, declares: boolean): boolean {
    const { areNone, hearsDocument } = this.listeners;
    if (!declares && areNone && !hearsDocument) return false;
    const isPart = this.#parts.has(element);
    if (!declares && !this.listeners.has(element))
      return isPart || ((hearsDocument || this.#hearsRoot) && isButtonByLook(element));
    const judgement = this.#judgementOf(element);
    // An attribute that says so was written for this very element.
    return isPart || judgement === 'self' || (declares && judgement === 'nothing');
  }

  /** Whether it listens for its parts, so that the mouse pointer over it is about them. */
  passesOn(element: Element): boolean {
    return this.#judged.get(element) === 'parts';
  }

  /** Whether something in a drawing reacts. */
  reactsIn(drawing: Element): boolean {
    return this.#drawings.has(drawing) || this.listeners.hasIn(drawing);
  }

  #judgementOf(element: Element): Judgement {
    let judgement = this.#judged.get(element);
    if (judgement === undefined) {
      judgement = this.#judge(element);
      this.#judged.set(element, judgement);
    }
    return judgement;
  }

  #judge(element: Element): Judgement {
    if (isRoot(element)) {
      this.#hearsRoot = true;
      return 'nothing';
    }
    if (localName(element) === 'canvas') return 'self';
    const finder = new PartFinder(other => this.listeners.has(other));
    const { parts, hasFamily, hasOwnFamily, hasWidgets } = finder.inside(element);
    const isItself = isPlainRow(element) || (!hasOwnFamily && this.#isOneOfMany(element) && !isAllFamily(element));
    const only = parts.length === 1 ? parts[0] : undefined;
    // A single sign is what its element looks like, unless it takes the element away.
    const isItsSign = !hasFamily && only !== undefined && isSign(only) && !isClose(only);
    if (parts.length > 0 && !isItself && !isItsSign) {
      this.#note(parts);
      return 'parts';
    }
    if (hasWidgets) return isItself ? 'self' : 'nothing';
    return (textContent(element) ?? '').trim().length <= SELF_TEXT && !isGround(element) ? 'self' : 'nothing';
  }

  #note(parts: readonly Element[]): void {
    for (const part of parts) {
      this.#parts.add(part);
      const drawing = part instanceof SVGElement ? closest(part, 'svg') : null;
      if (drawing !== null) this.#drawings.add(drawing);
    }
  }

  /** It is one of several siblings alike that listen each for itself. */
  #isOneOfMany(element: Element): boolean {
    const parent = parentNode(element);
    if (!(parent instanceof Element)) return false;
    let listening = this.#listening.get(parent);
    if (listening === undefined) {
      const members = familyOf(childrenOf(parent), () => false)?.members ?? [];
      listening = new Set(members.filter(each => this.listeners.has(each)));
      this.#listening.set(parent, listening);
    }
    return listening.size > 1 && listening.has(element);
  }
}

/** A row of a table is pressed as a whole, unless it is made of fields or heads the columns. */
function isPlainRow(element: Element): boolean {
  return localName(element) === 'tr' && !hasFieldsOnly(element) && element.querySelector('td') !== null;
}

/** Nothing but things of one kind. */
function isAllFamily(element: Element): boolean {
  const children = childrenOf(element);
  return children.length > 1 && familyOf(children, () => false)?.members.length === children.length;
}

function isRoot(element: Element): boolean {
  return matches(element, 'html, body') || element.querySelector(LANDMARKS) !== null;
}

function isGround(element: Element): boolean {
  const { width, height } = boxOf(element);
  return width * height > GROUND * window.innerWidth * window.innerHeight && childrenOf(element).length > 0;
}
