import {
  checkVisibility,
  closest,
  elementsAround,
  elementsIn,
  firstChild,
  firstElementChild,
  hasAttribute,
  type NodeRun,
  nextElementSibling,
  nextNodeOf,
  nodeType,
  objectDocument,
  parentInFlatTree,
  parentNode,
  querySelector,
  querySelectorAll,
  shadowRoot,
  tagName,
  titleNow,
  treeScopeOf,
} from '../dom/dom.js';
import type { Point } from '../dom/geometry.js';
import { boxMiddleOf, mainScroller, partInView, scrollerOf, scrollState } from '../dom/scroll.js';
import { pathHash, pathStep } from '../identity/element-record.js';
import { beginPass, currentPass, endPass, generatedTextOf, type PseudoText } from '../names/generated-content.js';
import { roleOf } from '../names/role.js';
import { INLINE_TAGS, LEAF_TAGS, OPAQUE_TAGS } from '../names/roles.js';
import { isWithin, layersOver, topModal, topmostAt } from '../press/hit-test.js';
import { areasOf } from '../press/press-point.js';
import type { RawCapture } from '../protocol.js';
import { clipIn, isAriaHidden, VISIBLE, type Visibility, visibilityOf } from '../visibility/visibility.js';
import { isOnlySpace } from './clickable.js';
import { Emitter, type Scope, SeenElement, type WalkContext } from './emit.js';
import { hasWidgetRole, isDeclaredClickable, isHand } from './interactive.js';

interface WalkLevel extends NodeRun {
  /** The element that these texts belong to; undefined where none of them is visible. */
  seen: SeenElement | undefined;
  inline: boolean;
  scope: Scope;
  /** Generated content after the last node. */
  after?: PseudoText | undefined;
}

interface Inside extends Pick<WalkLevel, 'seen' | 'inline' | 'scope'> {
  root: ShadowRoot | undefined;
}

interface WalkOptions {
  maxNodes: number;
  /** Measures where each text is, and whether it is readable. */
  exactText?: boolean;
  /** Includes generated content. */
  addedText?: boolean;
}

/** Emits what a person could see or act on, in flat-tree order. Pages nest too deep for recursion. */
class Walk {
  readonly emitter: Emitter;
  elementCount = 0;
  cut = false;
  #levels: WalkLevel[] = [];
  #ariaHidden: AriaHiddenElements;
  /** It reached a shadow root that no mutation record had announced. */
  hasMet = false;

  constructor(
    readonly context: WalkContext,
    readonly options: WalkOptions,
  ) {
    this.emitter = new Emitter(context, options.exactText ?? false);
    this.#ariaHidden = new AriaHiddenElements(context.shownAriaHidden);
  }

  from(root: Element): void {
    const { emitter } = this;
    const around = parentInFlatTree(root);
    // An ancestor may listen for events of its content.
    for (const element of elementsAround(around)) isDeclaredClickable(element);
    const path = pathHash(around);
    const touched = this.context.rows.areTouchedAround(around);
    this.#element(root, { depth: 0, path, inWidget: false, pointer: false, quiet: false, clip: null, touched });
    const levels = this.#levels;
    while (levels.length > 0) {
      const level = levels[levels.length - 1] as WalkLevel;
      const node = nextNodeOf(level);
      if (node === null) {
        if (level.after !== undefined) emitter.added(level.after, level.scope);
        if (!level.inline) emitter.endText();
        else if (level.seen !== undefined) emitter.edge(level.seen);
        levels.pop();
        continue;
      }
      const type = nodeType(node);
      if (type === 3) {
        if (level.seen !== undefined && !level.scope.quiet) emitter.text(node as Text, level.seen, level.scope);
      } else if (type === 1) this.#element(node as Element, level.scope);
      if (emitter.nodes.length >= this.options.maxNodes) {
        this.cut = true;
        break;
      }
    }
    emitter.endText();
  }

