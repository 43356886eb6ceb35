export interface Point {
  x: number;
  y: number;
}

/** A rectangle in client coordinates, as `Element.getBoundingClientRect` answers it. */
export interface ClientRect {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The size of a frame's viewport, in CSS pixels, as the protocol's `viewport` message says it. */
export interface ViewportSize {
  /** Of the whole picture. */
  width: number;
  height: number;
  /** Where the page begins in the picture. @default 0 */
  offsetTop?: number;
  /** Pinch zoom of the page. @default 1 */
  pageScaleFactor?: number;
}

export interface MappingOptions {
  /** How the picture lies in the rectangle, in the words of CSS `object-fit`. @default 'contain' */
  fit?: 'contain' | 'fill';
  /** Moves a point outside of the page to the page's nearest pixel: for a drag that has left the view. @default false */
  clamp?: boolean;
}

/**
 * Finds the place on the page that a client point (`MouseEvent.clientX`, `clientY`) shows, in the pixels that the
 * DevTools protocol's `Input` domain takes. Undefined in the bars beside the picture, and where nothing has an area.
 *
 * @example
 * mapToViewportCoords({ x: 150, y: 84 }, canvas.getBoundingClientRect(), { width: 1280, height: 720 });
 */
export function mapToViewportCoords(
  point: Point,
  rect: ClientRect,
  viewport: ViewportSize,
  { fit = 'contain', clamp = false }: MappingOptions = {},
): Point | undefined {
  const picture = pictureRect(rect, viewport, fit);
  if (!hasArea(picture)) return undefined;
  const { offsetTop = 0 } = viewport;
  const onScreen = {
    x: ((point.x - picture.left) / picture.width) * viewport.width,
    y: ((point.y - picture.top) / picture.height) * viewport.height - offsetTop,
  };
  const height = viewport.height - offsetTop;
  const isInside = isBetween(onScreen.x, viewport.width) && isBetween(onScreen.y, height);
  if (!isInside && !clamp) return undefined;
  const inside = isInside
    ? onScreen
    : { x: clampTo(onScreen.x, viewport.width - 1), y: clampTo(onScreen.y, height - 1) };
  const scale = viewport.pageScaleFactor ?? 1;
  // Measured: `Input.dispatchMouseEvent` multiplies by the page scale factor; the picture is already enlarged by it.
  return { x: inside.x / scale, y: inside.y / scale };
}

/** Finds where a place on the page is shown: the inverse of `mapToViewportCoords`. Places outside are answered too. */
export function mapToClientCoords(
  point: Point,
  rect: ClientRect,
  viewport: ViewportSize,
  { fit = 'contain' }: Pick<MappingOptions, 'fit'> = {},
): Point | undefined {
  const picture = pictureRect(rect, viewport, fit);
  if (!hasArea(picture)) return undefined;
  const share = shareOfPicture(point, viewport);
  return { x: picture.left + share.x * picture.width, y: picture.top + share.y * picture.height };
}

/** Where a place on the page is in the picture: 0 at its left and top, 1 at its right and bottom. */
export function shareOfPicture(
  point: Point,
  { width, height, offsetTop = 0, pageScaleFactor = 1 }: ViewportSize,
): Point {
  return { x: (point.x * pageScaleFactor) / width, y: (point.y * pageScaleFactor + offsetTop) / height };
}

function pictureRect(rect: ClientRect, viewport: ViewportSize, fit: 'contain' | 'fill'): ClientRect {
  if (fit === 'fill') return rect;
  const scale = Math.min(rect.width / viewport.width, rect.height / viewport.height);
  const [width, height] = [viewport.width * scale, viewport.height * scale];
  return { left: rect.left + (rect.width - width) / 2, top: rect.top + (rect.height - height) / 2, width, height };
}

function hasArea({ width, height }: ClientRect): boolean {
  return width > 0 && height > 0 && Number.isFinite(width) && Number.isFinite(height);
}

function isBetween(value: number, end: number): boolean {
  return value >= 0 && value < end;
}

function clampTo(value: number, end: number): number {
  return Math.min(Math.max(value, 0), Math.max(end, 0));
}
