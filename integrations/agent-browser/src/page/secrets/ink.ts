import { parentInFlatTree } from '../visibility/flat-tree.js';

/** Of a font size: as far as variations and features of fonts, which a canvas does not know, may move ink beyond what it measures. */
const SLACK = 0.1;
/** Blurs fade out within so many of their standard deviations. */
const DEVIATIONS = 3;
const LENGTH = /-?[\d.]+px/g;

let context: CanvasRenderingContext2D | null | undefined;

/**
 * How far the ink of a text may reach beyond its boxes, in any direction, in CSS pixels of the viewport: letters overhang, marks
 * are stacked, and shadows, strokes and filters draw them once more beside.
 * @param boxes As they are shown.
 * @param size Of a box before anything around it enlarges it; of a text its own.
 */
export function inkBeyond(element: Element, text: string, boxes: readonly DOMRect[], size?: Size): number {
  const style = getComputedStyle(element);
  const { overhang, ...line } = measured(text, style);
  const stroke = Number.parseFloat(style.getPropertyValue('-webkit-text-stroke-width')) || 0;
  const own = overhang + stroke + shadowReach(style.textShadow, 1) + SLACK * Number.parseFloat(style.fontSize);
  const { width, height } = size ?? line;
  const enlarged = boxes.flatMap(box => [box.height / height, box.width / width]).filter(Number.isFinite);
  return (own + filterReach(element)) * Math.max(1, ...enlarged);
}

interface Size {
  width: number;
  height: number;
}

/** Of a text in one line. */
interface Measured extends Size {
  overhang: number;
}

function measured(text: string, { fontStyle, fontWeight, fontSize, fontFamily }: CSSStyleDeclaration): Measured {
  context ??= document.createElement('canvas').getContext('2d');
  const size = Number.parseFloat(fontSize);
  if (context === null) return { overhang: size, width: size, height: size };
  context.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  const pen = context;
  const all = [text, text.toUpperCase(), text.toLowerCase()].map(form => pen.measureText(form));
  const overhangs = all.flatMap(ink => [
    ink.actualBoundingBoxLeft,
    ink.actualBoundingBoxRight - ink.width,
    ink.actualBoundingBoxAscent - ink.fontBoundingBoxAscent,
    ink.actualBoundingBoxDescent - ink.fontBoundingBoxDescent,
  ]);
  const [first] = all;
  const height = (first?.fontBoundingBoxAscent ?? 0) + (first?.fontBoundingBoxDescent ?? 0);
  return { overhang: Math.max(0, ...overhangs), width: first?.width ?? 0, height };
}

/** Of everything around the element as well, which draws what is in it with its own filter. */
function filterReach(element: Element): number {
  let reach = 0;
  for (let node: Node | null = element; node !== null; node = parentInFlatTree(node)) {
    if (!(node instanceof Element)) continue;
    const { filter } = getComputedStyle(node);
    if (filter === 'none') continue;
    for (const [, name, lengths = ''] of filter.matchAll(/([\w-]+)\(((?:[^()]|\([^()]*\))*)\)/g)) {
      if (name === 'drop-shadow') reach += shadowReach(lengths, DEVIATIONS);
      else if (name === 'blur') reach += DEVIATIONS * Number.parseFloat(lengths);
    }
  }
  return reach;
}

/** Each shadow has two offsets and a blur. */
function shadowReach(shadows: string, blurs: number): number {
  const lengths = (shadows.match(LENGTH) ?? []).map(length => Math.abs(Number.parseFloat(length)));
  const reaches = lengths.flatMap((x, index) =>
    index % 3 === 0 ? [Math.max(x, lengths[index + 1] ?? 0) + blurs * (lengths[index + 2] ?? 0)] : [],
  );
  return Math.max(0, ...reaches);
}
