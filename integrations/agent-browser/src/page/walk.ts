import { controlKind, propsOf, stateFlags } from './control.js';
import {
  boxOf,
  checkVisibility,
  firstChild,
  firstElementChild,
  getAttribute,
  hasAttribute,
  nextSibling,
  nodeType,
  shadowRoot,
  tagName,
} from './dom.js';
import { CONTENT_NAMED_ROLES, INLINE_TAGS, LEAF_TAGS, OPAQUE_TAGS, STRUCTURE_ROLES } from './emit.js';
import { parentInFlatTree } from './flat-tree.js';
import { fingerprintOf, identityOf } from './identity.js';
import { hasWidgetRole, hiddenControl, isDeclaredClickable, isEditingHost } from './interactive.js';
import { nameOf } from './name.js';
import { Flag, type RawNode, type RawProps } from './protocol.js';
import { type ElementIds, pathOf, pathStep } from './refs.js';
import { roleOf } from './role.js';
import { Rows } from './row.js';
import { distanceToViewport, isUnreadable } from './visible.js';

/** Longest text of one run that is worth telling. */
const TEXT_LIMIT = 1000;

/** Deeper nodes stand beside each other: nobody reads a hundred levels, and recursion must end somewhere. */
const DEEPEST = 100;

/** What holds for everything below an element. */
interface Scope {
  /** Depth of emitted nodes. */
  depth: number;
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

interface TextRun {
  node: Node;
  parent: Element;
  depth: number;
  text: string;
}

/** Where closed shadow roots are known from and what may still have one. */
export interface ShadowRoots {
  /** The closed root of an element, when the DevTools protocol has handed it over. */
  closed(element: Element): ShadowRoot | undefined;
  /** Notes an element that may have a closed root. */
  suspect(element: Element): void;
}

/**
 * One pass over a document in flat-tree order that emits what a person could see or act on.
 * It keeps its own stack, because pages nest deeper than a call stack goes.
 */
export class Walk {
  readonly nodes: RawNode[] = [];
  readonly rowTexts: string[] = [''];
  elementCount = 0;
  cut = false;
  #levels: Level[] = [];
  #run: TextRun | null = null;
  #rows = new Rows();
  #rowIndexes = new Map<string, number>();
  #focused = deepActiveElement();

  constructor(
    readonly ids: ElementIds,
    readonly shadowRoots: ShadowRoots,
    readonly maxNodes: number,
  ) {}

  from(root: Element): void {
    const path = pathOf(parentInFlatTree(root));
    this.#element(root, { depth: 0, path, inWidget: false, pointer: false, quiet: false, hidden: false });
    while (this.#levels.length > 0) {
      const level = this.#levels[this.#levels.length - 1] as Level;
      const node = advance(level);
      if (node === null) {
        if (!level.inline) this.#endRun();
        this.#levels.pop();
        continue;
      }
      const type = nodeType(node);
      if (type === Node.TEXT_NODE) this.#text(node as Text, level);
      else if (type === Node.ELEMENT_NODE) this.#element(node as Element, level.scope);
      if (this.nodes.length >= this.maxNodes) {
        this.cut = true;
        break;
      }
    }
    this.#endRun();
  }

  #text(node: Text, level: Level): void {
    const scope = level.scope;
    if (scope.quiet || scope.hidden) return;
    const run = this.#run;
    if (run !== null) {
      if (run.text.length < TEXT_LIMIT) run.text += node.data.slice(0, TEXT_LIMIT);
      return;
    }
    const text = node.data.slice(0, 4 * TEXT_LIMIT);
    if (/\S/.test(text)) this.#run = { node, parent: level.element, depth: scope.depth, text };
  }

