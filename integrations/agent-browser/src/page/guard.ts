import { describeNow } from './identity.js';
import type { ElementNow, GuardReport } from './protocol.js';

const EVENTS = [
  'pointerdown',
  'mousedown',
  'pointerup',
  'mouseup',
  'click',
  'auxclick',
  'dblclick',
  'contextmenu',
  'touchstart',
  'touchend',
];

/**
 * Watches the moment between the check of an element and the event that lands on it.
 * Invariant: a trusted press reaches the page only while the armed element still says what the agent was told.
 */
export class Guard {
  #armed: { element: Element; fingerprint: number } | undefined;
  #blocked: ElementNow | undefined;
  #listening = false;

  arm(element: Element, fingerprint: number): void {
    this.#armed = { element, fingerprint };
    this.#blocked = undefined;
    if (this.#listening) return;
    this.#listening = true;
    for (const type of EVENTS) window.addEventListener(type, this.#check, { capture: true, passive: false });
  }

  /** Says whether an event was kept from the page, and lets events through again. */
  disarm(): GuardReport {
    const blocked = this.#blocked;
    this.#armed = undefined;
    this.#blocked = undefined;
    return blocked === undefined ? {} : { blocked };
  }

  #check = (event: Event): void => {
    const armed = this.#armed;
    if (armed === undefined || !event.isTrusted) return;
    if (this.#blocked === undefined) {
      // Once the press has landed on the right element, what it changes is the action's own effect.
      if (event.type !== 'pointerdown' && event.type !== 'mousedown' && event.type !== 'touchstart') return;
      const now = describeNow(armed.element);
      if (now.fingerprint === armed.fingerprint) {
        if (event.type === 'mousedown') this.#armed = undefined;
        return;
      }
      this.#blocked = now;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  };
}
