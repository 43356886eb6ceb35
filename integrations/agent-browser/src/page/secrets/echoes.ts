import { boxOf, tagName } from '../dom.js';
import { parentInFlatTree } from '../visibility/flat-tree.js';

/** An element that draws what is in it elsewhere as well, or all the time somewhere else; and how far. */
interface Echo {
  box: DOMRect;
  reach: number;
}

/**
 * The elements around one that draw it once more in a way that nobody can measure, as reflections and filters of the
 * page's own do, or that move it about. All that they draw is covered.
 */
export function echoesAround(element: Element): DOMRect[] {
  const echoes: Echo[] = [];
  for (let node: Node | null = element; node !== null; node = parentInFlatTree(node)) {
    if (!(node instanceof Element)) continue;
    const reach = reachOf(node);
    if (reach !== undefined) echoes.push({ box: boxOf(node), reach });
  }
  return echoes.map(({ box, reach }) => {
    const [x, y] = [box.width * Math.sign(reach) + reach, box.height * Math.sign(reach) + reach];
    return new DOMRect(box.x - x, box.y - y, box.width + 2 * x, box.height + 2 * y);
  });
}

/** In CSS pixels beyond once its own size; 0 for what stays in its box, undefined for what echoes nothing. */
function reachOf(element: Element): number | undefined {
  const style = getComputedStyle(element);
  const reflection = style.getPropertyValue('-webkit-box-reflect');
  if (reflection !== 'none' && reflection !== '') return 1 + lengthIn(reflection, element);
  if (/\burl\(/.test(style.filter)) return 1;
  return tagName(element) === 'MARQUEE' ? 0 : undefined;
}

/** How far a reflection stands off. */
function lengthIn(reflection: string, element: Element): number {
  const [, number = '0', unit] = /^\w+ (-?[\d.]+)(px|%)/.exec(reflection) ?? [];
  const { width, height } = boxOf(element);
  const length = Math.abs(Number.parseFloat(number));
  return unit === '%' ? (length / 100) * Math.max(width, height) : length;
}
