/** A rectangle in CSS pixels, by its edges. */
export interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Rounding of boxes in the layout, in CSS pixels. */
export const SLACK = 1;

interface Size {
  width: number;
  height: number;
}

export const NOTHING: Edges = { left: 0, top: 0, right: 0, bottom: 0 };
const SHAPE = /^([\w-]+)\((.*?)\)(?: [\w-]+-box)?$/;

/**
 * What a clip-path leaves of a box, from the corner of it (CSS Masking 1, CSS Shapes 1); undefined where that cannot be
 * told, as of a path.
 */
export function shapeLeft(clipPath: string, size: Size): Edges | undefined {
  const [, name, inside = ''] = SHAPE.exec(clipPath) ?? [];
  if (name === 'inset') return insetLeft(inside, size);
  if (name === 'circle' || name === 'ellipse') return roundLeft(name, inside, size);
  return name === 'polygon' ? polygonLeft(inside, size) : undefined;
}

/** What the older `clip` leaves of a box. */
export function rectLeft(clip: string, { width, height }: Size): Edges | undefined {
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
  // A percentage is one of the diagonal (CSS Shapes 1, circle()).
  const diagonal = Math.hypot(width, height) / Math.SQRT2;
  const isCircle = name === 'circle';
  const [wide, high] = [length(across, isCircle ? diagonal : width), length(down, isCircle ? diagonal : height)];
  if (wide === 0 || high === 0) return NOTHING;
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
  if (isLine) return NOTHING;
  const [across, down] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return withKnownEdges({
    left: Math.min(...across),
    top: Math.min(...down),
    right: Math.max(...across),
    bottom: Math.max(...down),
  });
}

/** In pixels; not a number for what only the layout can work out. */
function length(text: string, whole: number): number {
  const [, number, unit] = /^(-?[\d.e-]+)(px|%)$/.exec(text) ?? [];
  return Number(number) * (unit === '%' ? whole / 100 : 1);
}

function withKnownEdges(edges: Edges): Edges | undefined {
  return Object.values(edges).some(Number.isNaN) ? undefined : edges;
}
