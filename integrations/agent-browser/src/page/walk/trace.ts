import { boxOf, checkVisibility, shadowRoot } from '../dom.js';
import { propsOf, stateFlags } from '../role-and-name/control.js';
import { hiddenControl } from '../role-and-name/interactive.js';
import type { Clip } from '../visibility/clip.js';
import { hitBoxOf } from '../visibility/hit-box.js';
import { isUnreadable, type Viewport, type Visibility, visibilityOf } from '../visibility/visible.js';

/** A widget, and what was read of it that can change while its document stands still. */
interface SeenWidget {
  element: Element;
  boxless: boolean;
  /** The box that a click could hit, if there is one. */
  box: DOMRect | undefined;
  /** It has no box of its own in the layout, an area of an image. */
  isDrawn?: boolean;
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
  /** Undefined where another one tells. */
  box: DOMRect | undefined;
  /** Undefined where nobody looked. */
  unreadable?: boolean;
  role: string;
  value?: string;
}

interface SeenText {
  parent: Element;
  style: CSSStyleDeclaration;
  hidden: boolean;
}

/**
 * What a walk looked at that can change without a trace in the tree: visibility, boxes, states, values, cursors and slots.
 * Looking at it again costs a part of another walk, and says for certain whether that would come to anything else.
 */
export class Trace {
  readonly #visited: Element[] = [];
  readonly #visibility: Visibility[] = [];
  readonly #roots: (ShadowRoot | null)[] = [];
  readonly #styles: CSSStyleDeclaration[] = [];
  readonly #cursors: string[] = [];
  readonly #slots: { slot: HTMLSlotElement; assigned: readonly Node[] }[] = [];
  readonly #clips: { element: Element; place: Place }[] = [];
  readonly #texts: SeenText[] = [];
  readonly #widgets: (SeenWidget & { place: Place })[] = [];
  readonly #structures: (SeenStructure & { place: Place })[] = [];
  readonly #scrollers: { element: Element; left: number; top: number }[] = [];
  /** Widgets and structures whose states and values a script can set by themselves; picked when somebody asks. */
  #fields: Pick<SeenWidget, 'element' | 'control' | 'role' | 'ariaFlags' | 'states' | 'value'>[] | undefined;
  /** Elements that a closed shadow root was suspected in, or would be if they were larger or defined. */
  readonly #considered: Element[] = [];

  visit(element: Element, visibility: Visibility): void {
    this.#visited.push(element);
    this.#visibility.push(visibility);
    this.#roots.push(shadowRoot(element));
  }

  cursor(style: CSSStyleDeclaration, cursor: string): void {
    this.#styles.push(style);
    this.#cursors.push(cursor);
  }

  slot(slot: HTMLSlotElement, assigned: readonly Node[]): void {
    this.#slots.push({ slot, assigned });
  }

  clip({ element }: Clip): void {
    this.#clips.push({ element, place: placeOf(boxOf(element)) });
    this.scroller(element);
  }

  /** A box that may be scrolled. */
  scroller(element: Element): void {
    this.#scrollers.push({ element, left: element.scrollLeft, top: element.scrollTop });
  }

  text(seen: SeenText): void {
    this.#texts.push(seen);
  }

  widget(seen: SeenWidget): void {
    this.#widgets.push({ ...seen, place: placeOf(seen.box) });
  }

  structure(seen: SeenStructure): void {
    this.#structures.push({ ...seen, place: placeOf(seen.box) });
  }

  consider(element: Element): void {
    this.#considered.push(element);
  }

