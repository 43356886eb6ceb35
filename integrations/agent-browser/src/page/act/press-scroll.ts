import type { PressedAt } from '../answers.js';
import { scrollerOf, scrollState } from '../walk/scroll.js';

/** Remembers where the page stood when it was pressed: what scrolls it from there on is the page, not who brought the element into view. */
export class PressScroll {
  #turn = 0;
  #isAwaited = false;
  #pressed: PressedAt | undefined;

  constructor() {
    window.addEventListener(
      'pointerdown',
      ({ isTrusted }) => {
        if (!isTrusted || !this.#isAwaited) return;
        this.#isAwaited = false;
        this.#pressed = { turn: this.#turn, top: scrollState(scrollerOf(undefined, 0, 1)).top };
      },
      { capture: true, passive: true },
    );
  }

  /** An element is about to be pressed. Frames scroll by themselves and nobody is told. */
  begin(): void {
    this.#turn++;
    this.#pressed = undefined;
    this.#isAwaited = window === window.top;
  }

  get pressed(): PressedAt | undefined {
    return this.#pressed;
  }
}
