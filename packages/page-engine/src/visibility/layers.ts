import {
  boxOf,
  checkVisibility,
  fromAround,
  getAttribute,
  hasAttribute,
  matches,
  nodesInFlatTree,
  offsetHeight,
  offsetWidth,
  tagName,
} from '../dom/dom.js';
import type { Edges, Size } from '../dom/geometry.js';
import { isWithin } from '../press/hit-test.js';

/** The layout rounds boxes by less than this. */
const LAYOUT_TOLERANCE_PX = 1;

const NO_AREA: Edges = { left: 0, top: 0, right: 0, bottom: 0 };
const SHAPE = /^([\w-]+)\((.*?)\)(?: [\w-]+-box)?$/;

/** What a clip-path leaves of a box, from its corner (CSS Masking 1, CSS Shapes 1); undefined for a path and others. */
function shapeLeft(clipPath: string, size: Size): Edges | undefined {
  const [, name, inside = ''] = SHAPE.exec(clipPath) ?? [];
  if (name === 'inset') return insetLeft(inside, size);
  if (name === 'circle' || name === 'ellipse') return roundLeft(name, inside, size);
  return name === 'polygon' ? polygonLeft(inside, size) : undefined;
}

/** What the older `clip` property leaves of a box. */
function rectLeft(clip: string, { width, height }: Size): Edges | undefined {
  const inside = /^rect\((.*)\)$/.exec(clip)?.[1];
  if (inside === undefined) return undefined;
  const whole = [0, width, height, 0];
  const edges = inside.split(/,? /).map((edge, at) => (edge === 'auto' ? whole[at] : Number.parseFloat(edge)));
  const [top = 0, right = 0, bottom = 0, left = 0] = edges;
  return { left, top, right, bottom };
}

function insetLeft(inside: string, { width, height }: Size): Edges | undefined {
  const [edges = ''] = inside.split(' round ');
  const parts = edges.split(' ');
  const [top = '0px', right = top, bottom = top, left = right] = parts;
  return withKnownEdges({
    left: length(left, width),
    top: length(top, height),
    right: width - length(right, width),
    bottom: height - length(bottom, height),
  });
}

function roundLeft(name: string, inside: string, { width, height }: Size): Edges | undefined {
  const [radii = '', middle = '50% 50%'] = inside.split(/(?:^| )at /);
  const [x = '', y = ''] = middle.split(' ');
  const [across = '', down = across] = radii.trim().split(' ');
  // A percentage refers to the diagonal (CSS Shapes 1, circle()).
  const diagonal = Math.hypot(width, height) / Math.SQRT2;
  const isCircle = name === 'circle';
  const [wide, high] = [length(across, isCircle ? diagonal : width), length(down, isCircle ? diagonal : height)];
  if (wide === 0 || high === 0) return NO_AREA;
  const [left, top] = [length(x, width), length(y, height)];
  return withKnownEdges({ left: left - wide, top: top - high, right: left + wide, bottom: top + high });
}

function polygonLeft(inside: string, { width, height }: Size): Edges | undefined {
  const points = inside
    .replace(/^(?:nonzero|evenodd), /, '')
    .split(', ')
    .map(point => point.split(' '))
    .map(([x = '', y = '']) => [length(x, width), length(y, height)] as const);
  const [first = [0, 0]] = points;
  const second = points.find(([x, y]) => x !== first[0] || y !== first[1]) ?? first;
  const isLine = points.every(
    ([x, y]) => (second[0] - first[0]) * (y - first[1]) === (second[1] - first[1]) * (x - first[0]),
  );
  if (isLine) return NO_AREA;
  const [across, down] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return withKnownEdges({
    left: Math.min(...across),
    top: Math.min(...down),
    right: Math.max(...across),
    bottom: Math.max(...down),
  });
}

/** In pixels; NaN for what only the layout can compute. */
function length(text: string, whole: number): number {
  const [, number, unit] = /^(-?[\d.e-]+)(px|%)$/.exec(text) ?? [];
  return Number(number) * (unit === '%' ? whole / 100 : 1);
}

function withKnownEdges(edges: Edges): Edges | undefined {
  return Object.values(edges).some(Number.isNaN) ? undefined : edges;
}

/** In sRGB, each component from 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

export interface Colour {
  rgb: Rgb;
  /** From 0, transparent, to 1, opaque. */
  alpha: number;
}

