/** CSS pixels, from the top left corner of the viewport where nothing else is said. */
export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Rect extends Point, Size {}

/** A rectangle by its edges. */
export interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
