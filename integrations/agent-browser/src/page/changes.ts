import {
  boxOf,
  elementsIn,
  hasMoreThan,
  nextSibling,
  parentInFlatTree,
  parentNode,
  previousSibling,
  tagName,
  textContent,
} from './dom.js';
import { ROW_ELEMENTS, type RowIdentity, Rows } from './rows.js';

const OBSERVED: MutationObserverInit = { subtree: true, childList: true, attributes: true, characterData: true };

/** More mutations than this between two looks are not kept: the page is read anew. */
const MOST_RECORDS = 300;

/** Tells whether and where a document has changed since it was last looked at, as far as its tree and its fields tell. */
export class Changes {
  #hasChanged = true;
  /** Undefined where not all are known. */
  #records: MutationRecord[] | undefined;
  #roots = new WeakSet<ShadowRoot>();
  readonly #observer = new MutationObserver(records => this.#note(records));

  constructor() {
    // Fields change without a mutation. A document that was left may come back.
    for (const type of ['input', 'change', 'load', 'pageshow'])
      window.addEventListener(type, () => this.#note([]), { capture: true, passive: true });
  }

  get sinceLook(): boolean {
    const records = this.#observer.takeRecords();
    if (records.length > 0) this.#note(records);
    return this.#hasChanged;
  }

  /** Called when a look begins: what changes from now on counts. Returns the mutations since the look before. */
  look(): readonly MutationRecord[] | undefined {
    if (!this.sinceLook) return [];
    const records = this.#records;
    if (records === undefined) {
      this.#roots = new WeakSet();
      this.#observer.observe(document, OBSERVED);
    }
    this.#hasChanged = false;
    this.#records = [];
    return records;
  }

  /** Mutations inside a shadow root reach only who observes that root. Returns whether nobody did. */
  observe(root: ShadowRoot): boolean {
    if (this.#records === undefined || this.#roots.has(root)) return false;
    this.#roots.add(root);
    this.#observer.observe(root, OBSERVED);
    return true;
  }

  observes(root: ShadowRoot): boolean {
    return this.#roots.has(root);
  }

  #note(records: readonly MutationRecord[]): void {
    this.#hasChanged = true;
    if (this.#records === undefined) return;
    if (this.#records.length + records.length <= MOST_RECORDS) this.#records.push(...records);
    else {
      // Until the next look the page pays for no more records.
      this.#records = undefined;
      this.#observer.disconnect();
    }
  }
}

/** Siblings on either side whose row a change of an element may change. */
const TOUCHED_NEIGHBOURS = 20;
/** Attributes that change often and say nothing of rows. */
const SILENT_ATTRIBUTE = /^(?:class|style|data-.*)$/;

/** The elements whose row mutations may have changed: those around what changed, with their neighbours. */
class Touched {
  /** How many elements have been added. */
  added = 0;
  readonly #elements = new Set<Element>();
  readonly #climbed = new Set<Node>();

  constructor(records: readonly MutationRecord[]) {
    for (const record of records) this.#note(record);
  }

  has(element: Element): boolean {
    return this.#elements.has(element);
  }

  #note({ type, target, attributeName, previousSibling, nextSibling, addedNodes }: MutationRecord): void {
    if (type === 'attributes' && SILENT_ATTRIBUTE.test(attributeName ?? '')) return;
    this.#climb(target);
    if (type !== 'childList') return;
    for (const node of [previousSibling, nextSibling, ...addedNodes]) if (node !== null) this.#near(node);
    for (const node of addedNodes) if (node instanceof Element) this.added += 1 + elementsIn(node, '*').length;
  }

  /** What changes in a node changes what is around it. */
  #climb(from: Node): void {
    for (let node: Node | null = from; node !== null && !this.#climbed.has(node); node = nodeAround(node)) {
      this.#climbed.add(node);
      this.#near(node);
    }
  }

  #near(node: Node): void {
    if (node instanceof Element) this.#elements.add(node);
    // Whether a row begins with what is before it or behind it is told by the first of its siblings.
    const before = this.#addFrom(node, previousSibling, TOUCHED_NEIGHBOURS);
    this.#addFrom(node, nextSibling, before === 0 ? Number.POSITIVE_INFINITY : TOUCHED_NEIGHBOURS);
  }

