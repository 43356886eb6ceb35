import {
  type MouseEventInput,
  OUTSIDE_VIEWPORT,
  pointInside,
  type TouchEventInput,
  type ViewportSize,
  wheelInside,
} from '@browser-toolset/core';
import type { Point } from '#page-engine/dom/geometry.js';
import { UndeliveredInput } from './undelivered-input.js';

type MouseButton = 'left' | 'right' | 'middle';

/** Parameters of `Input.dispatchMouseEvent` (CDP). */
export interface MouseDispatch {
  type: MouseEventInput['type'];
  x: number;
  y: number;
  button: MouseButton | 'none';
  buttons: number;
  clickCount?: number;
  deltaX?: number;
  deltaY?: number;
  modifiers: number;
}

interface Press extends Point {
  button: MouseButton;
  at: number;
  clickCount: number;
}

const BUTTON_BITS: Record<MouseButton, number> = { left: 1, right: 2, middle: 4 };
/** The limits of a multiple click, which are the defaults of Windows and GTK. */
const MULTI_CLICK_MS = 500;
const MULTI_CLICK_PX = 4;
/** Chromium counts up to the triple click, which selects a paragraph. */
const MAX_CLICK_COUNT = 3;

/**
 * Completes mouse events: held buttons and click counts, which the viewer may omit.
 * Invariant: every coordinate returned is finite and, except for `release`, inside the viewport. A mouse move to 1e308
 * blocks all further input in Chromium.
 */
export class MouseState {
  readonly #held = new Map<MouseButton, Press>();
  #lastPress: Press | undefined;

