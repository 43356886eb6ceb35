import { propsOf, stateFlags } from './control.js';
import { boxOf, checkVisibility, offsetHeight, offsetWidth, shadowRoot } from './dom.js';
import { hitBoxOf } from './hit-box.js';
import { hiddenControl } from './interactive.js';
import { isUnreadable, type Viewport, type Visibility, visibilityOf } from './visible.js';

/** Width and height as the layout has them, of parts of a drawing as they are seen. */
type Size = readonly [width: number, height: number];

/** A widget, and what was read of it that can change while its document stands still. */
interface SeenWidget {
  element: Element;
  boxless: boolean;
  /** It has a box that a click could hit. */
  isThere: boolean;
  /** What it stands for; undefined for what is none for want of a box. */
  control?: Element;
  role?: string;
  ariaFlags?: number;
  states?: number;
  value?: string;
}

/** A heading, an image, a cell: structure that is measured. */
interface SeenStructure {
  element: Element;
  /** Undefined where nobody looked. */
  unreadable?: boolean;
  role: string;
  value?: string;
}

/**
 * What a walk looked at that can change without a trace in the tree: visibility, boxes, states and values. Looking at it
 * again costs a third of another walk, and says for certain whether that would come to anything else.
 */
export class Trace {
  readonly #visited: Element[] = [];
  readonly #visibility: Visibility[] = [];
  readonly #roots: (ShadowRoot | null)[] = [];
  readonly #widgets: (SeenWidget & { size: Size })[] = [];
  readonly #structures: (SeenStructure & { size: Size })[] = [];
  /** Elements that a closed shadow root was suspected in, or would be if they were larger or defined. */
  readonly #considered: Element[] = [];

  visit(element: Element, visibility: Visibility): void {
    this.#visited.push(element);
    this.#visibility.push(visibility);
    this.#roots.push(shadowRoot(element));
  }

  widget(seen: SeenWidget): void {
    this.#widgets.push({ ...seen, size: sizeOf(seen.element) });
  }

  structure(seen: SeenStructure): void {
    this.#structures.push({ ...seen, size: sizeOf(seen.element) });
  }

  consider(element: Element): void {
    this.#considered.push(element);
  }

  /** Whether all of it is as it was. `isSuspect` looks into an element that was considered. */
  holds(viewport: Viewport, focused: Element | null, isSuspect: (element: Element) => boolean): boolean {
    return (
      this.#visited.every((element, index) => this.#isVisibleAsBefore(element, index)) &&
      this.#widgets.every(seen => isWidgetAsBefore(seen, viewport, focused)) &&
      this.#structures.every(seen => isStructureAsBefore(seen, viewport)) &&
      !this.#considered.some(isSuspect)
    );
  }

  #isVisibleAsBefore(element: Element, index: number): boolean {
    const visibility = this.#visibility[index];
    const isSame = visibility === 'visible' ? checkVisibility(element, VISIBLE) : visibilityOf(element) === visibility;
    return isSame && shadowRoot(element) === this.#roots[index];
  }
}

const VISIBLE = { visibilityProperty: true };

function isWidgetAsBefore(seen: SeenWidget & { size: Size }, viewport: Viewport, focused: Element | null): boolean {
  const { element, boxless, isThere, control, role, ariaFlags } = seen;
  // What had a box of this size has it still: where it stands matters to nothing but the order of a budget.
  if (!isThere || !isSameSize(seen.size, element)) {
    if (isThere || hitBoxOf(element, boxless, viewport) !== undefined) return false;
  }
  if (control === undefined) return true;
  if (element instanceof HTMLLabelElement && (hiddenControl(element) ?? element) !== control) return false;
  if (stateFlags(control, focused, ariaFlags) !== seen.states) return false;
  return propsOf(element, role ?? '')?.value === seen.value;
}

function isStructureAsBefore(seen: SeenStructure & { size: Size }, viewport: Viewport): boolean {
  const { element, unreadable, role, value } = seen;
  if (!isSameSize(seen.size, element) || propsOf(element, role)?.value !== value) return false;
  return unreadable === undefined || isUnreadable(element, boxOf(element), viewport) === unreadable;
}

function sizeOf(element: Element): Size {
  if (element instanceof HTMLElement) return [offsetWidth(element), offsetHeight(element)];
  const { width, height } = boxOf(element);
  return [width, height];
}

function isSameSize(before: Size, element: Element): boolean {
  const [width, height] = sizeOf(element);
  return width === before[0] && height === before[1];
}