  /** Adds the elements on one side of a node. Returns how many there were. */
  #addFrom(from: Node, step: (node: Node) => Node | null, most: number): number {
    let count = 0;
    for (let node = step(from); node !== null && count < most; node = step(node)) {
      if (!(node instanceof Element)) continue;
      this.#elements.add(node);
      count++;
    }
    return count;
  }
}

/** The node around another, out of shadow trees as well. */
function nodeAround(node: Node): Node | null {
  return node instanceof ShadowRoot ? node.host : parentNode(node);
}

interface KeptRow {
  name: string;
  row: RowIdentity;
  /** Number of the latest look that found it as it was. */
  look: number;
}

/**
 * The rows of elements, kept from look to look: most of a page is as it was when the agent looked before it acted.
 *
 * Invariant: a row that is kept is the one that would be read now. It follows from the nodes around its element up to the
 * first one that is too large to be a row, and their neighbours: mutations tell when these change. Rows that follow from
 * more, such as the values of fields, are not kept, and what an action is checked against is always read anew.
 */
export class KeptRows {
  readonly #kept = new WeakMap<Element, KeptRow>();
  #look = 0;
  #touched: Touched | undefined;
  #rows = new Rows();

  constructor(readonly changes: Changes) {}

  /** @param records The mutations since the look before; undefined where they are not known. */
  beginLook(records: readonly MutationRecord[] | undefined): void {
    // Elements that a look does not come to are read anew at the next.
    this.#look += records === undefined ? 2 : 1;
    this.#touched = records && new Touched(records);
    this.#rows = new Rows(root => this.changes.observes(root));
  }

  /** Forgets all, for something has come to light that no mutation told. Returns whether there was anything to forget. */
  forget(): boolean {
    const hadAny = this.#touched !== undefined;
    this.beginLook(undefined);
    return hadAny;
  }

