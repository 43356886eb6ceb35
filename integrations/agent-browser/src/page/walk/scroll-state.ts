/** How far a box is scrolled; lengths in CSS pixels. */
export interface ScrollState {
  /** Whether the position changed; true where that is not known. */
  hasMoved: boolean;
  top: number;
  left: number;
  height: number;
  width: number;
  viewportHeight: number;
  viewportWidth: number;
}