const RGB = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.e-]+))?\)$/;
/** Colours in computed values, in any colour space. */
const COLOUR_FUNCTIONS = /(?:rgba?|color|(?:ok)?lab|(?:ok)?lch)\([^()]*\)/g;
/** Bounds memory on a page that keeps making up colours. */
const MOST_PARSED_COLOURS = 1_000;

const parsedColours = new Map<string, Colour | undefined>();
let pen: OffscreenCanvasRenderingContext2D | null | undefined;

/** A computed colour; undefined for other values, such as the paint server of an SVG fill. */
export function colourOf(text: string): Colour | undefined {
  if (parsedColours.has(text)) return parsedColours.get(text);
  if (parsedColours.size >= MOST_PARSED_COLOURS) parsedColours.clear();
  const colour = readColour(text);
  parsedColours.set(text, colour);
  return colour;
}

/** All colours in a computed value, such as a shadow or a gradient. */
export function coloursIn(value: string): Colour[] {
  return (value.match(COLOUR_FUNCTIONS) ?? []).flatMap(text => colourOf(text) ?? []);
}

function readColour(text: string): Colour | undefined {
  const parts = RGB.exec(text);
  if (parts === null) return drawnColour(text);
  const [, red, green, blue, alpha = '1'] = parts;
  return { rgb: [Number(red), Number(green), Number(blue)], alpha: Number(alpha) };
}

/** The browser converts the colours of other colour spaces. */
function drawnColour(text: string): Colour | undefined {
  if (!CSS.supports('color', text)) return undefined;
  pen ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (pen === null) return undefined;
  pen.clearRect(0, 0, 1, 1);
  pen.fillStyle = text;
  pen.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = pen.getImageData(0, 0, 1, 1).data;
  return { rgb: [red, green, blue], alpha: alpha / 255 };
}

/** A colour composited over an opaque one. */
export function over({ rgb, alpha }: Colour, ground: Rgb): Rgb {
  return mixed(ground, rgb, ground, alpha);
}

/** Moves `start` by a part of the difference between two colours. */
export function mixed(start: Rgb, to: Rgb, from: Rgb, part: number): Rgb {
  const move = (at: 0 | 1 | 2): number => start[at] + part * (to[at] - from[at]);
  return [move(0), move(1), move(2)];
}

