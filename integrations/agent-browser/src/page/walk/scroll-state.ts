/** How far a box is scrolled; lengths in CSS pixels. */
export interface ScrollState {
  /** It may be elsewhere than it was. */
  hasMoved: boolean;
  top: number;
  left: number;
  height: number;
  width: number;
  viewportHeight: number;
  viewportWidth: number;
}
