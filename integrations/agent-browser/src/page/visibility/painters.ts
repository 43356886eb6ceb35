import { boxOf, checkVisibility, tagName } from '../dom.js';
import { type Colour, colourOf, coloursIn } from './colour.js';
import { isWithin } from './cover.js';
import { fromAround, nodesInFlatTree } from './flat-tree.js';
import { SLACK } from './shape.js';

/** What an element draws in its box: a colour, or what nobody can tell; undefined for nothing. */
type Paint = Colour | 'anything' | undefined;

interface Placed {
  element: Element;
  box: DOMRect;
}

/** What stands behind a text by the elements around it. */
interface Around {
  /** They are drawn in another way than by colours one over the other. */
  isBlended: boolean;
  /** Something else than colours lies over the next colour that nothing shows through. */
  isPictured: boolean;
  /** Elements whose colours lie behind it, the nearest first. */
  coloured: readonly Element[];
}

const NOTHING_AROUND: Around = { isBlended: false, isPictured: false, coloured: [] };
/** More colours over each other than so many are not taken apart. */
const MOST_COLOURS = 10;
/** Larger documents are not searched for what may lie behind a text. */
const MOST_ELEMENTS = 20_000;
/** They show something that no style tells. */
export const PICTURES =
  /^(?:img|svg|video|canvas|iframe|frame|object|embed|input|textarea|select|meter|progress|audio|picture|fencedframe|portal)$/i;
const SEEN = { visibilityProperty: true, opacityProperty: true };

/**
 * What may lie behind texts of a page beside the plain colours around them, for the few texts that those colours would
 * hide. Invariant: none of it outlives a walk.
 */
export class Painters {
  readonly #around = new Map<Node, Around>();
  /** Null for too many. */
  #all: readonly Placed[] | null | undefined;
  readonly #paints = new Map<Element, Paint>();

  /**
   * Whether a text may be seen after all.
   * @param boxes Of its lines.
   * @param isSeenOver Whether it would be, if this colour lay behind it.
   */
  mayShow(element: Element, boxes: readonly DOMRect[], isSeenOver: (colour: Colour) => boolean): boolean {
    const { isBlended, isPictured, coloured } = fromAround(element, this.#around, () => NOTHING_AROUND, aroundIn);
    if (isBlended || isPictured || coloured.length > MOST_COLOURS) return true;
    const isOutside = (box: DOMRect) => coloured.some(each => !isRoot(each) && !contains(boxOf(each), box));
    if (boxes.some(isOutside)) return true;
    if (this.#all === undefined) this.#all = placedIn(document.documentElement);
    if (this.#all === null) return true;
    return this.#all.some(({ element: painter, box }) => {
      if (!boxes.some(line => overlap(line, box)) || isWithin(element, painter)) return false;
      const paint = this.#paintOf(painter);
      return paint === 'anything' || (paint !== undefined && isSeenOver(paint));
    });
  }

  #paintOf(element: Element): Paint {
    if (!this.#paints.has(element)) this.#paints.set(element, paintOf(element));
    return this.#paints.get(element);
  }
}

function aroundIn(element: Element, around: Around): Around {
  const style = getComputedStyle(element);
  const isBlended =
    around.isBlended ||
    style.mixBlendMode !== 'normal' ||
    style.backdropFilter !== 'none' ||
    !/^(?:none|(?:opacity\([^)]*\) ?)+)$/.test(style.filter) ||
    ['::before', '::after'].some(pseudo => isPseudoPainting(getComputedStyle(element, pseudo)));
  const paint = backgroundOf(style);
  if (paint === 'anything') return { isBlended, isPictured: true, coloured: [] };
  if (paint === undefined) return isBlended === around.isBlended ? around : { ...around, isBlended };
  if (paint.alpha === 1) return { isBlended, isPictured: false, coloured: [element] };
  return { ...around, isBlended, coloured: [element, ...around.coloured.slice(0, MOST_COLOURS)] };
}

/** Of a box by its style. */
function backgroundOf(style: CSSStyleDeclaration): Paint {
  const { backgroundImage, borderImageSource, boxShadow, backgroundColor } = style;
  if (backgroundImage !== 'none' || borderImageSource !== 'none') return 'anything';
  if (boxShadow.includes('inset') && coloursIn(boxShadow).some(({ alpha }) => alpha > 0)) return 'anything';
  const colour = colourOf(backgroundColor);
  if (colour === undefined) return 'anything';
  return colour.alpha > 0 ? colour : undefined;
}

function isPseudoPainting(style: CSSStyleDeclaration): boolean {
  const { content } = style;
  if (content === 'none' || content === 'normal' || style.display === 'none') return false;
  return /\burl\(|gradient\(|image/.test(content) || backgroundOf(style) !== undefined;
}

/** Everything that has a box; null for a document that is too large to look. */
function placedIn(root: Element): Placed[] | null {
  const placed: Placed[] = [];
  let left = MOST_ELEMENTS;
  for (const element of nodesInFlatTree(root)) {
    if (!(element instanceof Element)) continue;
    if (left-- === 0) return null;
    const box = boxOf(element);
    if (box.width > 0 && box.height > 0) placed.push({ element, box });
  }
  return placed;
}

function paintOf(element: Element): Paint {
  const isPicture = element instanceof SVGElement || PICTURES.test(tagName(element));
  const paint = isPicture ? 'anything' : backgroundOf(getComputedStyle(element));
  return paint !== undefined && checkVisibility(element, SEEN) ? paint : undefined;
}

/** Its background is that of the whole canvas. */
function isRoot(element: Element): boolean {
  return element === document.documentElement || element === document.body;
}

function contains(outer: DOMRect, inner: DOMRect): boolean {
  return (
    inner.left >= outer.left - SLACK &&
    inner.right <= outer.right + SLACK &&
    inner.top >= outer.top - SLACK &&
    inner.bottom <= outer.bottom + SLACK
  );
}

function overlap(one: DOMRect, other: DOMRect): boolean {
  return (
    one.left < other.right - SLACK &&
    one.right > other.left + SLACK &&
    one.top < other.bottom - SLACK &&
    one.bottom > other.top + SLACK
  );
}
