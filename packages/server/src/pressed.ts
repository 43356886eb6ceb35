import { type KeyboardEventInput, type MouseEventInput, OUTSIDE_VIEWPORT } from '@browser-toolset/core';
import type { LiveInput } from './live-input.js';

type Button = 'left' | 'right' | 'middle';

/** More keys than anybody holds down: somebody only sends presses. */
const MOST_KEYS = 64;

/** The keys and buttons that one viewer holds down. */
export class Pressed {
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
