import { areasOf } from '../act/image-map.js';
import {
  boxOf,
  firstChild,
  firstElementChild,
  hasAttribute,
  nextElementSibling,
  nextSibling,
  nodeType,
  objectDocument,
  parentNode,
  shadowRoot,
  tagName,
} from '../dom.js';
import type { Clip } from '../visibility/clip.js';
import { parentInFlatTree } from '../visibility/flat-tree.js';
import { isAriaHidden } from '../visibility/rendering.js';
import { ClosedRoots } from '../visibility/shadow.js';
import { type Visibility, visibilityOf } from '../visibility/visible.js';
import { INLINE_TAGS, LEAF_TAGS, OPAQUE_TAGS } from './emit.js';
import { Emitter } from './emitter.js';
import type { Identities } from './identities.js';
import { pathOf, pathStep } from './known.js';
import type { Listeners } from './listeners.js';
import type { ElementIds } from './refs.js';
import type { Stillness } from './stillness.js';
import { Trace } from './trace.js';

/** What holds for everything below an element. */
export interface Scope {
  /** Depth of emitted nodes. */
  depth: number;
  /** Hash of the tag names from the document down to here. */
  path: number;
  /** Inside a widget: what is below it is part of it unless it is a widget itself. */
  inWidget: boolean;
  /** The cursor is a pointer already, so that only where it began is the clickable element. */
  pointer: boolean;
  /** The text is in the name of an emitted element above. */
  quiet: boolean;
  /** Text is not visible (`visibility: hidden`), though elements below may be. */
  hidden: boolean;
  /** What cuts off the elements below. */
  clip: Clip | null;
}

interface Level {
  next: Node | null;
  /** Assigned nodes of a slot, which are no siblings of each other in its own tree. */
  list: readonly Node[] | null;
  index: number;
  element: Element;
  inline: boolean;
  scope: Scope;
}

/** What is inside an element. */
interface Inside {
  root: ShadowRoot | undefined;
  inline: boolean;
  scope: Scope;
}

export interface WalkOptions {
  maxNodes: number;
  /** Looks at every text anew and measures where it stands; else what was seen before is taken as it was. */
  exactText: boolean;
}

/** What a walk may ask about a document beside the document itself. */
export interface DocumentKnowledge {
  readonly ids: ElementIds;
  readonly closedRoots: ClosedRoots;
  readonly identities: Identities;
  readonly stillness: Stillness;
  readonly listeners: Listeners;
}

/**
 * One pass over a document in flat-tree order that emits what a person could see or act on.
 * It keeps its own stack, because pages nest deeper than a call stack goes.
 */
export class Walk {
  readonly emitter: Emitter;
  readonly trace = new Trace();
  elementCount = 0;
  cut = false;
  #levels: Level[] = [];
  #closedRoots: ClosedRoots;
  #stillness: Stillness;
  #listeners: Listeners;
  #ids: ElementIds;
  #identities: Identities;

  constructor(
    knowledge: DocumentKnowledge,
    readonly options: WalkOptions,
  ) {
    this.emitter = new Emitter(knowledge, this.trace, options.exactText);
    this.#closedRoots = knowledge.closedRoots;
    this.#stillness = knowledge.stillness;
    this.#listeners = knowledge.listeners;
    this.#ids = knowledge.ids;
    this.#identities = knowledge.identities;
  }

