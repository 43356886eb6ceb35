import {
  type KeyboardEventInput,
  keyDefinition,
  type MouseEventInput,
  mouseInside,
  OUTSIDE_VIEWPORT,
  touchInside,
} from '@browser-toolset/core';
import type { ClientMessage, LiveViewport } from '@browser-toolset/core/protocol';
import { InputLane } from './input-lane.js';
import type { Log } from './limited-log.js';
import { type LiveThread, nameOf } from './live-browser.js';
import { inject, type LiveInput, takesInput } from './live-input.js';
import type { Metrics } from './metrics.js';

const SHIFT = 8;

/**
 * A keyboard event with what a client may leave out. The virtual key code names the key, never its character (with the
 * character's, `.` deletes), and a key down of Enter types `\r`, else it submits no form.
 */
function withKeyDetails(event: KeyboardEventInput): KeyboardEventInput {
  const { type, key, code, text } = event;
  const definition = (key && keyDefinition(key)) || (code && keyDefinition(code)) || undefined;
  const virtualKey = event.windowsVirtualKeyCode ?? (type === 'char' ? undefined : definition?.windowsVirtualKeyCode);
  const isEnter = type === 'keyDown' && key === 'Enter' && ((event.modifiers ?? 0) & ~SHIFT) === 0;
  return {
    ...event,
    ...(virtualKey !== undefined && { windowsVirtualKeyCode: virtualKey }),
    ...(isEnter && !text && { text: '\r' }),
  };
}

type Button = 'left' | 'right' | 'middle';

/** More keys than anybody holds down: somebody only sends presses. */
const MOST_KEYS = 64;

/** The keys and buttons that one viewer holds down. */
class Pressed {
  readonly #buttons = new Set<Button>();
  readonly #keys = new Map<string, KeyboardEventInput>();
  #isTouching = false;

  /** The button that was pressed last and is still down. */
  get button(): Button | undefined {
    return [...this.#buttons].at(-1);
  }

  get isAnything(): boolean {
    return this.#buttons.size > 0 || this.#keys.size > 0 || this.#isTouching;
  }

  note(input: LiveInput): void {
    if (input.kind === 'mouse') this.#noteButton(input.event);
    else if (input.kind === 'keyboard') this.#noteKey(input.event);
    else if (input.kind === 'touch') this.#isTouching = input.event.touches.length > 0;
  }

  /** Takes out what is down, as the events that release it. */
  release(): LiveInput[] {
    const buttons = [...this.#buttons].map(
      button =>
        ({ kind: 'mouse', event: { type: 'mouseReleased', ...OUTSIDE_VIEWPORT, button, clickCount: 1 } }) as const,
    );
    const keys = [...this.#keys.values()].map(event => ({ kind: 'keyboard', event }) as const);
    const touch = this.#isTouching ? [{ kind: 'touch', event: { type: 'touchCancel', touches: [] } } as const] : [];
    this.#buttons.clear();
    this.#keys.clear();
    this.#isTouching = false;
    return [...buttons, ...keys, ...touch];
  }

  #noteButton({ type, button = 'left' }: MouseEventInput): void {
    if (button === 'none') return;
    if (type === 'mouseReleased') this.#buttons.delete(button);
    if (type === 'mousePressed') this.#buttons.add(button);
  }

  #noteKey({ type, key, code, windowsVirtualKeyCode }: KeyboardEventInput): void {
    const name = code || key;
    if (name === undefined || type === 'char') return;
    if (type === 'keyUp') this.#keys.delete(name);
    else if (this.#keys.size < MOST_KEYS) {
      const up = { type: 'keyUp' as const, ...(key && { key }), ...(code && { code }) };
      this.#keys.set(name, { ...up, ...(windowsVirtualKeyCode !== undefined && { windowsVirtualKeyCode }) });
    }
  }
}

export type InputMessage = Extract<ClientMessage, { type: LiveInput['kind'] }>;

interface InputGateOptions {
  thread: LiveThread;
  metrics: Metrics;
  log: Log;
  /** The lane to the browser has become full, or no longer is. */
  onFull(isFull: boolean): void;
}

/**
 * Everything that one viewer does to a page goes through here. Who may is decided before; this sees to it that what
 * reaches the browser is in order and does no harm, and that nothing stays pressed.
 */
export class InputGate {
  readonly #options: InputGateOptions;
  readonly #pressed = new Pressed();
  readonly #lane: InputLane;

  constructor(options: InputGateOptions) {
    const { thread, metrics, log } = options;
    this.#options = options;
    this.#lane = new InputLane({
      inject: input => inject(thread, input),
      onReplaced: () => {
        metrics.replacedMoves += 1;
      },
      onFailed: (input, error) => {
        metrics.failedInput += 1;
        log('input', `${nameOf(thread)} did not take ${input.kind} input: ${String(error)}`);
      },
      onFull: options.onFull,
    });
  }

  /** Brings an input to a browser that shows a viewport. Answers false for one that this browser cannot take. */
  pass(message: InputMessage, viewport: LiveViewport): boolean {
    const input = this.#prepare(message, viewport);
    if (!takesInput(this.#options.thread, input)) return false;
    this.#pressed.note(input);
    this.#lane.push(input);
    return true;
  }

  /** Releases everything that is pressed: the viewer has left, or has lost control. */
  release(): void {
    this.#lane.clear();
    if (!this.#pressed.isAnything) return;
    const { thread, log } = this.#options;
    const releases = this.#pressed.release();
    if (!thread.source.isBrowserRunning(thread.threadId)) return;
    if (thread.source.releaseInput === undefined) {
      for (const input of releases) if (takesInput(thread, input)) this.#lane.push(input);
      return;
    }
    thread.source.releaseInput(thread.threadId).catch((error: unknown) => {
      log('input', `${nameOf(thread)} did not release its input: ${String(error)}`);
    });
  }

  #prepare(message: InputMessage, viewport: LiveViewport): LiveInput {
    switch (message.type) {
      case 'mouse': {
        const event = mouseInside(message.event, viewport);
        const held = event.type === 'mouseMoved' && (event.button ?? 'none') === 'none' && this.#pressed.button;
        // A move without its button drags nothing.
        return { kind: 'mouse', event: held ? { ...event, button: held } : event };
      }
      case 'keyboard':
        return { kind: 'keyboard', event: withKeyDetails(message.event) };
      case 'touch':
        return { kind: 'touch', event: touchInside(message.event, viewport) };
      case 'text':
        return { kind: 'text', text: message.text };
    }
  }
}
