import {
  boxOf,
  checkVisibility,
  elementsAround,
  fromAround,
  nodesInFlatTree,
  parentInFlatTree,
  tagName,
  textContent,
} from '../dom/dom.js';
import { INLINE_TAGS } from '../names/roles.js';
import {
  type Colour,
  colourOf,
  coloursIn,
  contrast,
  type Layer,
  Layers,
  mixed,
  over,
  Painters,
  PICTURE_TAGS,
} from './layers.js';
import { type Clip, clipIn, isCutBy, isReachable, UNREADABLE, type Viewport, viewportNow } from './visibility.js';

/** Smaller letters, in CSS pixels, are unreadable. */
const SMALLEST_LETTERS = 2;
/** Colours of less contrast cannot be distinguished (WCAG 2.2, contrast ratio). */
const LEAST_CONTRAST = 1.1;
/** Ink with less alpha has less contrast over any background. */
const THINNEST = 0.04;
const LETTER = /[\p{L}\p{N}]/u;

/** A text node, or all text of an element. */
interface TextPlace {
  element: Element;
  style: CSSStyleDeclaration;
  /** Undefined for all text of the element. */
  node?: Text;
  /** The clip of the element or of its content, if it is known. */
  clip?: Clip | null;
}

/** What all texts of one element have in common. */
interface TextLegibility {
  isTiny: boolean;
  layer: Layer;
  /** `clear`: invisible over any background; `alike`: of the same colour as its background. */
  ink: 'seen' | 'alike' | 'clear';
  /** The clip of the element itself, or that around it. */
  clip: Clip | null;
}

/** Detects texts that only machines can read. Invariant: it serves one walk, since the page may change afterwards. */
export class Legibility {
  readonly viewport: Viewport = viewportNow();
  readonly #layers = new Layers();
  readonly #painters = new Painters();
  readonly #range = document.createRange();
  /** Elements often have several texts. */
  readonly #known = new Map<Element, TextLegibility>();
  readonly #clips = new Map<Node, { clip: Clip | null }>();
  #isSideCut: boolean | undefined;

  /** Whether no person can read a text: it has no ink or size, is clipped away, or cannot be scrolled to. */
  isUnreadable(text: TextPlace): boolean {
    const { element, style, node } = text;
    const found = this.#legibilityOf(text);
    if (found.isTiny || found.ink === 'clear') return true;
    const box = node === undefined ? textBoxOf(element, style) : this.#boxOf(node);
    if (this.#isOutOfView(text, found, box)) return true;
    return found.ink === 'alike' && !this.#isSeenElsewhere(text, found, box);
  }

  /** Whether no person can read any text of an element's name. A picture may show the name instead. */
  isNameUnreadable(named: TextPlace): boolean {
    let hasText = false;
    const around = parentInFlatTree(named.element);
    if (around !== null && named.clip !== undefined) this.#clips.set(around, { clip: named.clip });
    for (const node of nodesInFlatTree(named.element)) {
      if (node instanceof Element && PICTURE_TAGS.test(tagName(node))) return false;
      if (!(node instanceof Text) || !/\S/.test(node.data)) continue;
      const element = parentInFlatTree(node);
      if (!(element instanceof Element) || !checkVisibility(element, { visibilityProperty: true })) continue;
      hasText = true;
      if (!this.isUnreadable({ element, style: getComputedStyle(element), node })) return false;
    }
    return hasText || this.isUnreadable(named);
  }

  #legibilityOf({ element, style, clip }: TextPlace): TextLegibility {
    const known = this.#known.get(element);
    if (known !== undefined) return known;
    const layer = this.#layers.of(element);
    const isTiny = Number.parseFloat(style.fontSize) < SMALLEST_LETTERS || style.contentVisibility === 'hidden';
    const ink = inkOf(element, style, layer);
    const found = { layer, isTiny, ink, clip: this.#clipIn(element, style, clip) };
    this.#known.set(element, found);
    return found;
  }

  #clipIn(element: Element, style: CSSStyleDeclaration, around?: Clip | null): Clip | null {
    if (around === undefined) return fromAround(element, this.#clips, () => ({ clip: null }), clipBelow).clip;
    return around?.element === element ? around : clipIn(element, style, around);
  }

  #boxOf(node: Text): DOMRect {
    this.#range.selectNodeContents(node);
    return this.#range.getBoundingClientRect();
  }

  #isOutOfView({ element, node }: TextPlace, { clip, layer }: TextLegibility, box: DOMRect): boolean {
    if (box.width <= UNREADABLE || box.height <= UNREADABLE) return true;
    if (!isReachable(node ?? element, box, this.viewport)) return true;
    if (clip === null && box.left >= this.viewport.width && this.#endsAtSide()) return true;
    if (clip !== null && isCutBy(clip, element)) {
      if (clip.isCollapsed || (isLineIn(element, clip.element) && isPushedOut(box, clip.element))) return true;
    }
    const { shape } = layer;
    return (
      shape !== null &&
      (Math.min(box.right, shape.right) - Math.max(box.left, shape.left) <= UNREADABLE ||
        Math.min(box.bottom, shape.bottom) - Math.max(box.top, shape.top) <= UNREADABLE)
    );
  }

