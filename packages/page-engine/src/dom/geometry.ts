/** In CSS pixels from the top left corner of the viewport, unless stated otherwise. */
export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Rect extends Point, Size {}

export interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
