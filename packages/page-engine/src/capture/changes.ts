import {
  boxOf,
  checkVisibility,
  elementsAround,
  elementsIn,
  firstChild,
  hasMoreThan,
  matches,
  nextSibling,
  parentInFlatTree,
  parentNode,
  previousSibling,
  querySelector,
  tagName,
  textContent,
} from '../dom/dom.js';
import { ROW_ELEMENTS, type RowIdentity, Rows } from '../identity/rows.js';

const OBSERVED: MutationObserverInit = { subtree: true, childList: true, attributes: true, characterData: true };

/** Mutations kept between two walks; after more of them the next walk reads all rows again. */
const MOST_RECORDS = 300;

/** Tracks whether and where a document changed since the latest walk, by its mutations and field events. */
export class Changes {
  #hasChanged = true;
  /** When the first change after the latest walk came (`performance.now()`). */
  #changedAt = performance.now();
  /** Undefined when some mutations were not recorded. */
  #records: MutationRecord[] | undefined;
  #roots = new WeakSet<ShadowRoot>();
  readonly #awaiting = new Set<() => void>();
  readonly #observer = new MutationObserver(records => this.#note(records));

  constructor() {
    // Fields change without a mutation, and a document may come back from the back/forward cache.
    for (const type of ['input', 'change', 'load', 'pageshow'])
      window.addEventListener(type, () => this.#note([]), { capture: true, passive: true });
  }

  get sinceWalk(): boolean {
    const records = this.#observer.takeRecords();
    if (records.length > 0) this.#note(records);
    return this.#hasChanged;
  }

  /** Milliseconds since the first change after the latest walk; null where there was none. */
  get age(): number | null {
    return this.sinceWalk ? performance.now() - this.#changedAt : null;
  }

  /** Calls back at each change. Returns a function that ends this. */
  onChange(listener: () => void): () => void {
    this.#awaiting.add(listener);
    return () => this.#awaiting.delete(listener);
  }

  /** Starts a walk: later changes count for the next one. Returns the mutations since the previous walk. */
  beginWalk(): readonly MutationRecord[] | undefined {
    if (!this.sinceWalk) return [];
    const records = this.#records;
    if (records === undefined) {
      this.#roots = new WeakSet();
      this.#observer.observe(document, OBSERVED);
    }
    this.#hasChanged = false;
    this.#records = [];
    return records;
  }

  /** Observes a shadow root, whose mutations reach no observer of the document. Returns whether this is new. */
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
    if (!this.#hasChanged) this.#changedAt = performance.now();
    this.#hasChanged = true;
    for (const listener of this.#awaiting) listener();
    if (this.#records === undefined) return;
    if (this.#records.length + records.length <= MOST_RECORDS) this.#records.push(...records);
    else {
      // The page pays for no more records until the next walk.
      this.#records = undefined;
      this.#observer.disconnect();
    }
  }
}

/** Siblings on each side of a changed node whose rows the change may affect. */
const TOUCHED_NEIGHBOURS = 20;
/** Attributes that change often and do not affect rows. */
const SILENT_ATTRIBUTE = /^data-/;
const SHEETS = 'style, link[rel~="stylesheet" i]';

/** More children are not counted: each of their tags may be there twice. */
const MOST_COUNTED = 500;

/**
 * The elements whose rows the mutations may have changed: changed nodes, their ancestors and nearby siblings. One whose
 * tag no sibling has is no row, and no sibling distinguishes anything in it.
 */
class Touched {
  added = 0;
  /** What is rendered may have changed anywhere: a large part has another class, or the document another sheet. */
  areAll = false;
  readonly #elements = new Set<Element>();
  readonly #climbed = new Set<Node>();
  /** The numbers of children by tag, with those that were removed; undefined for too many. */
  readonly #tags = new Map<Node, ReadonlyMap<string, number> | undefined>();
  readonly #removed = new Map<Node, Element[]>();

  constructor(records: readonly MutationRecord[]) {
    for (const { target, removedNodes } of records) {
      const removed = [...removedNodes].filter(node => node instanceof Element);
      if (removed.length > 0) this.#removed.set(target, [...(this.#removed.get(target) ?? []), ...removed]);
    }
    for (const record of records) this.#note(record);
  }

  has(element: Element): boolean {
    return this.#elements.has(element);
  }

  #note(record: MutationRecord): void {
    const { type, target, attributeName, previousSibling, nextSibling, addedNodes, removedNodes } = record;
    if (type === 'attributes' && SILENT_ATTRIBUTE.test(attributeName ?? '')) return;
    if (attributeName === 'class' && target instanceof Element) this.areAll ||= hasMoreThan(target, ROW_ELEMENTS);
    this.#climb(target);
    if (type !== 'childList') return;
    this.areAll ||= [...addedNodes, ...removedNodes].some(node => node instanceof Element && matches(node, SHEETS));
    for (const node of [previousSibling, nextSibling, ...addedNodes]) if (node !== null) this.#near(node);
    for (const node of addedNodes) {
      if (!(node instanceof Element)) continue;
      this.#elements.add(node);
      this.added += 1 + elementsIn(node, '*').length;
    }
  }

  /** Adds a node and its ancestors, whose content changes with it. */
  #climb(from: Node): void {
    for (let node: Node | null = from; node !== null && !this.#climbed.has(node); node = nodeAround(node)) {
      this.#climbed.add(node);
      this.#near(node);
    }
  }

  #near(node: Node): void {
    const before = elementsBeside(node, previousSibling, TOUCHED_NEIGHBOURS);
    // The first sibling decides on which side of each control its row lies, so it affects all siblings after it.
    const after = elementsBeside(node, nextSibling, before.length > 0 ? TOUCHED_NEIGHBOURS : Number.POSITIVE_INFINITY);
    const tags = this.#tagsIn(parentNode(node));
    for (const element of [node, ...before, ...after]) {
      if (!(element instanceof Element)) continue;
      if (tags === undefined || (tags.get(tagName(element)) ?? 0) > 1) this.#elements.add(element);
    }
  }

  #tagsIn(parent: Node | null): ReadonlyMap<string, number> | undefined {
    if (parent === null) return undefined;
    if (!this.#tags.has(parent)) this.#tags.set(parent, tagsOfChildren(parent, this.#removed.get(parent)));
    return this.#tags.get(parent);
  }
}

function tagsOfChildren(parent: Node, removed: readonly Element[] = []): ReadonlyMap<string, number> | undefined {
  const elements = [...removed];
  for (let node = firstChild(parent); node !== null; node = nextSibling(node)) {
    if (node instanceof Element) elements.push(node);
    if (elements.length > MOST_COUNTED) return undefined;
  }
  const tags = new Map<string, number>();
  for (const element of elements) tags.set(tagName(element), (tags.get(tagName(element)) ?? 0) + 1);
  return tags;
}

/** The nearest elements on one side of a node. */
function elementsBeside(node: Node, step: (from: Node) => Node | null, most: number): Element[] {
  const found: Element[] = [];
  for (let at = step(node); at !== null && found.length < most; at = step(at))
    if (at instanceof Element) found.push(at);
  return found;
}

/** The parent node, or the host of a shadow root. */
function nodeAround(node: Node): Node | null {
  return node instanceof ShadowRoot ? node.host : parentNode(node);
}

interface KeptRow {
  name: string;
  row: RowIdentity;
  /** Number of the latest walk that used this row. */
  walk: number;
}

/**
 * The rows of elements, cached from walk to walk, since most of a page stays the same between two actions.
 * Invariant: a cached row equals the row that would be read now. It depends on the nodes around its element, up to the
 * first one that is too large to be a row, on their neighbours, and on what of them is rendered. All of these change by
 * mutations, except where a script edits a style rule: that is noticed at the next mutation there. Rows that depend on more,
 * such as field values, are not cached, and the checks of an action always read the row again.
 */
export class KeptRows {
  readonly #kept = new WeakMap<Element, KeptRow>();
  #walk = 0;
  #touched: Touched | undefined;
  #rows = new Rows();