  #element(element: Element, scope: Scope): void {
    this.elementCount++;
    const tag = tagName(element);
    if (OPAQUE_TAGS.has(tag)) return;
    const inline = INLINE_TAGS.has(tag);
    if (!inline) this.emitter.endText();
    if ((isAriaHidden(element) && !this.#ariaHidden.isShown(element, tag, scope)) || hasAttribute(element, 'inert')) {
      this.context.ids.rememberUnseen(element);
      return;
    }
    const visibility = visibilityOf(element);
    if (visibility === 'unrendered' || visibility === 'unslotted') {
      this.#unrendered(element, visibility);
      return;
    }
    const hidden = visibility === 'hidden';
    const boxless = visibility === 'boxless';
    const { depth, inWidget, pointer, quiet, clip } = scope;
    const path = pathStep(scope.path, element);
    const touched = this.context.rows.areTouchedIn(element, scope.touched);
    const below: Scope = { depth, path, inWidget, pointer, quiet, clip, touched };
    const seen = new SeenElement(element, tag);
    if (hidden) this.context.ids.rememberUnseen(element);
    else {
      if (inline) this.emitter.edge(seen);
      this.emitter.element(seen, { scope, below, boxless });
      if (tag.includes('-')) this.context.internals.consider(element, tag, below.inWidget && !inWidget);
    }
    const root = shadowRoot(element) ?? this.context.closedRoots.closed(element);
    const hasInside = firstElementChild(element) !== null || root !== undefined || tag === 'SLOT';
    if (hasInside) below.clip = clipIn(element, seen.style, scope.clip);
    if (!LEAF_TAGS.has(tag) && objectDocument(element) === null)
      this.#descend(element, tag, {
        root,
        seen: hidden ? undefined : seen,
        // An element that is emitted by itself holds only its own text.
        inline: inline && below.depth === depth,
        scope: below,
      });
    else if (tag === 'IMG' && hasAttribute(element, 'usemap')) this.#areas(element, below);
  }

  #areas(image: Element, scope: Scope): void {
    for (const { element, box } of areasOf(image)) {
      // It stands in the map, not in the image.
      const touched = this.context.rows.areTouchedAround(element);
      const below = { ...scope, path: pathStep(scope.path, element), touched };
      this.emitter.element(new SeenElement(element, tagName(element)), { scope, below, boxless: true, box });
    }
  }

  #descend(element: Element, tag: string, { root, seen, inline, scope }: Inside): void {
    let next: Node | null = null;
    let list: readonly Node[] | null = null;
    if (root !== undefined) {
      if (this.context.changes.observe(root) && !scope.touched) this.hasMet = true;
      this.context.listeners.meet(root);
      next = firstChild(root);
    } else if (tag === 'SLOT') {
      const assigned = (element as HTMLSlotElement).assignedNodes();
      if (assigned.length > 0) list = assigned;
      else next = firstChild(element);
    } else if (tag === 'DETAILS' && !hasAttribute(element, 'open')) {
      list = this.#summaryOf(element);
    } else {
      next = firstChild(element);
      if (next === null || tag.includes('-') || isOnlySpace(next)) this.context.closedRoots.consider(element, tag);
      if (tag === 'svg' && !hasInteractiveParts(element) && !this.context.reactions.reactsIn(element)) return;
    }
    const added =
      this.options.addedText && seen !== undefined
        ? generatedTextOf(element, treeScopeOf(element), currentPass())
        : undefined;
    if (added?.before !== undefined) this.emitter.added(added.before, scope);
    if (next !== null || list !== null || added?.after !== undefined)
      this.#levels.push({ next, list, index: 0, seen, inline, scope, after: added?.after });
  }

  /** The visible parts of a closed `details` (HTML, the details element). */
  #summaryOf(details: Element): Element[] {
    const summary: Element[] = [];
    for (let child = firstElementChild(details); child !== null; child = nextElementSibling(child)) {
      if (summary.length === 0 && tagName(child) === 'SUMMARY') summary.push(child);
      else this.context.ids.rememberUnseen(child);
    }
    return summary;
  }

  /** A child that is assigned to no slot reveals a host: where no shadow root is known, it may be closed. */
  #unrendered(element: Element, visibility: Visibility): void {
    this.context.ids.rememberUnseen(element);
    const parent = visibility === 'unslotted' ? parentNode(element) : null;
    if (parent instanceof Element && shadowRoot(parent) === null)
      this.context.closedRoots.consider(parent, tagName(parent));
  }
}

