import type { ClientMessageInput } from '@browser-toolset/core/protocol';
import { type FrameScheduler, MessageCoalescer } from './coalescer.js';
import type { Point } from './geometry.js';
import { type ModifierState, modifierBits } from './modifiers.js';

type MouseMessage = Extract<ClientMessageInput, { type: 'mouse' }>;
type MouseEventOut = Extract<MouseMessage, { event: unknown }>['event'];
type TouchEventOut = Extract<ClientMessageInput, { type: 'touch' }>['event'];
type Button = 'left' | 'middle' | 'right';

/** The fields that are read of a `MouseEvent`. */
export interface MouseLike extends ModifierState {
  clientX: number;
  clientY: number;
  button: number;
  /** How many clicks in a row this is. */
  detail: number;
}

/** The fields that are read of a `WheelEvent`. */
export interface WheelLike extends Omit<MouseLike, 'button' | 'detail'> {
  deltaX: number;
  deltaY: number;
  /** Unit of the deltas: 0 pixels, 1 lines, 2 pages (UI Events, `WheelEvent.deltaMode`). */
  deltaMode: number;
}

/** The fields that are read of a `PointerEvent` of a finger. */
export interface TouchLike extends ModifierState {
  clientX: number;
  clientY: number;
  pointerId: number;
}

export interface PointerInputOptions {
  send(message: ClientMessageInput): void;
  /** Where on the page a client point is; with `clamp` the nearest place for one that is outside. */
  locate(point: { clientX: number; clientY: number }, clamp: boolean): Point | undefined;
  /** Height of what a viewer sees, in CSS pixels: a wheel may count in pages. */
  pageHeight(): number;
  schedule?: FrameScheduler;
}

/** `MouseEvent.button`; back and forward have no place in the protocol. */
const BUTTONS: readonly (Button | undefined)[] = ['left', 'middle', 'right'];
/** Pixels of a line, for wheels that count in lines. */
const LINE_HEIGHT = 16;
const MOST_CLICKS = 10;

/** Turns the events of mouse, pen and fingers into messages, and knows what is pressed. */
export class PointerInput {
  readonly #options: PointerInputOptions;
  readonly #out: MessageCoalescer;
  /** Buttons that are down, in the order in which they were pressed, with their click count. */
  readonly #pressed = new Map<Button, number>();
  readonly #touches = new Map<number, Point & { id: number }>();
  #last: Point = { x: 0, y: 0 };

  constructor(options: PointerInputOptions) {
    this.#options = options;
    this.#out = new MessageCoalescer(options.send, mergeMoves, options.schedule);
  }

  /** A button or a finger is down. */
  get isPressed(): boolean {
    return this.#pressed.size > 0 || this.#touches.size > 0;
  }

  /** There is page under the pointer. */
  hits(place: { clientX: number; clientY: number }): boolean {
    return this.#options.locate(place, this.isPressed) !== undefined;
  }

  /** Answers false for what is no press on the page. */
  press(event: MouseLike): boolean {
    const button = BUTTONS[event.button];
    const point = this.#options.locate(event, this.isPressed);
    if (button === undefined || point === undefined) return false;
    const clickCount = Math.min(Math.max(event.detail, 1), MOST_CLICKS);
    this.#pressed.set(button, clickCount);
    this.#mouse({ type: 'mousePressed', ...point, button, clickCount, modifiers: modifierBits(event) });
    return true;
  }

