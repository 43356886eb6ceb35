import type { Changes, KeptRows } from './changes.js';
import type { Listeners, Reactions } from './clickable.js';
import {
  ClosedRoots,
  firstChild,
  firstElementChild,
  hasAttribute,
  nextElementSibling,
  nextSibling,
  nodeType,
  objectDocument,
  parentInFlatTree,
  parentNode,
  querySelector,
  shadowRoot,
  tagName,
  titleNow,
  treeScopeOf,
} from './dom.js';
import { pathHash, pathStep } from './element-record.js';
import { type DocumentKnowledge, Emitter, type Scope, SeenElement } from './emit.js';
import { beginPass, currentPass, endPass, generatedTextOf, type PseudoText } from './generated-content.js';
import { layersOver, topModal } from './hit-test.js';
import type { ElementIds } from './identity.js';
import { isDeclaredClickable } from './interactive.js';
import { areasOf } from './press-point.js';
import type { RawCapture } from './protocol.js';
import { INLINE_TAGS, LEAF_TAGS, OPAQUE_TAGS } from './roles.js';
import { mainScroller, scrollerOf, scrollState } from './scroll.js';
import { clipIn, isAriaHidden, type Visibility, visibilityOf } from './visibility.js';

interface WalkLevel {
  next: Node | null;
  /** Assigned nodes of a slot, which need not be siblings in their own tree. */
  list: readonly Node[] | null;
  index: number;
  /** The element that these texts belong to; undefined where none of them is visible. */
  seen: SeenElement | undefined;
  inline: boolean;
  scope: Scope;
  /** Generated content after the last node. */
  after?: PseudoText | undefined;
}

interface Inside {
  root: ShadowRoot | undefined;
  seen: SeenElement | undefined;
  inline: boolean;
  scope: Scope;
}

interface WalkOptions {
  maxNodes: number;
  exactText?: boolean;
  addedText?: boolean;
}

/** Emits what a person could see or act on, in flat-tree order. Pages nest too deep for recursion. */
class Walk {
  readonly emitter: Emitter;
  elementCount = 0;
  cut = false;
  #levels: WalkLevel[] = [];
  #closedRoots: ClosedRoots;
  #changes: Changes;
  #listeners: Listeners;
  #ids: ElementIds;
  #reactions: Reactions;
  #rows: KeptRows;
  /** It reached a shadow root that no mutation record had announced. */
  hasMet = false;

  constructor(
    knowledge: DocumentKnowledge,
    readonly options: WalkOptions,
  ) {
    this.emitter = new Emitter(knowledge, options.exactText ?? false);
    this.#closedRoots = knowledge.closedRoots;
    this.#changes = knowledge.changes;
    this.#listeners = knowledge.listeners;
    this.#ids = knowledge.ids;
    this.#reactions = knowledge.reactions;
    this.#rows = knowledge.rows;
  }

