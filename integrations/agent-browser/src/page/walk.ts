import {
  checkVisibility,
  firstChild,
  firstElementChild,
  getAttribute,
  hasAttribute,
  nextSibling,
  nodeType,
  parentNode,
  shadowRoot,
  tagName,
} from './dom.js';
import { INLINE_TAGS, LEAF_TAGS, OPAQUE_TAGS } from './emit.js';
import { Emitter } from './emitter.js';
import { parentInFlatTree } from './flat-tree.js';
import type { Identities } from './identities.js';
import { pathOf, pathStep } from './known.js';
import type { ElementIds } from './refs.js';
import type { ClosedRoots } from './shadow.js';
import type { Stillness } from './stillness.js';
import type { Texts } from './texts.js';

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

export interface WalkOptions {
  maxNodes: number;
  /** Looks at every text anew and measures where it stands; else what was seen before is taken as it was. */
  exactText: boolean;
}

/** What a walk may ask about a document beside the document itself. */
export interface DocumentKnowledge {
  readonly ids: ElementIds;
  readonly closedRoots: ClosedRoots;
  readonly texts: Texts;
  readonly identities: Identities;
  readonly stillness: Stillness;
}

const VISIBLE = { visibilityProperty: true };

/**
 * One pass over a document in flat-tree order that emits what a person could see or act on.
 * It keeps its own stack, because pages nest deeper than a call stack goes.
 */
export class Walk {
  readonly emitter: Emitter;
  elementCount = 0;
  cut = false;
  #levels: Level[] = [];
  #closedRoots: ClosedRoots;
  #stillness: Stillness;
  #ids: ElementIds;

  constructor(
    knowledge: DocumentKnowledge,
    readonly options: WalkOptions,
  ) {
    this.emitter = new Emitter(knowledge, options.exactText);
    this.#closedRoots = knowledge.closedRoots;
    this.#stillness = knowledge.stillness;
    this.#ids = knowledge.ids;
  }

  from(root: Element): void {
    const { emitter } = this;
    const path = pathOf(parentInFlatTree(root));
    this.#element(root, { depth: 0, path, inWidget: false, pointer: false, quiet: false, hidden: false });
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
    if (getAttribute(element, 'aria-hidden') === 'true' || hasAttribute(element, 'inert')) {
      this.#ids.rememberUnseen(element);
      return;
    }
    let hidden = false;
    let boxless = false;
    if (!checkVisibility(element, VISIBLE)) {
      if (checkVisibility(element)) hidden = true;
      else if (getComputedStyle(element).display === 'contents') boxless = true;
      else {
        this.#unrendered(element);
        return;
      }
    }
    const { depth, inWidget, pointer, quiet } = scope;
    const below: Scope = { depth, path: pathStep(scope.path, element), inWidget, pointer, quiet, hidden };
    if (hidden) this.#ids.rememberUnseen(element);
    else this.emitter.element(element, tag, { scope, below, boxless });
    if (!LEAF_TAGS.has(tag)) this.#descend(element, tag, inline, below);
  }

  #descend(element: Element, tag: string, inline: boolean, scope: Scope): void {
    let next: Node | null = null;
    let list: readonly Node[] | null = null;
    const root = shadowRoot(element) ?? this.#closedRoots.closed(element);
    if (root != null) {
      this.#stillness.watch(element, root);
      next = firstChild(root);
    } else if (tag === 'SLOT') {
      const assigned = (element as HTMLSlotElement).assignedNodes();
      if (assigned.length > 0) list = assigned;
      else next = firstChild(element);
    } else {
      next = firstChild(element);
      if (next === null || tag.includes('-')) this.#closedRoots.consider(element, tag);
      if (tag === 'svg' && !hasInteractiveParts(element)) return;
    }
    if (next !== null || list !== null) this.#levels.push({ next, list, index: 0, element, inline, scope });
  }

  /** Children of a host that are in no slot are not rendered: where the first one is not, the parent may be a host. */
  #unrendered(element: Element): void {
    this.#ids.rememberUnseen(element);
    const parent = parentNode(element);
    if (!(parent instanceof Element) || firstElementChild(parent) !== element) return;
    if (shadowRoot(parent) === null) this.#closedRoots.consider(parent, tagName(parent));
  }
}

function advance(level: Level): Node | null {
  if (level.list !== null) return level.list[level.index++] ?? null;
  const node = level.next;
  if (node !== null) level.next = nextSibling(node);
  return node;
}

function hasInteractiveParts(svg: Element): boolean {
  return svg.querySelector('a, [role], [tabindex], [onclick], foreignObject') !== null;
}