/** What a person presses in an element. A negative tabindex marks what only repeats something else, such as a link. */
const PRESSED_INSIDE = `:is(button, a[href], input:not([type="hidden"]), select, textarea, [tabindex], [onclick],
  [role="button"]):not([tabindex^="-"])`;
/** What a person reads. */
const READ_INSIDE = 'h1, h2, h3, p, li, td';
/** Part of the viewport, or of the elements of the page. */
const LARGE_PART = { ofView: 0.25, ofPage: 0.5 };
/** Popups that make the rest of the page `aria-hidden` for as long as they are open, and the controls of others. */
const OPEN_POPUP = `[role="menu"], [role="listbox"], [role="tree"],
  [aria-expanded="true"]:is([aria-haspopup], [role="combobox"])`;
/** Elements that are tried for a point that a press would hit. */
const MOST_TRIED = 12;

/**
 * Finds `aria-hidden` elements that a person presses nevertheless: icons that listen, and large parts of the page from
 * which a closed dialog has not removed the attribute. All others are decoration, repeat something, or are covered.
 */
class AriaHiddenElements {
  /** Whether a popup is open that explains the attribute. */
  #hasPopup: boolean | undefined;

  /** @param shown Those that were pressable when they were in view. */
  constructor(readonly shown: WeakSet<Element>) {}

  isShown(element: Element, tag: string, { inWidget, pointer }: Scope): boolean {
    if (inWidget || !checkVisibility(element, VISIBLE)) return false;
    const isControl = this.#isControl(element, tag, pointer);
    if (!isControl && (!isLargePart(element) || this.#isExplained)) return false;
    const inside = isControl ? [] : querySelectorAll(element, PRESSED_INSIDE);
    const parts = [element, ...[...inside].slice(0, MOST_TRIED)].map(partInView);
    const points = parts.filter(({ width, height }) => width >= 2 && height >= 2).map(boxMiddleOf);
    if (points.some(point => isHitAt(element, point))) this.shown.add(element);
    else if (points.length > 0) this.shown.delete(element);
    return this.shown.has(element);
  }

  #isControl(element: Element, tag: string, pointer: boolean): boolean {
    if (hasWidgetRole(element, tag, roleOf(element))) return false;
    return isDeclaredClickable(element) || (!pointer && isHand(getComputedStyle(element).cursor));
  }

  get #isExplained(): boolean {
    this.#hasPopup ??= [...document.querySelectorAll(OPEN_POPUP)].some(
      opener => checkVisibility(opener, VISIBLE) && closest(opener, '[aria-hidden="true" i]') === null,
    );
    return this.#hasPopup;
  }
}

function isLargePart(element: Element): boolean {
  if (firstElementChild(element) === null) return false;
  if (querySelector(element, `${PRESSED_INSIDE}, ${READ_INSIDE}`) === null) return false;
  const { width, height } = partInView(element);
  if (width * height > LARGE_PART.ofView * window.innerWidth * window.innerHeight) return true;
  const { body } = document;
  return elementsIn(element, '*').length >= LARGE_PART.ofPage * elementsIn(body ?? element, '*').length;
}

function isHitAt(element: Element, { x, y }: Point): boolean {
  const hit = topmostAt(element, x, y);
  return hit !== null && isWithin(hit, element);
}

function hasInteractiveParts(svg: Element): boolean {
  return (
    querySelector(svg, 'a, [role], [tabindex], [onclick], foreignObject, [aria-label], :not(svg) > title') !== null
  );
}

