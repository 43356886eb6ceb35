import type { MouseEventInput, TouchEventInput } from '@browser-toolset/core';
import type { LiveViewport } from '@browser-toolset/core/protocol';

/** Most that one wheel event may scroll, in pixels. */
const MOST_WHEEL = 2000;

/**
 * A mouse event whose numbers a browser can take: one move to 1e308 stops all further input of a Chromium.
 *
 * Invariant: every coordinate of the result is finite and inside the viewport.
 */
export function mouseInside(event: MouseEventInput, viewport: LiveViewport): MouseEventInput {
  const { deltaX, deltaY } = event;
  return {
    ...event,
    ...pointInside(event, viewport),
    ...(deltaX !== undefined && { deltaX: within(-MOST_WHEEL, deltaX, MOST_WHEEL) }),
    ...(deltaY !== undefined && { deltaY: within(-MOST_WHEEL, deltaY, MOST_WHEEL) }),
  };
}

/** A touch event whose fingers are all inside the viewport. */
export function touchInside(event: TouchEventInput, viewport: LiveViewport): TouchEventInput {
  return { ...event, touches: event.touches.map(touch => ({ ...touch, ...pointInside(touch, viewport) })) };
}

function pointInside({ x, y }: { x: number; y: number }, { width, height }: LiveViewport): { x: number; y: number } {
  return { x: within(0, x, Math.max(0, width - 1)), y: within(0, y, Math.max(0, height - 1)) };
}

function within(least: number, value: number, most: number): number {
  // A value that is no number counts as the least.
  return Number.isNaN(value) ? Math.max(0, least) : Math.min(Math.max(value, least), most);
}
