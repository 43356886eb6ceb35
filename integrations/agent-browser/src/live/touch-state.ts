import { pointInside, type TouchEventInput, type ViewportSize } from '@browser-toolset/core';
import { UndeliveredInput } from './undelivered-input.js';

interface TouchPoint {
  x: number;
  y: number;
  id: number;
}

/** Parameters of `Input.dispatchTouchEvent` (DevTools protocol). */
export interface TouchDispatch {
  type: TouchEventInput['type'];
  touchPoints: TouchPoint[];
  modifiers: number;
}

const TYPES = new Set<string>(['touchStart', 'touchMove', 'touchEnd', 'touchCancel']);
/** More fingers than screens tell apart. */
const MOST_FINGERS = 16;

/**
 * Which fingers touch. A viewer tells those that are down after an event; Chromium wants to know which come down, move
 * or come up by it.
 * Invariant: every coordinate that leaves this class is finite and inside the viewport.
 */
export class TouchState {
  #down: TouchPoint[] = [];

  /** Completes an event, or throws `UndeliveredInput`; undefined when it changes nothing. */
  complete(event: TouchEventInput, viewport: ViewportSize): TouchDispatch | undefined {
    const { type, touches = [], modifiers = 0 } = event;
    if (!TYPES.has(type)) throw new UndeliveredInput(`There is no touch event ${JSON.stringify(type)}.`);
    if (touches.length > MOST_FINGERS) throw new UndeliveredInput(`A touch takes at most ${MOST_FINGERS} fingers.`);
    const points = touches.map((touch, index) => placed(touch, index, viewport));
    if (type === 'touchEnd' || type === 'touchCancel') return this.#lift({ type, points, modifiers });
    if (points.length === 0) throw new UndeliveredInput(`${type} needs a finger.`);
    if (type === 'touchMove' && this.#down.length === 0)
      throw new UndeliveredInput('touchMove needs a touchStart before it.');
    this.#down = points;
    return { type, touchPoints: points, modifiers: modifiers & 15 };
  }

  /** Takes all fingers off, without a tap. */
  release(): TouchDispatch[] {
    const lifted = this.#lift({ type: 'touchCancel', points: [], modifiers: 0 });
    return lifted === undefined ? [] : [lifted];
  }

  #lift({ type, points, modifiers }: Lift): TouchDispatch | undefined {
    const left = type === 'touchCancel' ? [] : points;
    const lifted = this.#down.filter(({ id }) => !left.some(point => point.id === id));
    this.#down = this.#down.filter(({ id }) => left.some(point => point.id === id));
    if (lifted.length === 0) return undefined;
    return { type, touchPoints: this.#down.length === 0 ? [] : lifted, modifiers: modifiers & 15 };
  }
}

interface Lift {
  type: 'touchEnd' | 'touchCancel';
  points: TouchPoint[];
  modifiers: number;
}

type Touch = TouchEventInput['touches'][number];

function placed({ x, y, id }: Touch, index: number, viewport: ViewportSize): TouchDispatch['touchPoints'][number] {
  if (!Number.isFinite(x) || !Number.isFinite(y)) throw new UndeliveredInput('A touch needs finite coordinates.');
  return {
    ...pointInside({ x, y }, viewport),
    id: id !== undefined && Number.isSafeInteger(id) ? id : index,
  };
}
