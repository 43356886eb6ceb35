import { isWithin, topmostAt } from './cover.js';
import { describeNow } from './identity.js';
import type { GuardKind, GuardReport } from './protocol.js';

const PRESSES = new Set(['pointerdown', 'mousedown', 'touchstart']);
const REST = ['pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu', 'touchend'];

interface Armed {
  element: Element;
  fingerprint: number;
  kind: GuardKind;
}

/**
 * Watches the moment between the check of an element and the event that lands on it.
 * Invariant: a trusted press reaches the page only while the armed element still says what the agent was told.
 */
export class Guard {
  #armed: Armed | undefined;
  #report: GuardReport = {};
  #listening = false;

  arm(armed: Armed): void {
    this.#armed = armed;
    this.#report = {};
    if (this.#listening) return;
    this.#listening = true;
    for (const type of [...PRESSES, ...REST])
      window.addEventListener(type, this.#check, { capture: true, passive: false });
  }

  /** Says what came of the press, and lets events through again. */
  disarm(): GuardReport {
    const report = this.#report;
    this.#armed = undefined;
    this.#report = {};
    return report;
  }

  #check = (event: Event): void => {
    const armed = this.#armed;
    if (armed === undefined || !event.isTrusted) return;
    if (!this.#isKept) {
      // Once the press has landed on the right element, what it changes is the action's own effect.
      if (!PRESSES.has(event.type)) return;
      const refusal = refusalOf(armed, event);
      if (refusal === undefined) {
        if (event.type === 'mousedown') this.#armed = undefined;
        return;
      }
      this.#report = refusal;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  /** A press was kept from the page: so is what belongs to it. */
  get #isKept(): boolean {
    return this.#report.blocked !== undefined || this.#report.missed !== undefined;
  }
}

function refusalOf({ element, fingerprint, kind }: Armed, event: Event): GuardReport | undefined {
  const now = describeNow(element);
  if (now.fingerprint !== fingerprint) return { blocked: now };
  if (kind === 'same' || !(event instanceof MouseEvent)) return undefined;
  const hit = topmostAt(element, event.clientX, event.clientY);
  return hit !== null && isWithin(hit, element) ? undefined : { missed: true };
}
