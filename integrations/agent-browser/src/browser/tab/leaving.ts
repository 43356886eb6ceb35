import type { Dialog } from 'playwright-core';
import type { EffectsLog } from '../../outcome/effects-log.js';

/** So many dialogs of a page that is left are dismissed: one that opens more is not waited for. */
const MOST_DIALOGS = 3;

/** Chromium's error when the next page has come, which it asks for the answer, and which waits for this one to go. */
const ASKS_NEXT = 'Not attached to an active page';
/** Milliseconds in which a page that waits for nothing takes the place of the one before. */
const NEXT_TIME = 1_000;

/** The page does not let go. */
export class HeldOn extends Error {}

/** How the dialogs of a page are answered while its tab goes elsewhere, until another document is there. */
export class Leaving {
  /** Rejects when the page does not let go. */
  readonly held: Promise<never>;
  #reject!: (reason: HeldOn) => void;
  #state: 'asked' | 'left' | 'held' = 'asked';
  #dismissed = 0;

  constructor(readonly effects: EffectsLog) {
    this.held = new Promise((_, reject) => {
      this.#reject = reject;
    });
    // Only whoever goes elsewhere wants to know.
    this.held.catch(() => undefined);
  }

  /** Of a page that is put aside before anybody has asked it to go. */
  static aside(effects: EffectsLog): Leaving {
    const leaving = new Leaving(effects);
    leaving.#giveUp();
    return leaving;
  }

  /** Who goes elsewhere means it: a page that asks whether to leave is left, and what else it asks is dismissed. */
  async answer(dialog: Dialog): Promise<void> {
    // A page that is put aside tells nobody anything.
    if (this.#state === 'held') return;
    const type = dialog.type();
    const isLeave = type === 'beforeunload';
    if (!isLeave && this.#dismissed === MOST_DIALOGS) return this.#giveUp();
    if (!isLeave) this.#dismissed++;
    this.effects.dialog({ type, message: dialog.message(), answered: isLeave ? 'accepted' : 'dismissed' });
    try {
      await (isLeave ? dialog.accept() : dialog.dismiss());
    } catch (error) {
      // Else it is gone, with its page or because of another answer.
      if (!String(error).includes(ASKS_NEXT)) return;
      setTimeout(() => this.#giveUp(), NEXT_TIME);
    }
  }

  /** The page is there still, although the way elsewhere is over: one that has opened dialogs does not let go. */
  stayed(): void {
    if (this.#dismissed > 0) this.#giveUp();
  }

  /** Another document is there. Returns whether that is where the tab goes on: a page that did not let go is put aside. */
  end(): boolean {
    if (this.#state === 'asked') this.#state = 'left';
    return this.#state === 'left';
  }

  #giveUp(): void {
    if (this.#state !== 'asked') return;
    this.#state = 'held';
    this.#reject(new HeldOn());
  }
}