  constructor(readonly changes: Changes) {}

  /** @param records The mutations since the previous walk; undefined when they are unknown. */
  beginWalk(records: readonly MutationRecord[] | undefined): void {
    const touched = records && new Touched(records);
    this.#touched = touched?.areAll ? undefined : touched;
    // A cached row is valid if the previous walk used it, so a step of 2 invalidates all of them.
    this.#walk += this.#touched === undefined ? 2 : 1;
    this.#rows = new Rows(root => this.changes.observes(root));
  }

  /** Drops all rows after a change that caused no mutation. Returns whether there were any. */
  forget(): boolean {
    const hadAny = this.#touched !== undefined;
    this.beginWalk(undefined);
    return hadAny;
  }

  /** Whether rows in an element may have changed; `isAround` is the same for the parent. */
  areTouchedIn(element: Element, isAround: boolean): boolean {
    if (this.#touched === undefined) return true;
    return (isAround || this.#touched.has(element)) && !this.#wasLarge(element);
  }

  /** {@link areTouchedIn} for any node, from the root down. Not recursive: pages nest deeper than the call stack. */
  areTouchedAround(node: Node | null): boolean {
    return [...elementsAround(node)].reduceRight((isAround, element) => this.areTouchedIn(element, isAround), false);
  }

  of(element: Element, name: string, isTouched: boolean): RowIdentity {
    const kept = this.#kept.get(element);
    if (kept !== undefined && !isTouched && kept.name === name && kept.walk >= this.#walk - 1) {
      kept.walk = this.#walk;
      return kept.row;
    }
    const row = this.#rows.of(element, name);
    if (row.isLasting) this.#kept.set(element, { name, row, walk: this.#walk });
    return row;
  }

  /** Whether an element was too large for a row at the previous walk and still is: no row extends beyond it. */
  #wasLarge(element: Element): boolean {
    return tagName(element) === 'BODY' || hasMoreThan(element, ROW_ELEMENTS + (this.#touched?.added ?? 0));
  }
}

/** CSS values that make an element invisible. */
const UNSEEN_STYLES: Readonly<Record<string, RegExp>> = {
  opacity: /^0$/,
  visibility: /^hidden$/,
  display: /^none$/,
  height: /^0px$/,
  maxHeight: /^0px$/,
  gridTemplateRows: /^0fr$/,
};
const MOVES = ['transform', 'translate', 'left', 'right', 'top', 'bottom'];
/** Boxes around a moving element that may clip it. */
const CLIP_STEPS = 4;
const CONTENT = 'a, button, input, select, textarea, img, svg';
/** Elements that show that something is being loaded: WAI-ARIA busy regions, and progress without a value. */
const LOADING_MARKS = '[aria-busy="true"], [role="progressbar"]:not([aria-valuenow]), progress:not([value])';
/** A longer animation is not a transition from one state to another. */
const LONGEST_FADE_MS = 1_000;

/** Milliseconds until the running animations that show or hide content end; 0 without any. */
export function fadingTime(): number {
  return Math.max(0, ...fading().map(timeLeft));
}

/** The number of visible signs that something is being loaded: by markup, or an endless animation such as a spinner. */
export function loadingMarks(): number {
  const marked = [...document.querySelectorAll(LOADING_MARKS)];
  const spinning = document.getAnimations().flatMap(({ playState, effect }) => {
    const isEndless = playState === 'running' && effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY;
    return isEndless && effect instanceof KeyframeEffect ? (effect.target ?? []) : [];
  });
  return [...marked, ...spinning].filter(element => checkVisibility(element, { visibilityProperty: true })).length;
}

/** Resolves when nothing moves any more by an animation that ends, or after `milliseconds`. */
async function untilStill(milliseconds: number): Promise<void> {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const moving = transitions(isMoving);
    const left = deadline - performance.now();
    if (moving.length === 0 || left <= 0) return;
    await untilEnded(moving, left);
    // What was dragged may slide on from here, in the frame after its first animation.
    await twoFrames();
  }
}

async function untilEnded(animations: readonly Animation[], milliseconds: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([Promise.allSettled(animations.map(({ finished }) => finished)), late]);
  clearTimeout(timer);
}

function fading(): Animation[] {
  return transitions(showsContent);
}

/** The running animations from one state to another, of elements. */
function transitions(isWanted: (effect: KeyframeEffect, target: Element) => boolean): Animation[] {
  return document.getAnimations().filter(animation => {
    const { playState, effect } = animation;
    if (playState !== 'running' || !(effect instanceof KeyframeEffect) || effect.pseudoElement !== null) return false;
    return timeLeft(animation) <= LONGEST_FADE_MS && effect.target !== null && isWanted(effect, effect.target);
  });
}

function isMoving(effect: KeyframeEffect): boolean {
  const frames = effect.getKeyframes();
  return MOVES.some(name => frames.some(frame => frame[name] !== undefined));
}

function timeLeft({ effect, currentTime, playbackRate }: Animation): number {
  const end = Number(effect?.getComputedTiming().endTime ?? 0);
  const at = Number(currentTime ?? 0);
  return playbackRate < 0 ? at / -playbackRate : (end - at) / (playbackRate || 1);
}

/**
 * Whether an animation shows or hides text or controls, by their style or by moving them into or out of the viewport,
 * or past the edge of a box that clips them, as carousels do.
 */
function showsContent(effect: KeyframeEffect, target: Element): boolean {
  const frames = effect.getKeyframes();
  const isShowing = Object.entries(UNSEEN_STYLES).some(([name, value]) =>
    frames.some(frame => value.test(`${frame[name]}`)),
  );
  if (!isShowing && !(isMoving(effect) && (isPartlyOutOfView(target) || isInClippingBox(target)))) return false;
  return Boolean(textContent(target)?.trim()) || querySelector(target, CONTENT) !== null;
}

function isPartlyOutOfView(element: Element): boolean {
  const { left, right, top, bottom } = boxOf(element);
  return left < 0 || top < 0 || right > window.innerWidth || bottom > window.innerHeight;
}

/** Whether a box not far around an element clips some of what is in it. */
function isInClippingBox(element: Element): boolean {
  let node = parentInFlatTree(element);
  for (let steps = 0; steps < CLIP_STEPS && node instanceof Element && node !== document.body; steps++) {
    const { clientWidth, clientHeight, scrollWidth, scrollHeight } = node;
    const isOverfull = scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
    if ((isOverfull || isBeyond(element, node)) && getComputedStyle(node).overflow !== 'visible') return true;
    node = parentInFlatTree(node);
  }
  return false;
}

/** Whether an element has left a box at its start, where what is out of it cannot be scrolled to. */
function isBeyond(element: Element, box: Element): boolean {
  const [inner, outer] = [boxOf(element), boxOf(box)];
  return inner.left < outer.left - 1 || inner.top < outer.top - 1;
}

/** What a page is waited for; `milliseconds` end the wait where the page does not. */
export type PageWait =
  /** What was scheduled for the first of two frames is done when the second one begins. */
  | { for: 'frames' }
  /** What was deferred by a timer or to the next frame is done when the page is idle after that frame. */
  | { for: 'rest' }
  /** A change, and where it begins to show or hide content, its end, or `fading` milliseconds. */
  | { for: 'activity'; milliseconds: number; fading: number }
  /** The end of the animations that show or hide content. */
  | { for: 'fades'; milliseconds: number }
  /** Nothing moves any more by an animation that ends. */
  | { for: 'stillness'; milliseconds: number };

/** Result of a wait: the document changed, did not change in time, or cannot change (no scripts, animations, loads). */
export type Stirring = 'stirred' | 'quiet' | 'inert';

export async function untilOver(what: PageWait, changes: Changes): Promise<Stirring> {
  if (what.for === 'activity') {
    const how = await untilStirred(what.milliseconds, changes);
    if (how === 'stirred') await untilEnded(fading(), what.fading);
    return how;
  }
  if (what.for === 'frames') await twoFrames();
  else if (what.for === 'rest') await idleAfterFrame();
  else if (what.for === 'fades') await untilEnded(fading(), what.milliseconds);
  else await untilStill(what.milliseconds);
  return 'quiet';
}

function twoFrames(): Promise<unknown> {
  return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
}

function idleAfterFrame(): Promise<unknown> {
  return new Promise(done => requestAnimationFrame(() => requestIdleCallback(done, { timeout: BUSY_PAGE_MS })));
}

/** Events of changes by style sheets and by the browser, which cause no mutation. */
const EVENTS = ['transitionend', 'animationend', 'scrollend', 'toggle'];
/** Longest wait for an idle callback in milliseconds: a busy page must be captured too. */
const BUSY_PAGE_MS = 50;

/** Resolves when the document has changed since the latest walk and is idle, or after `milliseconds`. */
function untilStirred(milliseconds: number, changes: Changes): Promise<Stirring> {
  if (!changes.sinceWalk && isInert()) return Promise.resolve('inert');
  return new Promise(resolve => {
    const end = (how: Stirring): void => {
      clearTimeout(timer);
      stopListening();
      for (const type of EVENTS) window.removeEventListener(type, onStir, { capture: true });
      if (how === 'quiet') resolve(how);
      else requestIdleCallback(() => resolve(how), { timeout: BUSY_PAGE_MS });
    };
    const onStir = (): void => end('stirred');
    const stopListening = changes.onChange(onStir);
    const timer = setTimeout(() => end('quiet'), milliseconds);
    for (const type of EVENTS) window.addEventListener(type, onStir, { capture: true, passive: true });
    if (changes.sinceWalk) onStir();
  });
}

function isInert(): boolean {
  if (document.readyState !== 'complete' || document.scripts.length > 0) return false;
  if (document.getAnimations().some(({ playState }) => playState === 'running')) return false;
  if (document.querySelector('iframe, frame, object, embed, meta[http-equiv="refresh" i]') !== null) return false;
  const handlers = 'boolean(//@*[starts-with(name(), "on")])';
  return !document.evaluate(handlers, document, null, XPathResult.BOOLEAN_TYPE).booleanValue;
}