  /** A text ends where a block begins or ends and where an element is emitted. */
  #endRun(): void {
    const run = this.#run;
    if (run === null) return;
    this.#run = null;
    const text = run.text.replace(/\s+/g, ' ').trim().slice(0, TEXT_LIMIT);
    const box = boxOf(run.parent);
    const flags = isUnreadable(run.parent, box) ? Flag.HiddenText : 0;
    this.nodes.push([run.depth, this.ids.idOf(run.node), 'text', text, flags, distanceToViewport(box), 0, 0]);
  }

  #element(element: Element, scope: Scope): void {
    this.elementCount++;
    const tag = tagName(element);
    if (OPAQUE_TAGS.has(tag)) return;
    const inline = INLINE_TAGS.has(tag);
    if (!inline) this.#endRun();
    if (getAttribute(element, 'aria-hidden') === 'true' || hasAttribute(element, 'inert')) return;
    let hidden = false;
    let boxless = false;
    if (!checkVisibility(element, { visibilityProperty: true })) {
      if (checkVisibility(element)) hidden = true;
      else if (getComputedStyle(element).display === 'contents') boxless = true;
      else return;
    }
    const below: Scope = { ...scope, path: pathStep(scope.path, element), hidden };
    if (!hidden) this.#visit(element, tag, { scope, below, boxless });
    if (!LEAF_TAGS.has(tag)) this.#descend(element, tag, inline, below);
  }

  #visit(element: Element, tag: string, at: { scope: Scope; below: Scope; boxless: boolean }): void {
    const { scope, below } = at;
    const role = roleOf(element);
    const widget = this.#isWidget(element, tag, role, at);
    if (widget) {
      if (this.#emitWidget(element, tag, role, at)) return;
    }
    if (STRUCTURE_ROLES.has(role) || (role === 'img' && !scope.quiet)) this.#emitStructure(element, role, scope, below);
    else if (isLabelling(element, tag)) below.quiet = true;
  }

  #isWidget(element: Element, tag: string, role: string, at: { scope: Scope; below: Scope }): boolean {
    if (hasWidgetRole(element, role) || isDeclaredClickable(element)) return true;
    if (at.scope.inWidget || tag === 'BODY' || tag === 'HTML') return false;
    const pointer = getComputedStyle(element).cursor === 'pointer';
    at.below.pointer = pointer;
    return pointer && !at.scope.pointer && !(element instanceof HTMLLabelElement && element.control !== null);
  }

  /** Emits a widget unless it has no box that a person could hit. */
  #emitWidget(
    element: Element,
    tag: string,
    role: string,
    at: { scope: Scope; below: Scope; boxless: boolean },
  ): boolean {
    const { scope, below } = at;
    const box = hitBox(element, at.boxless);
    if (box === undefined) return false;
    this.#endRun();
    const told = identityOf(element, role);
    const row = this.#rows.textFor(element, told.name);
    const fingerprint = fingerprintOf(told.role, told.name, row);
    const id = this.ids.idOf(element);
    this.ids.remember(element, id, fingerprint, below.path);
    const control = hiddenControl(element) ?? element;
    let flags = Flag.Interactive | stateFlags(control, this.#focused);
    const named = CONTENT_NAMED_ROLES.has(told.role) || told.role === 'clickable' || tag === 'LABEL';
    if (named) flags |= Flag.NamedByContent;
    const props: RawProps = { ...propsOf(element, told.role), tag: tag.toLowerCase() };
    const kind = controlKind(control);
    if (kind === 'text' && isEditingHost(element)) props.editable = true;
    if (kind === 'select' || kind === 'file') props.kind = kind;
    const domId = getAttribute(element, 'id');
    if (domId) props.domId = domId;
    this.nodes.push([
      scope.depth,
      id,
      told.role,
      told.name,
      flags,
      distanceToViewport(box),
      fingerprint,
      this.#rowIndex(row),
      props,
    ]);
    below.depth = Math.min(scope.depth + 1, DEEPEST);
    below.inWidget = true;
    below.pointer = true;
    below.quiet = scope.quiet || (named && told.name !== '');
    return true;
  }

  #emitStructure(element: Element, role: string, scope: Scope, below: Scope): void {
    const name = nameOf(element, role);
    if (role === 'img' && name === '') return;
    this.#endRun();
    const id = this.ids.idOf(element);
    this.ids.rememberContainer(element, id);
    const named = CONTENT_NAMED_ROLES.has(role);
    const box = boxOf(element);
    let flags = named ? Flag.NamedByContent : 0;
    if (named && isUnreadable(element, box)) flags |= Flag.HiddenText;
    if (getAttribute(element, 'aria-current') !== null || role === 'row' || role === 'listitem') {
      flags |= stateFlags(element, null) & (Flag.Selected | Flag.Current | Flag.Expanded | Flag.Collapsed);
    }
    this.nodes.push([scope.depth, id, role, name, flags, distanceToViewport(box), 0, 0, propsOf(element, role)]);
    below.depth = Math.min(scope.depth + 1, DEEPEST);
    below.quiet = scope.quiet || (named && name !== '');
  }

  #rowIndex(row: string): number {
    if (row === '') return 0;
    let index = this.#rowIndexes.get(row);
    if (index === undefined) {
      index = this.rowTexts.push(row) - 1;
      this.#rowIndexes.set(row, index);
    }
    return index;
  }

  #descend(element: Element, tag: string, inline: boolean, scope: Scope): void {
    const level: Level = { next: null, list: null, index: 0, element, inline, scope };
    const root = shadowRoot(element) ?? this.shadowRoots.closed(element);
    if (root != null) level.next = firstChild(root);
    else if (tag === 'SLOT') {
      const assigned = (element as HTMLSlotElement).assignedNodes();
      if (assigned.length > 0) level.list = assigned;
      else level.next = firstChild(element);
    } else if (tag === 'svg') {
      if (!hasInteractiveParts(element)) return;
      level.next = firstChild(element);
    } else {
      level.next = firstChild(element);
      if (mayHostClosedRoot(element, tag, level.next)) this.shadowRoots.suspect(element);
    }
    if (level.next !== null || level.list !== null) this.#levels.push(level);
  }
}

