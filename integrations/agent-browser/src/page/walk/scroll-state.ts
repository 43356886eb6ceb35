/** How far a box is scrolled; lengths in CSS pixels. */
export interface ScrollState {
  top: number;
  left: number;
  height: number;
  width: number;
  viewportHeight: number;
  viewportWidth: number;
}
