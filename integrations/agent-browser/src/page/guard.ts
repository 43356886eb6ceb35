import { isDisabled } from './control.js';
import { isWithin, topmostAt } from './cover.js';
import { isConnected } from './dom.js';
import { describeNow } from './identity.js';
import type { GuardReport, Target } from './protocol.js';
import type { ElementIds } from './refs.js';
import { treeScopeOf } from './tree-scope.js';

const PRESSES = new Set(['pointerdown', 'mousedown', 'touchstart']);
const RELEASES = new Set(['pointerup', 'mouseup', 'touchend']);
const CLICKS = new Set(['click', 'auxclick', 'dblclick', 'contextmenu']);
/** A second press that comes later than this, in milliseconds, belongs to no double click. */
const DOUBLE_CLICK = 500;

interface Armed {
  element: Element;
  target: Target;
}

/**
 * Watches the moment between the check of an element and the event that lands on it, and the one between the press and
 * its release.
 * Invariant: a trusted press or click reaches the page only while the armed element says what the agent was told, or
 * what the press itself made of it.
 */
export class Guard {
  #press: Press | undefined;
  #isListening = false;

  constructor(readonly ids: ElementIds) {}

  arm(armed: Armed): void {
    this.#press = new Press(armed, this.ids);
    if (this.#isListening) return;
    this.#isListening = true;
    for (const type of [...PRESSES, ...RELEASES, ...CLICKS])
      window.addEventListener(type, this.#check, { capture: true, passive: false });
  }

  /** Says what came of the press, and lets events through again. */
  disarm(): GuardReport {
    const report = this.#press?.report ?? {};
    this.#press = undefined;
    return report;
  }

  #check = (event: Event): void => {
    if (!event.isTrusted || this.#press === undefined || this.#press.allows(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
}

/** The element as the press left it. */
interface Pressed {
  fingerprint: number;
  /** It is there, can be clicked, and lies under the mouse. */
  isHit: boolean;
}

/** One press of an element, from the moment it may come. */
class Press {
  readonly report: GuardReport = {};
  readonly #armed: Armed;
  readonly #ids: ElementIds;
  #pressed: Pressed | undefined;
  /** When the press reached the page. */
  #landedAt: number | undefined;
  #isReleased = false;

  constructor(armed: Armed, ids: ElementIds) {
    this.#armed = armed;
    this.#ids = ids;
  }

  allows(event: Event): boolean {
    const { report } = this;
    if (this.#landedAt === undefined) return this.#allowsPress(event);
    if (PRESSES.has(event.type)) return this.#allowsAnother(event);
    if (RELEASES.has(event.type)) this.#judge(event);
    return !CLICKS.has(event.type) || (report.blocked === undefined && report.missed === undefined);
  }

  /** A press that was kept from the page takes with it what belongs to it. */
  #allowsPress(event: Event): boolean {
    const { report } = this;
    if (report.blocked !== undefined || report.missed !== undefined) return false;
    // The rest belongs to what came before.
    if (!PRESSES.has(event.type)) return true;
    const { element, target } = this.#armed;
    const now = this.#ids.changeOf(element, target);
    if (now !== undefined) report.blocked = now;
    else if (!isAt(element, event)) report.missed = true;
    else {
      if (event.type === 'mousedown') this.#land(event);
      return true;
    }
    return false;
  }

  /** The second press of a double click: what the first one made of the element is no matter. */
  #allowsAnother(event: Event): boolean {
    const isLater = event.timeStamp - (this.#landedAt ?? 0) > DOUBLE_CLICK;
    if (!this.#isReleased || isLater || isAt(this.#armed.element, event)) return true;
    this.report.missed = true;
    return false;
  }

  /** What the handlers of the press make of the element is the action's own effect: it is noted when they are done. */
  #land(event: Event): void {
    this.#landedAt = event.timeStamp;
    const note = (): void => {
      this.#pressed ??= this.#stateAt(event);
    };
    void scheduler.postTask(note, { priority: 'user-blocking' });
  }

  /** Decides, at the first event of the release, about the click that it makes. */
  #judge(event: Event): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    const before = this.#pressed;
    this.#pressed ??= { fingerprint: 0, isHit: false };
    // A release right behind its press leaves no time for anything but the press to change the element.
    if (before === undefined || !before.isHit) return;
    const { element, target } = this.#armed;
    const now = describeNow(element);
    if (!isAt(element, event)) this.report.missed = true;
    else if (now.fingerprint !== before.fingerprint) {
      const change = this.#ids.changeOf(element, target);
      if (change !== undefined) this.report.blocked = change;
    }
  }

  #stateAt(event: Event): Pressed {
    const { element } = this.#armed;
    return { fingerprint: describeNow(element).fingerprint, isHit: isUnder(element, event) && !isDisabled(element) };
  }
}

/** Whether an event goes to the element or to something in it. */
function isAt(element: Element, event: Event): boolean {
  const path = event.composedPath();
  if (path.includes(element)) return true;
  // What is in a closed shadow tree stands in no path that others can see, but its host does.
  const host = closedHostOf(element);
  return host !== undefined && path.includes(host) && isUnder(element, event);
}

/** The outermost host of a closed shadow tree around an element. */
function closedHostOf(element: Element): Element | undefined {
  let host: Element | undefined;
  for (let scope = treeScopeOf(element); scope instanceof ShadowRoot; scope = treeScopeOf(scope.host)) {
    if (scope.mode === 'closed') host = scope.host;
  }
  return host;
}

/** Whether the element lies on top where the mouse is. */
function isUnder(element: Element, event: Event): boolean {
  if (!(event instanceof MouseEvent) || !isConnected(element)) return false;
  const hit = topmostAt(element, event.clientX, event.clientY);
  return hit !== null && isWithin(hit, element);
}