  /** Whether the page cannot be scrolled sideways. */
  #endsAtSide(): boolean {
    this.#isSideCut ??= isCutSideways();
    return this.#isSideCut;
  }

  /** Whether something other than its ancestors' colours makes the text visible. */
  #isSeenElsewhere({ element, style, node }: TextPlace, { layer }: TextLegibility, box: DOMRect): boolean {
    if (!LETTER.test(node?.data ?? textContent(element) ?? '')) return true;
    const { ground, opacity } = layer;
    if (ground === undefined) return true;
    const inks = inksOf(element, style).map(({ rgb, alpha }) => ({ rgb, alpha: alpha * opacity }));
    const boxes = node === undefined ? [box] : this.#linesOf(node);
    return this.#painters.mayShow(element, boxes, colour => {
      const behind = over(colour, ground);
      return inks.some(ink => contrast(over(ink, behind), behind) >= LEAST_CONTRAST);
    });
  }

  #linesOf(node: Text): DOMRect[] {
    this.#range.selectNodeContents(node);
    return [...this.#range.getClientRects()];
  }
}

function clipBelow(element: Element, around: { clip: Clip | null }): { clip: Clip | null } {
  const clip = clipIn(element, getComputedStyle(element), around.clip);
  return clip === around.clip ? around : { clip };
}

function inkOf(element: Element, style: CSSStyleDeclaration, layer: Layer): TextLegibility['ink'] {
  const fill = fillOf(element, style);
  if (fill === undefined || isSeen(fill, layer)) return 'seen';
  const inks = inksOf(element, style);
  if (inks.some(ink => isSeen(ink, layer)) || isFilledByBackground(element)) return 'seen';
  return inks.every(ink => ink.alpha * layer.opacity <= THINNEST) ? 'clear' : 'alike';
}

function isSeen({ rgb, alpha }: Colour, { opacity, ground, inner }: Layer): boolean {
  if (alpha * opacity <= THINNEST) return false;
  if (ground === undefined || inner === undefined) return true;
  return contrast(mixed(ground, rgb, inner, alpha * opacity), ground) >= LEAST_CONTRAST;
}

/** The fill colour of letters; undefined for another kind of paint. */
function fillOf(element: Element, style: CSSStyleDeclaration): Colour | undefined {
  if (!(element instanceof SVGElement)) return colourOf(style.getPropertyValue('-webkit-text-fill-color'));
  const fill = style.fill === 'none' ? NO_INK : colourOf(style.fill);
  return fill && { ...fill, alpha: fill.alpha * Number.parseFloat(style.fillOpacity) };
}

const NO_INK: Colour = { rgb: [0, 0, 0], alpha: 0 };

/** All colours that letters are drawn with: fill, stroke and shadows. */
function inksOf(element: Element, style: CSSStyleDeclaration): Colour[] {
  const inks = [fillOf(element, style) ?? NO_INK, ...coloursIn(style.textShadow)];
  const isDrawing = element instanceof SVGElement;
  const width = isDrawing ? style.strokeWidth : style.getPropertyValue('-webkit-text-stroke-width');
  const stroke = isDrawing ? style.stroke : style.getPropertyValue('-webkit-text-stroke-color');
  const colour = Number.parseFloat(width) > 0 ? colourOf(stroke) : undefined;
  return colour === undefined ? inks : [...inks, colour];
}

/** Whether letters are filled with the background of an ancestor (CSS Backgrounds 4, background-clip). */
function isFilledByBackground(element: Element): boolean {
  for (const node of elementsAround(element)) {
    const style = getComputedStyle(node);
    if (!style.getPropertyValue('-webkit-background-clip').includes('text')) continue;
    if (style.backgroundImage !== 'none' || colourOf(style.backgroundColor)?.alpha !== 0) return true;
  }
  return false;
}

/** The box of an element's text. A slot, and anything else without a box, shows its text in an ancestor's box. */
function textBoxOf(element: Element, style: CSSStyleDeclaration): DOMRect {
  if (style.display !== 'contents') return boxOf(element);
  for (const node of elementsAround(parentInFlatTree(element))) {
    if (getComputedStyle(node).display !== 'contents') return boxOf(node);
  }
  return boxOf(element);
}

/** Whether an element is part of the lines in a box. */
function isLineIn(element: Element, box: Element): boolean {
  let node: Node | null = element;
  while (node instanceof Element && node !== box && INLINE_TAGS.has(tagName(node))) node = parentInFlatTree(node);
  return node === box;
}

/** Whether lines lie outside their own box, where neither scrolling nor a longer box would show them. */
function isPushedOut(line: DOMRect, element: Element): boolean {
  const style = getComputedStyle(element);
  if (/auto|scroll/.test(style.overflowX)) return false;
  const box = boxOf(element);
  if (line.right <= box.left + UNREADABLE || line.left >= box.right - UNREADABLE) return true;
  return style.height === '0px' && line.top >= box.bottom - UNREADABLE;
}

function isCutSideways(): boolean {
  const root = getComputedStyle(document.documentElement).overflowX;
  // The body's value applies to the page where the root has none (CSS Overflow 3, 3.3).
  const overflow = root === 'visible' && document.body !== null ? getComputedStyle(document.body).overflowX : root;
  return overflow === 'hidden' || overflow === 'clip';
}
