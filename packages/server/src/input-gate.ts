import { mouseInside, touchInside } from '@browser-toolset/core';
import type { ClientMessage, LiveViewport } from '@browser-toolset/core/protocol';
import { InputLane } from './input-lane.js';
import type { Log } from './limited-log.js';
import { type LiveThread, nameOf } from './live-browser.js';
import { inject, type LiveInput, takesInput } from './live-input.js';
import type { Metrics } from './metrics.js';
import { withKeyDetails } from './plain-keys.js';
import { Pressed } from './pressed.js';

export type InputMessage = Extract<ClientMessage, { type: LiveInput['kind'] }>;

export interface InputGateOptions {
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
