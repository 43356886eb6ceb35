/** In sRGB, each part from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

export interface Colour {
  rgb: Rgb;
  /** From 0, which is not there, to 1. */
  alpha: number;
}

const RGB = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.e-]+))?\)$/;
/** Colours in computed values, in any space. */
const COLOURS = /(?:rgba?|color|(?:ok)?lab|(?:ok)?lch)\([^()]*\)/g;
/** So many that a page which makes up new ones takes no memory. */
const MOST_KNOWN = 1_000;

const known = new Map<string, Colour | undefined>();
let pen: OffscreenCanvasRenderingContext2D | null | undefined;

/** A computed colour; undefined for what is none, such as the picture that fills a drawing. */
export function colourOf(text: string): Colour | undefined {
  if (known.has(text)) return known.get(text);
  if (known.size >= MOST_KNOWN) known.clear();
  const colour = readColour(text);
  known.set(text, colour);
  return colour;
}

/** All colours in a computed value, such as that of shadows or of a gradient. */
export function coloursIn(value: string): Colour[] {
  return (value.match(COLOURS) ?? []).flatMap(text => colourOf(text) ?? []);
}

function readColour(text: string): Colour | undefined {
  const parts = RGB.exec(text);
  if (parts === null) return drawnColour(text);
  const [, red, green, blue, alpha = '1'] = parts;
  return { rgb: [Number(red), Number(green), Number(blue)], alpha: Number(alpha) };
}

/** Other spaces are left to the browser. */
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

/** A colour over an opaque one. */
export function over({ rgb, alpha }: Colour, ground: Rgb): Rgb {
  return mixed(ground, rgb, ground, alpha);
}

/** A colour moved by a part of the way that leads from one to another. */
export function mixed(start: Rgb, to: Rgb, from: Rgb, part: number): Rgb {
  const move = (at: 0 | 1 | 2): number => start[at] + part * (to[at] - from[at]);
  return [move(0), move(1), move(2)];
}

/** From 1, where two colours look the same, to 21 (WCAG 2.2, contrast ratio). */
export function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Of each part of a colour (WCAG 2.2, relative luminance). */
const LINEAR = Float64Array.from({ length: 256 }, (_, part) => {
  const value = part / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** From 0, black, to 1, white. */
export function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(part: number): number {
  return LINEAR[Math.min(255, Math.max(0, Math.round(part)))] ?? 0;
}