  /** Throws `UndeliveredInput` for an invalid event. `now` is in milliseconds of any monotonic clock. */
  complete(event: MouseEventInput, viewport: ViewportSize, now: number): MouseDispatch {
    const point = this.#place(event, viewport);
    const modifiers = (event.modifiers ?? 0) & 15;
    switch (event.type) {
      case 'mousePressed':
        return { ...this.#press(event, point, now), modifiers };
      case 'mouseReleased':
        return { ...this.#releaseButton(buttonOf(event), point), modifiers };
      case 'mouseWheel':
        return { type: 'mouseWheel', ...point, button: 'none', buttons: this.#buttons(), ...wheelOf(event), modifiers };
      case 'mouseMoved':
        return { type: 'mouseMoved', ...point, button: this.#lastHeld(), buttons: this.#buttons(), modifiers };
      default:
        throw new UndeliveredInput(`There is no mouse event ${JSON.stringify(event.type)}.`);
    }
  }

  /** Releases held buttons outside the viewport, so that nothing is clicked or dropped. */
  release(): MouseDispatch[] {
    return [...this.#held.keys()].map(button => ({ ...this.#releaseButton(button, OUTSIDE_VIEWPORT), modifiers: 0 }));
  }

  reset(): void {
    this.#held.clear();
    this.#lastPress = undefined;
  }

  /** Invariant: a pressed button is released, so during a drag a point outside moves to the nearest one inside. */
  #place({ x, y, type }: MouseEventInput, viewport: ViewportSize): Point {
    const { width, height } = viewport;
    if (!Number.isFinite(x) || !Number.isFinite(y)) throw new UndeliveredInput(`${type} needs finite coordinates.`);
    const isOutside = x < 0 || y < 0 || x > width || y > height;
    const isDragging = this.#held.size > 0 && (type === 'mouseMoved' || type === 'mouseReleased');
    if (isOutside && !isDragging) {
      throw new UndeliveredInput(`${type} at ${x}, ${y} is outside the viewport of ${width} by ${height}.`);
    }
    return pointInside({ x, y }, viewport);
  }

  #press(event: MouseEventInput, point: Point, now: number): Omit<MouseDispatch, 'modifiers'> {
    const button = buttonOf(event);
    const counted = this.#repeats(button, point, now) ? (this.#lastPress?.clickCount ?? 0) + 1 : 1;
    const clickCount = Math.min(Math.max(counted, finiteOr(event.clickCount, 1), 1), MAX_CLICK_COUNT);
    const press = { ...point, button, at: now, clickCount };
    this.#lastPress = press;
    this.#held.set(button, press);
    return { type: 'mousePressed', ...point, button, buttons: this.#buttons(), clickCount };
  }

  #repeats(button: MouseButton, point: Point, now: number): boolean {
    const last = this.#lastPress;
    if (!last || last.button !== button || now - last.at > MULTI_CLICK_MS) return false;
    return Math.abs(point.x - last.x) <= MULTI_CLICK_PX && Math.abs(point.y - last.y) <= MULTI_CLICK_PX;
  }

  #releaseButton(button: MouseButton, point: Point): Omit<MouseDispatch, 'modifiers'> {
    const clickCount = this.#held.get(button)?.clickCount ?? 1;
    this.#held.delete(button);
    return { type: 'mouseReleased', ...point, button, buttons: this.#buttons(), clickCount };
  }

  #buttons(): number {
    return [...this.#held.keys()].reduce((bits, button) => bits | BUTTON_BITS[button], 0);
  }

  #lastHeld(): MouseButton | 'none' {
    return [...this.#held.keys()].at(-1) ?? 'none';
  }
}

function buttonOf({ button }: MouseEventInput): MouseButton {
  if (button === undefined || button === 'none') return 'left';
  if (!Object.hasOwn(BUTTON_BITS, button))
    throw new UndeliveredInput(`There is no mouse button ${JSON.stringify(button)}.`);
  return button;
}

function wheelOf({ deltaX = 0, deltaY = 0 }: MouseEventInput): { deltaX: number; deltaY: number } {
  if (!Number.isFinite(deltaX) || !Number.isFinite(deltaY))
    throw new UndeliveredInput('mouseWheel needs finite deltas.');
  return { deltaX: wheelInside(deltaX), deltaY: wheelInside(deltaY) };
}

function finiteOr(value: number | undefined, fallback: number): number {
  return value !== undefined && Number.isFinite(value) ? Math.trunc(value) : fallback;
}

interface TouchPoint {
  x: number;
  y: number;
  id: number;
}

/** Parameters of `Input.dispatchTouchEvent` (CDP). */
interface TouchDispatch {
  type: TouchEventInput['type'];
  touchPoints: TouchPoint[];
  modifiers: number;
}

const TYPES = new Set<string>(['touchStart', 'touchMove', 'touchEnd', 'touchCancel']);
/** More fingers than touch screens distinguish. */
const MOST_FINGERS = 16;

/**
 * Tracks touches. A viewer reports those that are down after an event; Chromium needs those that start, move or end.
 * Invariant: every coordinate returned is finite and inside the viewport.
 */
export class TouchState {
  #down: TouchPoint[] = [];

  /** Completes an event, or throws `UndeliveredInput`; undefined when nothing changes. */
  complete(event: TouchEventInput, viewport: ViewportSize): TouchDispatch | undefined {
    const { type, touches = [], modifiers = 0 } = event;
    if (!TYPES.has(type)) throw new UndeliveredInput(`There is no touch event ${JSON.stringify(type)}.`);
    if (touches.length > MOST_FINGERS) throw new UndeliveredInput(`A touch takes at most ${MOST_FINGERS} fingers.`);
    const points = touches.map((touch, index) => placed(touch, index, viewport));
    if (type === 'touchEnd' || type === 'touchCancel') return this.#lift({ type, touchPoints: points, modifiers });
    if (points.length === 0) throw new UndeliveredInput(`${type} needs a finger.`);
    if (type === 'touchMove' && this.#down.length === 0)
      throw new UndeliveredInput('touchMove needs a touchStart before it.');
    this.#down = points;
    return { type, touchPoints: points, modifiers: modifiers & 15 };
  }

  release(): TouchDispatch[] {
    const lifted = this.#lift({ type: 'touchCancel', touchPoints: [], modifiers: 0 });
    return lifted === undefined ? [] : [lifted];
  }

  #lift({ type, touchPoints, modifiers }: TouchDispatch): TouchDispatch | undefined {
    const left = type === 'touchCancel' ? [] : touchPoints;
    const lifted = this.#down.filter(({ id }) => !left.some(point => point.id === id));
    this.#down = this.#down.filter(({ id }) => left.some(point => point.id === id));
    if (lifted.length === 0) return undefined;
    return { type, touchPoints: this.#down.length === 0 ? [] : lifted, modifiers: modifiers & 15 };
  }
}

type Touch = TouchEventInput['touches'][number];

function placed({ x, y, id }: Touch, index: number, viewport: ViewportSize): TouchDispatch['touchPoints'][number] {
  if (!Number.isFinite(x) || !Number.isFinite(y)) throw new UndeliveredInput('A touch needs finite coordinates.');
  return { ...pointInside({ x, y }, viewport), id: id !== undefined && Number.isSafeInteger(id) ? id : index };
}