  from(root: Element): void {
    const { emitter } = this;
    for (let node = parentInFlatTree(root); node !== null; node = parentInFlatTree(node)) {
      // An ancestor may listen for events of its content.
      if (node instanceof Element) isDeclaredClickable(node);
    }
    const around = parentInFlatTree(root);
    const path = pathHash(around);
    const touched = this.#rows.areTouchedAround(around);
    this.#element(root, { depth: 0, path, inWidget: false, pointer: false, quiet: false, clip: null, touched });
    const levels = this.#levels;
    while (levels.length > 0) {
      const level = levels[levels.length - 1] as WalkLevel;
      const node = nextNodeIn(level);
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
    if (isAriaHidden(element) || hasAttribute(element, 'inert')) {
      this.#ids.rememberUnseen(element);
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
    const touched = this.#rows.areTouchedIn(element, scope.touched);
    const below: Scope = { depth, path, inWidget, pointer, quiet, clip, touched };
    const seen = new SeenElement(element, tag);
    if (hidden) this.#ids.rememberUnseen(element);
    else {
      if (inline) this.emitter.edge(seen);
      this.emitter.element(seen, { scope, below, boxless });
    }
    const root = shadowRoot(element) ?? this.#closedRoots.closed(element);
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
      const below = { ...scope, path: pathStep(scope.path, element) };
      this.emitter.element(new SeenElement(element, tagName(element)), { scope, below, boxless: true, box });
    }
  }

  #descend(element: Element, tag: string, { root, seen, inline, scope }: Inside): void {
    let next: Node | null = null;
    let list: readonly Node[] | null = null;
    if (root !== undefined) {
      if (this.#changes.observe(root) && !scope.touched) this.hasMet = true;
      this.#listeners.meet(root);
      next = firstChild(root);
    } else if (tag === 'SLOT') {
      const assigned = (element as HTMLSlotElement).assignedNodes();
      if (assigned.length > 0) list = assigned;
      else next = firstChild(element);
    } else if (tag === 'DETAILS' && !hasAttribute(element, 'open')) {
      list = this.#summaryOf(element);
    } else {
      next = firstChild(element);
      if (next === null || tag.includes('-')) this.#consider(element, tag);
      if (tag === 'svg' && !hasInteractiveParts(element) && !this.#reactions.reactsIn(element)) return;
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
      else this.#ids.rememberUnseen(child);
    }
    return summary;
  }

  /** A child that is assigned to no slot reveals a host: where no shadow root is known, it may be closed. */
  #unrendered(element: Element, visibility: Visibility): void {
    this.#ids.rememberUnseen(element);
    const parent = visibility === 'unslotted' ? parentNode(element) : null;
    if (parent instanceof Element && shadowRoot(parent) === null) this.#consider(parent, tagName(parent));
  }

  #consider(element: Element, tag: string): void {
    if (!ClosedRoots.mayHost(tag)) return;
    this.#closedRoots.consider(element, tag);
  }
}

function nextNodeIn(level: WalkLevel): Node | null {
  if (level.list !== null) return level.list[level.index++] ?? null;
  const node = level.next;
  if (node !== null) level.next = nextSibling(node);
  return node;
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

  constructor(readonly knowledge: DocumentKnowledge) {}

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
    this.knowledge.reactions.beginWalk();
    beginPass();
    try {
      const walk = new Walk(this.knowledge, options);
      const root = modal ?? document.body ?? document.documentElement;
      if (root !== null) walk.from(root);
      if (modal !== undefined) for (const layer of layersOver(modal)) walk.from(layer);
      return walk.hasMet && this.knowledge.rows.forget() ? this.#from(modal, options, onBegin) : walk;
    } finally {
      endPass();
    }
  }
}

export interface CaptureRequest {
  maxNodes: number;
  /** Includes the facts of the element last handed out for a purpose. */
  acted?: boolean;
  /** Measures where each text is, and whether it is readable. */
  exactText?: boolean;
  /** Includes generated content. */
  addedText?: boolean;
  /** Number of the capture that the caller already has. */
  seen?: number;
  /** Milliseconds to look back for refused fields. */
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
  #plain: NumberedCapture | undefined;
  #exact: NumberedCapture | undefined;
  /** Starts at random, so that numbers of different documents do not collide. */
  #number = Math.floor(Math.random() * 2 ** 40);

  constructor(readonly walker: Walker) {}

  take(request: CaptureRequest): NumberedCapture {
    const before = request.exactText ? this.#exact : this.#plain;
    const text = JSON.stringify(this.#read(request));
    const numbered = text === before?.text ? before : { number: ++this.#number, text };
    if (request.exactText) this.#exact = numbered;
    else this.#plain = numbered;
    return numbered;
  }

  #read({ maxNodes, exactText = false, addedText = false }: CaptureRequest): RawCapture {
    const { ids, closedRoots, changes, rows, listeners } = this.walker.knowledge;
    rows.beginLook(changes.look());
    const { walk, modal } = this.walker.walk({ maxNodes, exactText, addedText }, hiding => {
      ids.beginCapture(hiding);
      closedRoots.beginWalk();
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
      shadowRoots: listeners.roots,
      ...(walk.cut && { cut: true }),
    };
  }
}

/** The element that a person scrolls to see more of the page; in a frame, the document's scroller. */
function pageScroller(): Element {
  return window === window.top ? scrollerOf(undefined, 0, 1) : mainScroller();
}
