import type { GuardReport } from '../protocol.js';

/** Watches the events of one action. */
export interface Watch {
  readonly report: GuardReport;
  /** Whether an event may reach the page. */
  allows(event: Event): boolean;
  /** Nothing more will come: judges by what has. */
  end?(): void;
  /** Lets go of what it listens to: nobody asks for its report any more. */
  drop?(): void;
}

/** The watched events: the parts of a press, of its release and of its click, and input of text. */
const WATCHED = [
  ...['pointerdown', 'mousedown', 'touchstart', 'pointerup', 'mouseup', 'touchend'],
  ...['click', 'auxclick', 'dblclick', 'contextmenu', 'keydown', 'beforeinput', 'input', 'change'],
];
/** A watch ends by itself after so many milliseconds: nobody asked what came of it, and people use the page as well. */
const LONGEST_WATCH = 60_000;

/**
 * Stands between the events of an action and the page, for the moment between the check of an element and the event
 * that lands on it. An event that a watch does not allow never reaches the page.
 */
export class Guard {
  #watch: Watch | undefined;
  #armedAt = 0;

  arm(watch: Watch): void {
    this.#watch?.drop?.();
    this.#watch = watch;
    this.#armedAt = performance.now();
    // Once is enough, but `document.open()` removes the listeners of a document (HTML, section 8.4.1).
    for (const type of WATCHED) window.addEventListener(type, this.#check, { capture: true, passive: false });
  }

  /** The outcome of the action so far. */
  get report(): GuardReport {
    return this.#watch?.report ?? {};
  }

  /** Says what came of the action, and lets events through again. */
  disarm(): GuardReport {
    this.#watch?.end?.();
    const { report } = this;
    this.#watch = undefined;
    return report;
  }

  #check = (event: Event): void => {
    if (this.#watch === undefined || this.#watch.allows(event)) return;
    if (performance.now() - this.#armedAt > LONGEST_WATCH) {
      this.#watch.drop?.();
      this.#watch = undefined;
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  };
}
