import { inTime, unlessAborted } from '@browser-toolset/core/waiting';
import type { CDPSession, Page } from 'playwright-core';

/** One of Playwright's isolated worlds (CDP `Runtime.ExecutionContextDescription`). */
export interface ExecutionWorld {
  session: CDPSession;
  id: number;
  uniqueId: string;
  name: string;
  frameId: string | undefined;
}

/** The engine of a document, and the id that it gave the document. */
export interface KnownEngine {
  world: ExecutionWorld;
  doc: string;
}

export interface AskOptions {
  /** Milliseconds until the page counts as unresponsive. */
  timeout: number;
  signal?: AbortSignal;
}

/**
 * Runs a task on an empty call stack. Playwright captures its caller's stack, fifty frames deep and with async parents;
 * where stack traces are rewritten (`source-map-support`, which many libraries install), that takes longer than the
 * rest of a call to Chromium.
 */
export function onEmptyStack<T>(act: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    queueMicrotask(async () => {
      try {
        resolve(await act());
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** Rejects when the page crashes, since CDP then never answers. */
export function unlessCrashed<T>(page: Page, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onCrash = (): void => reject(new Error('The page crashed.'));
    page.on('crash', onCrash);
    work.then(resolve, reject).finally(() => page.off('crash', onCrash));
  });
}

const TELL = 'function(doc, question) { return this.browserToolsetEngines.get(doc).tell(question) }';
/** Work scheduled for the first of these frames is done when the second one begins. */
const DRAW =
  'function() { return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(""))) ) }';
/** Work deferred by a timer or to the next frame is done when the page is idle after that frame. */
const REST = `function() {
  return new Promise(done => requestAnimationFrame(() => requestIdleCallback(() => done(""), { timeout: 50 })));
}`;

const STIR =
  'function(doc, time, fading) { return this.browserToolsetEngines.get(doc).stirred(Number(time), Number(fading)) }';

const FADE = 'function(doc, time) { return this.browserToolsetEngines.get(doc).faded(Number(time)).then(() => "") }';

const STILL = 'function(doc, time) { return this.browserToolsetEngines.get(doc).still(Number(time)).then(() => "") }';

/** Milliseconds to wait for activity, and then for enter and exit animations to end. */
export interface StirringTimes {
  milliseconds: number;
  fading: number;
}

interface LineOptions extends AskOptions {
  /** Gives the engine's actions user activation. */
  userGesture?: boolean;
}

/** A direct connection to a document's engine (`Runtime.callFunctionOn`): less than half of a selector's time. */
export class EngineLine implements KnownEngine {
  #isOver = false;
  readonly world: ExecutionWorld;
  readonly doc: string;

  constructor(
    readonly page: Page,
    { world, doc }: KnownEngine,
  ) {
    this.world = world;
    this.doc = doc;
  }

  /** The document or the CDP session is gone; calls to the frame must go through Playwright. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Calls the engine; resolves to undefined when the call could not be delivered.
   * @throws An error named `TimeoutError` when the page does not answer in time, the signal's reason when it is
   * aborted, and an error with the message of the engine's exception.
   */
  async ask(question: string, { userGesture = false, ...options }: LineOptions): Promise<string | undefined> {
    return this.#answered(this.#send(TELL, [this.doc, question], { userGesture }), options);
  }

  /** Resolves when the document has rendered a frame or is gone. Rejects as {@link ask} does. */
  async drawn(options: AskOptions): Promise<void> {
    await this.#answered(this.#send(DRAW, [], { awaitPromise: true }), options);
  }

  /** Resolves when work deferred to the next frame is done, or the document is gone. Rejects as {@link ask} does. */
  async rested(options: AskOptions): Promise<void> {
    await this.#answered(this.#send(REST, [], { awaitPromise: true }), options);
  }

  /**
   * Resolves at the document's next activity and the end of its fades, to `quiet` after `milliseconds`, or to undefined
   * when it is gone.
   */
  async stirred({ milliseconds, fading }: StirringTimes, options: AskOptions): Promise<string | undefined> {
    const sent = this.#send(STIR, [this.doc, String(milliseconds), String(fading)], { awaitPromise: true });
    return this.#answered(sent, options);
  }

  /** Resolves when enter and exit animations have ended, or after `milliseconds`. Rejects as {@link ask} does. */
  async faded(milliseconds: number, options: AskOptions): Promise<void> {
    await this.#answered(this.#send(FADE, [this.doc, String(milliseconds)], { awaitPromise: true }), options);
  }

  /** Resolves when nothing moves any more, or after `milliseconds`. Rejects as {@link ask} does. */
  async still(milliseconds: number, options: AskOptions): Promise<void> {
    await this.#answered(this.#send(STILL, [this.doc, String(milliseconds)], { awaitPromise: true }), options);
  }

  #answered(sent: Promise<string | undefined>, { timeout, signal }: AskOptions): Promise<string | undefined> {
    const answer = unlessAborted(unlessCrashed(this.page, sent), signal);
    return inTime(timeout, answer, () => new TimeoutError(`the page did not respond within ${timeout} ms`));
  }

  async #send(
    functionDeclaration: string,
    values: readonly string[],
    how: { awaitPromise: true } | { userGesture: boolean },
  ): Promise<string | undefined> {
    const { session, uniqueId } = this.world;
    const call = {
      functionDeclaration,
      arguments: values.map(value => ({ value })),
      uniqueContextId: uniqueId,
      returnByValue: true,
      ...how,
    };
    const sent = onEmptyStack(() => session.send('Runtime.callFunctionOn', call));
    const answer = await sent.catch(() => undefined);
    if (answer === undefined) {
      this.#isOver = true;
      return undefined;
    }
    const { result, exceptionDetails } = answer;
    if (exceptionDetails === undefined) return result.value as string;
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  }
}

/** Has the name of Playwright's timeout errors. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}