  from(root: Element): void {
    const { emitter } = this;
    for (let node: Node | null = root; node !== null; node = parentInFlatTree(node)) {
      if (!(node instanceof Element)) continue;
      this.trace.scroller(node);
      // It may listen for what is in it.
      if (node !== root) this.#identities.of(node, tagName(node));
    }
    const path = pathOf(parentInFlatTree(root));
    this.#element(root, { depth: 0, path, inWidget: false, pointer: false, quiet: false, hidden: false, clip: null });
    const levels = this.#levels;
    while (levels.length > 0) {
      const level = levels[levels.length - 1] as Level;
      const node = advance(level);
      if (node === null) {
        if (!level.inline) emitter.endText();
        levels.pop();
        continue;
      }
      const type = nodeType(node);
      if (type === 3) {
        if (!level.scope.quiet && !level.scope.hidden) emitter.text(node as Text, level.element, level.scope);
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
    this.trace.visit(element, visibility);
    if (visibility === 'unrendered' || visibility === 'unslotted') {
      this.#unrendered(element, visibility);
      return;
    }
    const hidden = visibility === 'hidden';
    const boxless = visibility === 'boxless';
    const { depth, inWidget, pointer, quiet, clip } = scope;
    const below: Scope = { depth, path: pathStep(scope.path, element), inWidget, pointer, quiet, hidden, clip };
    if (hidden) this.#ids.rememberUnseen(element);
    else this.emitter.element(element, tag, { scope, below, boxless });
    const root = shadowRoot(element) ?? this.#closedRoots.closed(element);
    const hasInside = firstElementChild(element) !== null || root !== undefined || tag === 'SLOT';
    if (hasInside && !boxless) below.clip = this.emitter.clipIn(element, tag, scope.clip);
    if (!LEAF_TAGS.has(tag) && objectDocument(element) === null)
      this.#descend(element, tag, { root, inline, scope: below });
    else if (tag === 'IMG' && hasAttribute(element, 'usemap')) this.#areas(element, below);
  }

  #areas(image: Element, scope: Scope): void {
    // Where its areas are depends on the image alone.
    this.trace.structure({ element: image, box: boxOf(image), role: 'img' });
    for (const { element, box } of areasOf(image)) {
      const below = { ...scope, path: pathStep(scope.path, element) };
      this.emitter.element(element, tagName(element), { scope, below, boxless: true, box });
    }
  }

  #descend(element: Element, tag: string, { root, inline, scope }: Inside): void {
    let next: Node | null = null;
    let list: readonly Node[] | null = null;
    if (root !== undefined) {
      this.#stillness.watch(element, root);
      this.#listeners.meet(root);
      next = firstChild(root);
    } else if (tag === 'SLOT') {
      const assigned = (element as HTMLSlotElement).assignedNodes();
      this.trace.slot(element as HTMLSlotElement, assigned);
      if (assigned.length > 0) list = assigned;
      else next = firstChild(element);
    } else if (tag === 'DETAILS' && !hasAttribute(element, 'open')) {
      list = this.#summaryOf(element);
    } else {
      next = firstChild(element);
      if (next === null || tag.includes('-')) this.#consider(element, tag);
      if (tag === 'svg' && !hasInteractiveParts(element) && !this.#identities.reactions.reactsIn(element)) return;
    }
    if (next !== null || list !== null) this.#levels.push({ next, list, index: 0, element, inline, scope });
  }

  /** What a closed details element shows (HTML, the details element). */
  #summaryOf(details: Element): Element[] {
    const summary: Element[] = [];
    for (let child = firstElementChild(details); child !== null; child = nextElementSibling(child)) {
      if (summary.length === 0 && tagName(child) === 'SUMMARY') summary.push(child);
      else this.#ids.rememberUnseen(child);
    }
    return summary;
  }

  /** What is in no slot of the host around it: where nobody knows of a host, there may be a closed one. */
  #unrendered(element: Element, visibility: Visibility): void {
    this.#ids.rememberUnseen(element);
    const parent = visibility === 'unslotted' ? parentNode(element) : null;
    if (parent instanceof Element && shadowRoot(parent) === null) this.#consider(parent, tagName(parent));
  }

  #consider(element: Element, tag: string): void {
    if (!ClosedRoots.mayHost(tag)) return;
    this.trace.consider(element);
    this.#closedRoots.consider(element, tag);
  }
}

function advance(level: Level): Node | null {
  if (level.list !== null) return level.list[level.index++] ?? null;
  const node = level.next;
  if (node !== null) level.next = nextSibling(node);
  return node;
}

function hasInteractiveParts(svg: Element): boolean {
  return svg.querySelector('a, [role], [tabindex], [onclick], foreignObject, [aria-label], :not(svg) > title') !== null;
}