  move(event: Omit<MouseLike, 'button' | 'detail'>): void {
    const point = this.#options.locate(event, this.isPressed);
    if (point === undefined) return;
    this.#last = point;
    const button = [...this.#pressed.keys()].at(-1) ?? 'none';
    this.#out.offer({
      type: 'mouse',
      event: { type: 'mouseMoved', ...point, button, modifiers: modifierBits(event) },
    });
  }

  release(event: MouseLike): void {
    const button = BUTTONS[event.button];
    if (button === undefined) return;
    const point = this.#options.locate(event, true) ?? this.#last;
    this.#release(button, point, modifierBits(event));
  }

  /** Answers false where there is no page under the pointer. */
  wheel(event: WheelLike): boolean {
    const point = this.#options.locate(event, false);
    if (point === undefined) return false;
    const unit = [1, LINE_HEIGHT, this.#options.pageHeight()][event.deltaMode] ?? 1;
    const deltas = { deltaX: event.deltaX * unit, deltaY: event.deltaY * unit };
    const wheel = { type: 'mouseWheel' as const, ...point, ...deltas, modifiers: modifierBits(event) };
    this.#out.offer({ type: 'mouse', event: wheel });
    return true;
  }

  /** Answers false for what is no touch of the page. */
  touchStart(event: TouchLike): boolean {
    const point = this.#options.locate(event, false);
    if (point === undefined) return false;
    this.#touches.set(event.pointerId, { ...point, id: this.#freeTouchId() });
    this.#out.send(this.#touch('touchStart', event));
    return true;
  }

  touchMove(event: TouchLike): void {
    const touch = this.#touches.get(event.pointerId);
    const point = this.#options.locate(event, true);
    if (touch === undefined || point === undefined) return;
    this.#touches.set(event.pointerId, { ...point, id: touch.id });
    this.#out.offer(this.#touch('touchMove', event));
  }

  touchEnd(event: TouchLike): void {
    if (this.#touches.delete(event.pointerId)) this.#out.send(this.#touch('touchEnd', event));
  }

  /** Releases whatever is down: the pointer is gone. Invariant: nothing stays pressed when a viewer leaves. */
  releaseAll(): void {
    for (const button of this.#pressed.keys()) this.#release(button, this.#last, 0);
    if (this.#touches.size === 0) return;
    this.#touches.clear();
    this.#out.send({ type: 'touch', event: { type: 'touchCancel', touches: [] } });
  }

  /** Forgets what is down without a word: the page is no longer this viewer's. */
  forget(): void {
    this.#pressed.clear();
    this.#touches.clear();
    this.#out.drop();
  }

  #release(button: Button, point: Point, modifiers: number): void {
    const clickCount = this.#pressed.get(button);
    if (clickCount === undefined) return;
    this.#pressed.delete(button);
    this.#mouse({ type: 'mouseReleased', ...point, button, clickCount, modifiers });
  }

  #mouse(event: MouseEventOut): void {
    this.#last = { x: event.x, y: event.y };
    this.#out.send({ type: 'mouse', event });
  }

  #touch(type: TouchEventOut['type'], state: ModifierState): ClientMessageInput {
    return { type: 'touch', event: { type, touches: [...this.#touches.values()], modifiers: modifierBits(state) } };
  }

  #freeTouchId(): number {
    const taken = new Set([...this.#touches.values()].map(({ id }) => id));
    return Array.from({ length: taken.size + 1 }, (_, id) => id).find(id => !taken.has(id)) ?? 0;
  }
}

/** The latest of two moves counts; the ways of two wheel turns add up. */
function mergeMoves(waiting: ClientMessageInput, next: ClientMessageInput): ClientMessageInput | undefined {
  if (waiting.type === 'touch' && next.type === 'touch') return next;
  if (!isMouse(waiting) || !isMouse(next) || waiting.event.type !== next.event.type) return undefined;
  if (next.event.type === 'mouseMoved') return next;
  if (waiting.event.modifiers !== next.event.modifiers) return undefined;
  const deltaX = (waiting.event.deltaX ?? 0) + (next.event.deltaX ?? 0);
  const deltaY = (waiting.event.deltaY ?? 0) + (next.event.deltaY ?? 0);
  return { type: 'mouse', event: { ...next.event, deltaX, deltaY } };
}

function isMouse(message: ClientMessageInput): message is { type: 'mouse'; event: MouseEventOut } {
  return message.type === 'mouse' && 'event' in message;
}