function advance(level: Level): Node | null {
  if (level.list !== null) return level.list[level.index++] ?? null;
  const node = level.next;
  if (node !== null) level.next = nextSibling(node);
  return node;
}

/** The box that a click would aim at; undefined when there is none that a person could see. */
function hitBox(element: Element, boxless: boolean): DOMRect | undefined {
  const box = boxless ? undefined : boxOf(element);
  if (box !== undefined && box.width > 1 && box.height > 1) return isReachable(box) ? box : undefined;
  for (let child = firstElementChild(element); child !== null; child = child.nextElementSibling) {
    const inner = boxOf(child);
    if (inner.width > 1 && inner.height > 1) return isReachable(inner) ? inner : undefined;
  }
  if (boxless && element.textContent?.trim()) {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  }
  return undefined;
}

/** Nothing left of or above the document's origin can be scrolled to. */
function isReachable(box: DOMRect): boolean {
  return box.right + window.scrollX > 0 && box.bottom + window.scrollY > 0;
}

/** Text of these is the name of the control, group or table that they label. */
function isLabelling(element: Element, tag: string): boolean {
  if (tag === 'LEGEND' || tag === 'CAPTION') return true;
  return element instanceof HTMLLabelElement && element.control !== null;
}

function hasInteractiveParts(svg: Element): boolean {
  return svg.querySelector('a, [role], [tabindex], [onclick], foreignObject') !== null;
}

/** Elements that may host a shadow tree (DOM, attachShadow) besides custom elements. */
const SHADOW_HOSTS = new Set(['DIV', 'SECTION', 'ARTICLE', 'ASIDE', 'MAIN', 'SPAN', 'P', 'NAV', 'HEADER', 'FOOTER']);
const SMALLEST_HOST = 12;

function mayHostClosedRoot(element: Element, tag: string, child: Node | null): boolean {
  if (tag.includes('-')) return true;
  if (!SHADOW_HOSTS.has(tag)) return false;
  if (child !== null) {
    const first = firstElementChild(element);
    return (
      first !== null &&
      first === child &&
      first.assignedSlot === null &&
      !checkVisibility(first) &&
      first.nextElementSibling === null
    );
  }
  const box = boxOf(element);
  return box.width > SMALLEST_HOST && box.height > SMALLEST_HOST;
}

function deepActiveElement(): Element | null {
  let active = document.activeElement;
  while (active !== null) {
    const inner: Element | null | undefined = shadowRoot(active)?.activeElement;
    if (inner == null) break;
    active = inner;
  }
  return active === document.body ? null : active;
}
