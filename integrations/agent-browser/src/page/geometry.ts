/** In CSS pixels from the top left corner of the viewport, unless stated otherwise. */
export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** Whether a box is larger than the pixel to which pages shrink what nobody is to see. */
export function isSized({ width, height }: Size): boolean {
  return width > 1 && height > 1;
}

export interface Rect extends Point, Size {}

export interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
