import { boxOf, getAttribute, hasAttribute, matches, offsetHeight, offsetWidth } from '../dom.js';
import { colourOf, coloursIn, luminance, mixed, type Rgb } from './colour.js';
import { fromAround } from './flat-tree.js';
import { type Edges, NOTHING, rectLeft, SLACK, shapeLeft } from './shape.js';

/** What elements around a text do to how it is seen. */
export interface Layer {
  /** How much of a text shows through all of them, from 0 to 1. */
  readonly opacity: number;
  /** The colour that is seen where there is no text; undefined where it cannot be told. */
  readonly ground: Rgb | undefined;
  /** The same before anything around lets something else show through. */
  readonly inner: Rgb | undefined;
  /** What shapes leave of it, in the viewport; null for all of it. */
  readonly shape: Edges | null;
}

const WHITE: Rgb = [255, 255, 255];
/** The canvas of a dark page in Chromium. */
const DARK: Rgb = [18, 18, 18];
const CLEAR = 'rgba(0, 0, 0, 0)';

/** The layers of one walk: each is found out once. */
export class Layers {
  readonly #known = new Map<Node, Layer>();
  #canvas: Layer | undefined;

  /** That in which the text of an element stands. */
  of(element: Element): Layer {
    return fromAround(element, this.#known, () => (this.#canvas ??= canvasLayer()), layerIn);
  }
}

function layerIn(element: Element, outside: Layer): Layer {
  const around = isInTopLayer(element) ? TOP : outside;
  const style = getComputedStyle(element);
  const { backgroundColor, opacity } = style;
  const isShaped = style.clipPath !== 'none' || style.clip !== 'auto';
  const isVeiled = opacity !== '1' || style.filter !== 'none' || style.maskImage !== 'none';
  if (backgroundColor === CLEAR && !isShaped && !isVeiled) return around;
  if (style.display === 'contents') return around;
  const shows = isVeiled ? around.opacity * Number(opacity) * filterLeft(style) * maskLeft(style) : around.opacity;
  const shape = isShaped ? shapeIn(element, style, around.shape) : around.shape;
  const background = colourOf(backgroundColor);
  if (background === undefined) return { opacity: shows, ground: undefined, inner: undefined, shape };
  const { rgb, alpha } = background;
  // Nothing shows through it.
  if (alpha === 1 && shows === 1) return { opacity: shows, ground: rgb, inner: rgb, shape };
  if (around.ground === undefined || around.inner === undefined)
    return { opacity: shows, ground: undefined, inner: undefined, shape };
  return {
    opacity: shows,
    ground: mixed(around.ground, rgb, around.inner, alpha * shows),
    inner: mixed(around.inner, rgb, around.inner, alpha),
    shape,
  };
}

/** Behind what stands over the whole page may be anything, and what is around it in the markup does nothing to it. */
const TOP: Layer = { opacity: 1, ground: undefined, inner: undefined, shape: null };

function isInTopLayer(element: Element): boolean {
  if (element instanceof HTMLDialogElement && matches(element, ':modal')) return true;
  return hasAttribute(element, 'popover') && matches(element, ':popover-open');
}

/** Below the root of a page is its canvas (CSS Color Adjustment 1, color-scheme); below that of a frame the page around. */
function canvasLayer(): Layer {
  const canvas = window === window.top ? canvasColour() : undefined;
  return { opacity: 1, ground: canvas, inner: canvas, shape: null };
}

function canvasColour(): Rgb {
  const meta = document.querySelector('meta[name="color-scheme" i]');
  const own = getComputedStyle(document.documentElement).colorScheme;
  const scheme = own === 'normal' && meta !== null ? (getAttribute(meta, 'content') ?? '') : own;
  if (!/\bdark\b/.test(scheme)) return WHITE;
  return !/\blight\b/.test(scheme) || matchMedia('(prefers-color-scheme: dark)').matches ? DARK : WHITE;
}

function filterLeft({ filter }: CSSStyleDeclaration): number {
  let left = 1;
  for (const [, part = '1'] of filter.matchAll(/\bopacity\(([\d.e-]+)\)/g)) left *= Number(part);
  return left;
}

/** Of gradients alone: what the parts of a picture cover cannot be told. */
function maskLeft(style: CSSStyleDeclaration): number {
  const { maskImage } = style;
  if (maskImage === 'none') return 1;
  if (style.maskSize.split(', ').every(size => /(?:^| )0(?:px|%)/.test(size))) return 0;
  if (/\burl\(|\bimage/.test(maskImage)) return 1;
  const isByLight = style.maskMode.includes('luminance');
  const parts = coloursIn(maskImage).map(({ rgb, alpha }) => (isByLight ? alpha * luminance(rgb) : alpha));
  return parts.length === 0 ? 1 : Math.max(...parts);
}

function shapeIn(element: Element, style: CSSStyleDeclaration, around: Edges | null): Edges | null {
  const { left, top, width, height } = boxOf(element);
  const size = element instanceof HTMLElement ? sizeOf(element) : { width, height };
  const cuts = [shapeLeft(style.clipPath, size)];
  if (/absolute|fixed/.test(style.position)) cuts.push(rectLeft(style.clip, size));
  // What is turned or scaled has its shape turned as well.
  const isPlain = Math.abs(size.width - width) <= SLACK && Math.abs(size.height - height) <= SLACK;
  let shape = around;
  for (const cut of cuts) {
    if (cut === undefined) continue;
    if (isEmpty(cut)) return NOTHING;
    if (isPlain)
      shape = common(shape, {
        left: cut.left + left,
        top: cut.top + top,
        right: cut.right + left,
        bottom: cut.bottom + top,
      });
  }
  return shape;
}


function isEmpty({ left, top, right, bottom }: Edges): boolean {
  return right <= left || bottom <= top;
}

function common(one: Edges | null, other: Edges): Edges {
  if (one === null) return other;
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  };
}

function sizeOf(element: HTMLElement): { width: number; height: number } {
  return { width: offsetWidth(element), height: offsetHeight(element) };
}
