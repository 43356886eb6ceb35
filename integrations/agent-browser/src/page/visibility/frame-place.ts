import { boxOf, objectDocument } from '../dom.js';
import { isWithin, topmostAt } from './cover.js';
import { parentInFlatTree } from './flat-tree.js';

interface Point {
  x: number;
  y: number;
}

/** A point of the document in a frame, as the document around it sees it. */
export interface OuterPoint extends Point {
  /** The frame is scaled, turned or skewed. */
  isWarped: boolean;
  /** It is in sight there, and nothing lies over the frame. */
  isFree: boolean;
  /** It was scrolled to: the mouse finds it there once the page has been drawn. */
  wasScrolled: boolean;
}

/**
 * How the viewport of a frame's document lies in that around it. What transforms do to directions and lengths is the
 * product of them all; they keep the middle of a box in the middle of the box around it, wherever their origins are.
 */
interface FramePlace {
  linear: DOMMatrix;
  /** In the viewport around. */
  middle: Point;
  /** From the corner of the inner viewport, in pixels of its own. */
  innerMiddle: Point;
}

export type FrameElement = HTMLIFrameElement | HTMLFrameElement | HTMLObjectElement;

/** Whether an element shows another document. */
export function isFrameElement(element: Element): element is FrameElement {
  if (element instanceof HTMLObjectElement) return objectDocument(element) !== null;
  return element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement;
}

/** The point in the frame's own viewport; undefined where the frame stands in space. */
export function intoFrame(frame: FrameElement, { x, y }: Point): Point | undefined {
  const place = placeOf(frame);
  if (place === undefined) return undefined;
  const { linear, middle, innerMiddle } = place;
  const from = linear.inverse().transformPoint(new DOMPoint(x - middle.x, y - middle.y));
  return { x: innerMiddle.x + from.x, y: innerMiddle.y + from.y };
}

/** The way back from {@link intoFrame}; what is out of sight is scrolled to. Null where nobody can tell. */
export function outOfFrame(frame: Element | undefined, point: Point): OuterPoint | null {
  const isEnlarged = window === window.top && window.visualViewport?.scale !== 1;
  if (frame === undefined || !isFrameElement(frame) || isEnlarged) return null;
  let at = seenFromOutside(frame, point);
  const wasScrolled = at !== undefined && !isInSight(at);
  if (wasScrolled) {
    frame.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    at = seenFromOutside(frame, point);
  }
  if (at !== undefined && !isInSight(at)) {
    const { innerWidth, innerHeight } = window;
    window.scrollBy({ left: at.x - innerWidth / 2, top: at.y - innerHeight / 2, behavior: 'instant' });
    at = seenFromOutside(frame, point);
  }
  if (at === undefined) return null;
  const hit = isInSight(at) ? topmostAt(frame, at.x, at.y) : null;
  return { ...at, isFree: hit !== null && isWithin(hit, frame), wasScrolled };
}

function seenFromOutside(frame: FrameElement, point: Point): Omit<OuterPoint, 'isFree' | 'wasScrolled'> | undefined {
  const place = placeOf(frame);
  if (place === undefined) return undefined;
  const { linear, middle, innerMiddle } = place;
  const to = linear.transformPoint(new DOMPoint(point.x - innerMiddle.x, point.y - innerMiddle.y));
  return { x: middle.x + to.x, y: middle.y + to.y, isWarped: !linear.isIdentity };
}

function placeOf(frame: FrameElement): FramePlace | undefined {
  const linear = linearOf(frame);
  if (linear === undefined) return undefined;
  const box = boxOf(frame);
  const style = getComputedStyle(frame);
  return {
    linear,
    middle: { x: box.left + box.width / 2, y: box.top + box.height / 2 },
    innerMiddle: {
      x: frame.offsetWidth / 2 - frame.clientLeft - Number.parseFloat(style.paddingLeft),
      y: frame.offsetHeight / 2 - frame.clientTop - Number.parseFloat(style.paddingTop),
    },
  };
}

/** All that is done to directions and lengths on the way out; undefined for what is turned out of the plane. */
function linearOf(frame: FrameElement): DOMMatrix | undefined {
  // CSS Viewport, zoom: what is in a frame is zoomed with it.
  let linear = new DOMMatrix().scale(frame.currentCSSZoom);
  for (let node: Node | null = frame; node !== null; node = parentInFlatTree(node)) {
    if (!(node instanceof Element)) continue;
    const style = getComputedStyle(node);
    const isTransformed = style.transform !== 'none' || style.rotate !== 'none' || style.scale !== 'none';
    if (!isTransformed || (style.display === 'inline' && node !== frame)) continue;
    linear = new DOMMatrix(ownTransforms(style)).multiply(linear);
  }
  const { a, b, c, d, is2D } = linear;
  return is2D ? new DOMMatrix([a, b, c, d, 0, 0]) : undefined;
}

/** CSS Transforms 2, section 5: rotate, then scale, then transform. */
function ownTransforms({ rotate, scale, transform }: CSSStyleDeclaration): string {
  const [x, y = x] = scale === 'none' ? ['1'] : scale.split(' ');
  const turn = rotate === 'none' ? '' : /^\S+$/.test(rotate) ? `rotate(${rotate})` : 'rotateX(1deg)';
  return `${turn} scale(${x}, ${y}) ${transform === 'none' ? '' : transform}`;
}

function isInSight({ x, y }: Point): boolean {
  return x >= 0 && y >= 0 && x < window.innerWidth && y < window.innerHeight;
}
