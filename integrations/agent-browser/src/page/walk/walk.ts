import { areasOf } from '../act/image-map.js';
import {
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
import type { KeptRows } from '../kept/kept-rows.js';
import { generatedTextOf, type PseudoText } from '../role-and-name/generated-text.js';
import { isDeclaredClickable } from '../role-and-name/interactive.js';
import { currentPass } from '../role-and-name/pass.js';
import { clipIn } from '../visibility/clip.js';
import { parentInFlatTree } from '../visibility/flat-tree.js';
import { isAriaHidden } from '../visibility/rendering.js';
import { ClosedRoots } from '../visibility/shadow.js';
import { treeScopeOf } from '../visibility/tree-scope.js';
import { type Visibility, visibilityOf } from '../visibility/visible.js';
import type { Changes } from './changes.js';
import type { DocumentKnowledge, Scope } from './document-knowledge.js';
import { INLINE_TAGS, LEAF_TAGS, OPAQUE_TAGS } from './emit.js';
import { Emitter } from './emitter.js';
import { pathOf, pathStep } from './known.js';
import type { Listeners } from './listeners.js';
import type { Reactions } from './reactions.js';
import type { ElementIds } from './refs.js';
import { SeenElement } from './seen-element.js';

interface Level {
  next: Node | null;
  /** Assigned nodes of a slot, which are no siblings of each other in its own tree. */
  list: readonly Node[] | null;
  index: number;
  /** Whose texts these are; undefined where none of them shows. */
  seen: SeenElement | undefined;
  inline: boolean;
  scope: Scope;
  /** Text behind the last of them. */
  after?: PseudoText | undefined;
}

/** The nodes inside an element. */
interface Inside {
  root: ShadowRoot | undefined;
  seen: SeenElement | undefined;
  inline: boolean;
  scope: Scope;
}

export interface WalkOptions {
  maxNodes: number;
  /** Measures where every text stands, and whether a person can read it. */
  exactText?: boolean;
  /** Reads the text that style sheets add, too. */
  addedText?: boolean;
}

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
  #changes: Changes;
  #listeners: Listeners;
  #ids: ElementIds;
  #reactions: Reactions;
  #rows: KeptRows;
  /** It came to a shadow root of which no mutation had told. */
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
      // It may listen for what is in it.
      if (node instanceof Element) isDeclaredClickable(node);
    }
    const around = parentInFlatTree(root);
    const path = pathOf(around);
    const touched = this.#rows.areTouchedAround(around);
    this.#element(root, { depth: 0, path, inWidget: false, pointer: false, quiet: false, clip: null, touched });
    const levels = this.#levels;
    while (levels.length > 0) {
      const level = levels[levels.length - 1] as Level;
      const node = advance(level);
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
        // What is emitted for itself holds its own text alone.
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

  /** The parts that a closed details element shows (HTML, the details element). */
  #summaryOf(details: Element): Element[] {
    const summary: Element[] = [];
    for (let child = firstElementChild(details); child !== null; child = nextElementSibling(child)) {
      if (summary.length === 0 && tagName(child) === 'SUMMARY') summary.push(child);
      else this.#ids.rememberUnseen(child);
    }
    return summary;
  }

  /** Children in no slot of their host: where nobody knows of a host, there may be a closed one. */
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

function advance(level: Level): Node | null {
  if (level.list !== null) return level.list[level.index++] ?? null;
  const node = level.next;
  if (node !== null) level.next = nextSibling(node);
  return node;
}

function hasInteractiveParts(svg: Element): boolean {
  return svg.querySelector('a, [role], [tabindex], [onclick], foreignObject, [aria-label], :not(svg) > title') !== null;
}