  /** Whether the rows in an element may have changed. @param isAround Whether those in the element around it may. */
  areTouchedIn(element: Element, isAround: boolean): boolean {
    if (this.#touched === undefined) return true;
    return (isAround || this.#touched.has(element)) && !this.#wasLarge(element);
  }

  /** The same for what is in a node, whatever is known of the nodes around it. Pages nest deeper than a call stack goes. */
  areTouchedAround(node: Node | null): boolean {
    const around: Element[] = [];
    for (let at = node; at !== null; at = parentInFlatTree(at)) if (at instanceof Element) around.push(at);
    return around.reduceRight((isAround, element) => this.areTouchedIn(element, isAround), false);
  }

  of(element: Element, name: string, isTouched: boolean): RowIdentity {
    const kept = this.#kept.get(element);
    if (kept !== undefined && !isTouched && kept.name === name && kept.look >= this.#look - 1) {
      kept.look = this.#look;
      return kept.row;
    }
    const row = this.#rows.of(element, name);
    if (row.isLasting) this.#kept.set(element, { name, row, look: this.#look });
    return row;
  }

  /** No row goes beyond an element that was too large for one at the look before, and is so still. */
  #wasLarge(element: Element): boolean {
    return tagName(element) === 'BODY' || hasMoreThan(element, ROW_ELEMENTS + (this.#touched?.added ?? 0));
  }
}

/** Values of properties with which nothing of an element is seen. */
const UNSEEN_STYLES: Readonly<Record<string, RegExp>> = {
  opacity: /^0$/,
  visibility: /^hidden$/,
  display: /^none$/,
  height: /^0px$/,
  maxHeight: /^0px$/,
  gridTemplateRows: /^0fr$/,
};
const MOVES = ['transform', 'translate', 'left', 'right', 'top', 'bottom'];
const CONTENT = 'a, button, input, select, textarea, img, svg';
/** What takes longer than this, in milliseconds, is no step from one state to the next. */
const LONGEST_FADE_MS = 1_000;

/** Milliseconds until what is coming to be seen, or about to be gone, by animations is so; 0 when nothing is. */
export function fadingTime(): number {
  return Math.max(0, ...fading().map(timeLeft));
}

/** Resolves when what is fading now has come or gone, or the time in milliseconds is over. */
export async function untilFaded(milliseconds: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([Promise.allSettled(fading().map(({ finished }) => finished)), late]);
  clearTimeout(timer);
}

function fading(): Animation[] {
  return document.getAnimations().filter(animation => {
    const { playState, effect } = animation;
    if (playState !== 'running' || !(effect instanceof KeyframeEffect) || effect.pseudoElement !== null) return false;
    return timeLeft(animation) <= LONGEST_FADE_MS && effect.target !== null && showsContent(effect, effect.target);
  });
}

function timeLeft({ effect, currentTime, playbackRate }: Animation): number {
  const end = Number(effect?.getComputedTiming().endTime ?? 0);
  return (end - Number(currentTime ?? 0)) / Math.abs(playbackRate || 1);
}

/** Whether an animation shows or hides something that can be read or acted on, bit by bit or by moving it into view. */
function showsContent(effect: KeyframeEffect, target: Element): boolean {
  const frames = effect.getKeyframes();
  const isShowing = Object.entries(UNSEEN_STYLES).some(([name, value]) =>
    frames.some(frame => value.test(`${frame[name]}`)),
  );
  const isMoving = MOVES.some(name => frames.some(frame => frame[name] !== undefined));
  if (!isShowing && !(isMoving && isOutOfView(target))) return false;
  return Boolean(textContent(target)?.trim()) || target.querySelector(CONTENT) !== null;
}

function isOutOfView(element: Element): boolean {
  const { left, right, top, bottom } = boxOf(element);
  return right <= 0 || bottom <= 0 || left >= window.innerWidth || top >= window.innerHeight;
}

/**
 * What came of waiting for a document: it did something, it did nothing in the time, or it can do nothing by itself, for
 * it has no scripts, no animations and nothing to load.
 */
export type Stirring = 'stirred' | 'quiet' | 'inert';

/** Changes by style sheets and by the browser, which cause no mutation. */
const EVENTS = ['transitionend', 'animationend', 'scrollend', 'toggle', 'input', 'change', 'load'];
/** A page that is busy is looked at after so many milliseconds all the same. */
const BUSY = 50;

/**
 * Resolves when the document does something, and has done what follows from it at once; or when the time is over.
 * @param hasStirred Whether it has done something since it was last looked at.
 */
export function untilStirred(milliseconds: number, hasStirred: () => boolean): Promise<Stirring> {
  if (!hasStirred() && isInert()) return Promise.resolve('inert');
  return new Promise(resolve => {
    const end = (how: Stirring): void => {
      clearTimeout(timer);
      observer.disconnect();
      for (const type of EVENTS) window.removeEventListener(type, onStir, { capture: true });
      if (how === 'quiet') resolve(how);
      else requestIdleCallback(() => resolve(how), { timeout: BUSY });
    };
    const onStir = (): void => end('stirred');
    const observer = new MutationObserver(onStir);
    const timer = setTimeout(() => end('quiet'), milliseconds);
    observer.observe(document, OBSERVED);
    for (const type of EVENTS) window.addEventListener(type, onStir, { capture: true, passive: true });
    if (hasStirred()) onStir();
  });
}

/** Whether nothing in the document can change by itself any more. */
function isInert(): boolean {
  if (document.readyState !== 'complete' || document.scripts.length > 0) return false;
  if (document.getAnimations().some(({ playState }) => playState === 'running')) return false;
  if (document.querySelector('iframe, frame, object, embed, meta[http-equiv="refresh" i]') !== null) return false;
  const handlers = 'boolean(//@*[starts-with(name(), "on")])';
  return !document.evaluate(handlers, document, null, XPathResult.BOOLEAN_TYPE).booleanValue;
}