/** A walk of the document, or of the modal dialog that hides the rest of it. */
interface Walked {
  walk: Walk;
  modal: Element | undefined;
}

/** Walks a document repeatedly, and remembers the modal dialogs that only a walk can find. */
export class Walker {
  #modalsInShadow: WeakRef<Element>[] = [];

  constructor(readonly context: WalkContext) {}

  walk(options: WalkOptions, onBegin?: (modal: Element | undefined) => void): Walked {
    const known = this.#modalsInShadow.flatMap(modal => modal.deref() ?? []);
    const modal = topModal(known);
    const walk = this.#from(modal, options, onBegin);
    const { modals } = walk.emitter;
    // Only the walk can find a modal dialog in a shadow tree.
    if (modals.every(each => known.includes(each))) return { walk, modal };
    this.#modalsInShadow = modals.map(each => new WeakRef(each));
    const found = topModal(modals);
    return found === modal ? { walk, modal } : { walk: this.#from(found, options, onBegin), modal: found };
  }

  #from(modal: Element | undefined, options: WalkOptions, onBegin?: (modal: Element | undefined) => void): Walk {
    onBegin?.(modal);
    this.context.reactions.beginWalk();
    beginPass();
    try {
      const walk = new Walk(this.context, options);
      const root = modal ?? document.body ?? document.documentElement;
      if (root !== null) walk.from(root);
      if (modal !== undefined) for (const layer of layersOver(modal)) walk.from(layer);
      return walk.hasMet && this.context.rows.forget() ? this.#from(modal, options, onBegin) : walk;
    } finally {
      endPass();
    }
  }
}

export interface CaptureRequest extends WalkOptions {
  /** Includes the facts of the element last handed out for a purpose. */
  acted?: boolean;
  /** Number of the capture that the caller already has. */
  seen?: number;
  /** How far back refused fields are reported, in milliseconds. */
  since?: number;
  /** No agent is given this capture now: it changes nothing about what elements must still be. */
  isAside?: true;
}

export interface NumberedCapture {
  number: number;
  /** The capture as JSON. */
  text: string;
}

/** Captures one document. Equal captures have the same number. */
export class Captures {
  /** The latest with exact texts, and without. */
  readonly #latest = new Map<boolean, NumberedCapture>();
  /** Starts at random, so that numbers of different documents do not collide. */
  #number = Math.floor(Math.random() * 2 ** 40);

  constructor(readonly walker: Walker) {}

  take(request: CaptureRequest): NumberedCapture {
    const { exactText = false } = request;
    const text = JSON.stringify(this.#read(request));
    const before = this.#latest.get(exactText);
    if (text === before?.text) return before;
    const numbered = { number: ++this.#number, text };
    this.#latest.set(exactText, numbered);
    return numbered;
  }

  #read(options: WalkOptions): RawCapture {
    const { ids, closedRoots, changes, rows, listeners, internals } = this.walker.context;
    rows.beginWalk(changes.beginWalk());
    const { walk, modal } = this.walker.walk(options, hiding => {
      ids.beginCapture(hiding);
      closedRoots.beginWalk();
      internals.beginWalk();
    });
    if (walk.cut) ids.noteCut();
    const { top, height, viewportHeight } = scrollState(pageScroller());
    return {
      doc: ids.doc,
      lastId: ids.last,
      title: titleNow(),
      url: location.href,
      nodes: walk.emitter.nodes,
      rows: walk.emitter.rowTexts,
      scroll: [top, height, viewportHeight],
      modal: modal !== undefined,
      elementCount: walk.elementCount,
      suspects: closedRoots.suspects.length,
      internals: internals.suspects.length,
      shadowRoots: listeners.roots,
      ...(walk.cut && { cut: true }),
    };
  }
}

/** The element that a person scrolls to see more of the page; in a frame, the document's scroller. */
function pageScroller(): Element {
  return window === window.top ? scrollerOf(undefined, 0, 1) : mainScroller();
}
