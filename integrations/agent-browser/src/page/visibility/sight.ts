/**
 * Where what is in sight of a page begins in its viewport, in CSS pixels, and how often it is enlarged: by two fingers, or
 * because a page is laid out wider than the screen of a phone (CSSOM View, VisualViewport). In an inner document nothing is.
 */
export function sightNow(): [left: number, top: number, scale: number] {
  const { visualViewport } = window;
  if (visualViewport === null || window !== window.top) return [0, 0, 1];
  return [visualViewport.offsetLeft, visualViewport.offsetTop, visualViewport.scale];
}