  /** Whether all of it is as it was that names and rows depend on. */
  saysAsBefore(): boolean {
    if (!this.#isVisibleAsBefore() || !this.#slots.every(isAssignedAsBefore)) return false;
    return this.#widgets.every(holdsAsBefore) && this.#structures.every(holdsAsBefore);
  }

  /** Whether all else of it is as it was. `isSuspect` looks into an element that was considered. */
  looksAsBefore(viewport: Viewport, focused: Element | null, isSuspect: (element: Element) => boolean): boolean {
    return (
      this.#isPointedAsBefore() &&
      this.#widgets.every(seen => isWidgetAsBefore(seen, viewport, focused)) &&
      this.#structures.every(seen => isStructureAsBefore(seen, viewport)) &&
      this.#texts.every(seen => isTextAsBefore(seen, viewport)) &&
      this.#clips.every(({ element, place }) => isAt(place, boxOf(element))) &&
      !this.#considered.some(isSuspect)
    );
  }

  /** Whether that is as it was which changes without a style or a layout being computed. */
  restsAsBefore(focused: Element | null): boolean {
    this.#fields ??= [...this.#widgets, ...this.#structures].filter(isField);
    return (
      this.#scrollers.every(({ element, left, top }) => element.scrollLeft === left && element.scrollTop === top) &&
      this.#fields.every(seen => holdsAsBefore(seen) && isInStateAsBefore(seen, focused))
    );
  }

  #isVisibleAsBefore(): boolean {
    const visited = this.#visited;
    for (let i = 0; i < visited.length; i++) {
      const element = visited[i] as Element;
      const visibility = this.#visibility[i];
      const isSame =
        visibility === 'visible' ? checkVisibility(element, VISIBLE) : visibilityOf(element) === visibility;
      if (!isSame || shadowRoot(element) !== this.#roots[i]) return false;
    }
    return true;
  }

  #isPointedAsBefore(): boolean {
    const styles = this.#styles;
    for (let i = 0; i < styles.length; i++) {
      if ((styles[i] as CSSStyleDeclaration).cursor !== this.#cursors[i]) return false;
    }
    return true;
  }
}

const FIELDS = [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement, HTMLOptionElement];
const VISIBLE = { visibilityProperty: true };

function isAssignedAsBefore({ slot, assigned }: { slot: HTMLSlotElement; assigned: readonly Node[] }): boolean {
  const now = slot.assignedNodes();
  return now.length === assigned.length && now.every((node, index) => node === assigned[index]);
}

/** Values are part of the names and rows around them. */
function holdsAsBefore({ element, role, value }: { element: Element; role?: string; value?: string }): boolean {
  return role === undefined || propsOf(element, role)?.value === value;
}

function isWidgetAsBefore(seen: SeenWidget & { place: Place }, viewport: Viewport, focused: Element | null): boolean {
  const { element, boxless, place, control } = seen;
  if (!seen.isDrawn && !isAt(place, hitBoxOf(element, boxless, viewport))) return false;
  if (control === undefined) return true;
  if (element instanceof HTMLLabelElement && (hiddenControl(element) ?? element) !== control) return false;
  return isInStateAsBefore(seen, focused);
}

function isInStateAsBefore(
  { control, ariaFlags, states }: Pick<SeenWidget, 'control' | 'ariaFlags' | 'states'>,
  focused: Element | null,
): boolean {
  return control === undefined || stateFlags(control, focused, ariaFlags) === states;
}

/** Whether a script can give it another state or value that stands in no attribute (HTML, form controls). */
function isField({ element, control = element }: Pick<SeenWidget, 'element' | 'control'>): boolean {
  return FIELDS.some(kind => control instanceof kind);
}

function isStructureAsBefore(
  { element, box, place, unreadable }: SeenStructure & { place: Place },
  viewport: Viewport,
): boolean {
  if (box === undefined) return true;
  const now = boxOf(element);
  if (!isAt(place, now)) return false;
  return unreadable === undefined || isUnreadable(element, now, { viewport }) === unreadable;
}

function isTextAsBefore({ parent, style, hidden }: SeenText, viewport: Viewport): boolean {
  return isUnreadable(parent, boxOf(parent), { viewport, style }) === hidden;
}

/** Edges and size of a box, as plain numbers; null where there is none. */
type Place = readonly [left: number, top: number, width: number, height: number] | null;

function placeOf(box: DOMRect | undefined): Place {
  return box === undefined ? null : [box.left, box.top, box.width, box.height];
}

function isAt(place: Place, box: DOMRect | undefined): boolean {
  if (place === null || box === undefined) return place === null && box === undefined;
  return box.top === place[1] && box.left === place[0] && box.width === place[2] && box.height === place[3];
}