/** From 1, for two colours that nobody can distinguish, to 21 (WCAG 2.2, contrast ratio). */
export function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Linear value of each component (WCAG 2.2, relative luminance). */
const LINEAR = Float64Array.from({ length: 256 }, (_, part) => {
  const value = part / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** From 0, black, to 1, white. */
function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(part: number): number {
  return LINEAR[Math.min(255, Math.max(0, Math.round(part)))] ?? 0;
}

/** What an element paints in its box: a colour, `anything` where it is unknown; undefined for nothing. */
type Paint = Colour | 'anything' | undefined;

interface PlacedElement {
  element: Element;
  box: DOMRect;
}

/** What the ancestors of a text paint behind it. */
interface PaintAround {
  /** They are composited in another way than as colours one over the other. */
  isBlended: boolean;
  /** Something other than colours lies over the nearest opaque colour. */
  isPictured: boolean;
  /** Elements whose colours lie behind it, nearest first. */
  coloured: readonly Element[];
}

const NOTHING_AROUND: PaintAround = { isBlended: false, isPictured: false, coloured: [] };
/** A text over more colours counts as visible. */
const MOST_COLOURS = 10;
/** Larger documents are not searched for what may lie behind a text. */
const MOST_PAINTED_ELEMENTS = 20_000;
/** Elements whose content no style describes. */
export const PICTURE_TAGS =
  /^(?:img|svg|video|canvas|iframe|frame|object|embed|input|textarea|select|meter|progress|audio|picture|fencedframe|portal)$/i;
const SEEN = { visibilityProperty: true, opacityProperty: true };

/** What may lie behind texts, for the few that their ancestors' colours would hide. Invariant: it serves one walk. */
export class Painters {
  readonly #around = new Map<Node, PaintAround>();
  /** Null for too many. */
  #all: readonly PlacedElement[] | null | undefined;
  readonly #paints = new Map<Element, Paint>();

  /** Whether a text, with the boxes of its lines, may be visible after all. `isSeenOver`: it is, over this colour. */
  mayShow(element: Element, boxes: readonly DOMRect[], isSeenOver: (colour: Colour) => boolean): boolean {
    const { isBlended, isPictured, coloured } = fromAround(element, this.#around, () => NOTHING_AROUND, aroundIn);
    if (isBlended || isPictured || coloured.length > MOST_COLOURS) return true;
    const isOutside = (box: DOMRect) => coloured.some(each => !isCanvasRoot(each) && !contains(boxOf(each), box));
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

function aroundIn(element: Element, around: PaintAround): PaintAround {
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

/** All elements that have a box; null for a document that is too large. */
function placedIn(root: Element): PlacedElement[] | null {
  const placed: PlacedElement[] = [];
  let left = MOST_PAINTED_ELEMENTS;
  for (const element of nodesInFlatTree(root)) {
    if (!(element instanceof Element)) continue;
    if (left-- === 0) return null;
    const box = boxOf(element);
    if (box.width > 0 && box.height > 0) placed.push({ element, box });
  }
  return placed;
}

function paintOf(element: Element): Paint {
  const isPicture = element instanceof SVGElement || PICTURE_TAGS.test(tagName(element));
  const paint = isPicture ? 'anything' : backgroundOf(getComputedStyle(element));
  return paint !== undefined && checkVisibility(element, SEEN) ? paint : undefined;
}

/** Whether its background fills the whole canvas. */
function isCanvasRoot(element: Element): boolean {
  return element === document.documentElement || element === document.body;
}

function contains(outer: DOMRect, inner: DOMRect): boolean {
  return (
    inner.left >= outer.left - LAYOUT_TOLERANCE_PX &&
    inner.right <= outer.right + LAYOUT_TOLERANCE_PX &&
    inner.top >= outer.top - LAYOUT_TOLERANCE_PX &&
    inner.bottom <= outer.bottom + LAYOUT_TOLERANCE_PX
  );
}

function overlap(one: DOMRect, other: DOMRect): boolean {
  return (
    one.left < other.right - LAYOUT_TOLERANCE_PX &&
    one.right > other.left + LAYOUT_TOLERANCE_PX &&
    one.top < other.bottom - LAYOUT_TOLERANCE_PX &&
    one.bottom > other.top + LAYOUT_TOLERANCE_PX
  );
}

/** What the ancestors of a text do to its visibility. */
export interface Layer {
  /** Their combined opacity, from 0 to 1. */
  readonly opacity: number;
  /** The colour that is visible where there is no text; undefined where it is unknown. */
  readonly ground: Rgb | undefined;
  /** The same before any opacity is applied. */
  readonly inner: Rgb | undefined;
  /** What clip shapes leave, in the viewport; null for everything. */
  readonly shape: Edges | null;
}

const WHITE: Rgb = [255, 255, 255];
/** The canvas of a dark page in Chromium. */
const DARK: Rgb = [18, 18, 18];
const CLEAR = 'rgba(0, 0, 0, 0)';

/** The layers of one walk, computed once per element. */
export class Layers {
  readonly #known = new Map<Node, Layer>();
  #canvas: Layer | undefined;

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

/** The layer of top layer elements: anything may lie behind them, and their ancestors do not affect them. */
const TOP: Layer = { opacity: 1, ground: undefined, inner: undefined, shape: null };

function isInTopLayer(element: Element): boolean {
  if (element instanceof HTMLDialogElement && matches(element, ':modal')) return true;
  return hasAttribute(element, 'popover') && matches(element, ':popover-open');
}

/** Behind a root is the canvas (CSS Color Adjustment 1, color-scheme), or for a frame the page around it. */
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

/** The opacity that a mask leaves. It is known for gradients only, not for the parts of a picture. */
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
  const size = element instanceof HTMLElement ? offsetSizeOf(element) : { width, height };
  const cuts = [shapeLeft(style.clipPath, size)];
  if (/absolute|fixed/.test(style.position)) cuts.push(rectLeft(style.clip, size));
  // A rotated or scaled element has its shape transformed as well.
  const isPlain =
    Math.abs(size.width - width) <= LAYOUT_TOLERANCE_PX && Math.abs(size.height - height) <= LAYOUT_TOLERANCE_PX;
  let shape = around;
  for (const cut of cuts) {
    if (cut === undefined) continue;
    if (isEmpty(cut)) return NO_AREA;
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

function offsetSizeOf(element: HTMLElement): { width: number; height: number } {
  return { width: offsetWidth(element), height: offsetHeight(element) };
}
