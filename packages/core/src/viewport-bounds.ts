import type { TouchEventInput } from './browser-live-controls.js';
import type { MouseEventInput } from './browser-toolset-like.js';

interface Point {
  x: number;
  y: number;
}

/** CSS pixels. */
export interface ViewportSize {
  width: number;
  height: number;
}

/** Most that one wheel event may scroll, in pixels. */
const MOST_WHEEL = 2000;

/** A point outside every viewport: a button that is released there clicks nothing and drops nothing. */
export const OUTSIDE_VIEWPORT: Readonly<Point> = { x: -1, y: -1 };

/** The nearest point of a viewport: finite, from 0 to its size less one pixel. A coordinate that is no number counts as 0. */
export function pointInside({ x, y }: Point, { width, height }: ViewportSize): Point {
  return { x: clamp(0, x, Math.max(0, width - 1)), y: clamp(0, y, Math.max(0, height - 1)) };
}

/** A scroll of at most 2000 pixels in each direction. */
export function wheelInside(delta: number): number {
  return clamp(-MOST_WHEEL, delta, MOST_WHEEL);
}

/**
 * A mouse event whose numbers a browser can take: one move to 1e308 stops all further input of a Chromium.
 *
 * Invariant: every coordinate of the result is finite and inside the viewport.
 */
export function mouseInside(event: MouseEventInput, viewport: ViewportSize): MouseEventInput {
  const { deltaX, deltaY } = event;
  return {
    ...event,
    ...pointInside(event, viewport),
    ...(deltaX !== undefined && { deltaX: wheelInside(deltaX) }),
    ...(deltaY !== undefined && { deltaY: wheelInside(deltaY) }),
  };
}

/** A touch event whose fingers are all inside the viewport. */
export function touchInside(event: TouchEventInput, viewport: ViewportSize): TouchEventInput {
  return { ...event, touches: event.touches.map(touch => ({ ...touch, ...pointInside(touch, viewport) })) };
}

function clamp(least: number, value: number, most: number): number {
  // A value that is no number counts as the least.
  return Number.isNaN(value) ? Math.max(0, least) : Math.min(Math.max(value, least), most);
}
