import { boxOf, getAttribute, hasAttribute } from '../dom.js';
import { topmostAt } from '../visibility/cover.js';

/** An area of an image that can be clicked, and its box in the viewport. */
export interface Area {
  element: HTMLAreaElement;
  box: DOMRect;
}

/** The areas of an image's map that lead somewhere (HTML, image maps). Browsers give them no box of their own. */
export function areasOf(image: Element): Area[] {
  const name = getAttribute(image, 'usemap')?.replace(/^#/, '');
  if (!name) return [];
  const map = [...document.querySelectorAll('map')].find(each => getAttribute(each, 'name') === name);
  if (map === undefined) return [];
  return [...map.querySelectorAll('area')]
    .filter(element => hasAttribute(element, 'href') || hasAttribute(element, 'onclick'))
    .map(element => ({ element, box: boxIn(image, element) }));
}

/** Where to press an area: its image, scrolled into view, and a point in CSS pixels from the image's padding edge. */
export function aimAtArea(area: Element): { image: HTMLImageElement; x: number; y: number } | undefined {
  const image = [...document.images].find(each => areasOf(each).some(({ element }) => element === area));
  if (image === undefined) return undefined;
  image.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const box = boxIn(image, area as HTMLAreaElement);
  const around = boxOf(image);
  const { x, y } = pointOf(area, box);
  return { image, x: x - around.left - image.clientLeft, y: y - around.top - image.clientTop };
}

/** Shares of a box, the middle first: that of a polygon may lie outside of it. */
const SHARES = [0.5, 0.25, 0.75, 0.1, 0.9];

function pointOf(area: Element, box: DOMRect): { x: number; y: number } {
  const points = SHARES.flatMap(down =>
    SHARES.map(across => ({ x: box.left + box.width * across, y: box.top + box.height * down })),
  );
  const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  return points.find(({ x, y }) => topmostAt(area, x, y) === area) ?? middle;
}

/** Chromium counts the coordinates of areas from the border of the image, in CSS pixels. */
function boxIn(image: Element, area: HTMLAreaElement): DOMRect {
  const { left, top } = boxOf(image);
  const [x, y, width, height] = extent(area, image);
  return new DOMRect(left + x, top + y, width, height);
}

function extent(area: HTMLAreaElement, image: Element): [x: number, y: number, width: number, height: number] {
  const numbers = area.coords.split(/[\s,;]+/).map(Number);
  const [x = 0, y = 0, third = 0] = numbers;
  const shape = area.shape.toLowerCase();
  if (shape === 'default') return [0, 0, boxOf(image).width, boxOf(image).height];
  if (shape.startsWith('circ')) return [x - third, y - third, 2 * third, 2 * third];
  const across = numbers.filter((_, index) => index % 2 === 0);
  const down = numbers.filter((_, index) => index % 2 === 1);
  const left = Math.min(...across);
  const above = Math.min(...down);
  return [left, above, Math.max(...across) - left, Math.max(...down) - above];
}
