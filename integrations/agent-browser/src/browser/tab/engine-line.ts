import { unlessAborted } from '@browser-toolset/core/waiting';
import type { CDPSession, Page } from 'playwright-core';

/** One of Playwright's isolated worlds, as the DevTools protocol names it (`Runtime.ExecutionContextDescription`). */
export interface ExecutionWorld {
  session: CDPSession;
  id: number;
  uniqueId: string;
  name: string;
  /** The frame whose document it belongs to. */
  frameId: string | undefined;
}

/** The engine of a document, by the name that it gave the document. */
export interface KnownEngine {
  world: ExecutionWorld;
  doc: string;
}

/** Options of a question to the engine in a page. */
export interface AskOptions {
  /** Milliseconds until the page counts as not answering. */
  timeout: number;
  signal?: AbortSignal;
}

/**
 * Does something with nothing beneath it on the stack. Playwright writes out the stack of whoever calls it, fifty frames
 * deep and with those that wait. In a process where something else writes stacks (`source-map-support`, which many
 * libraries install), that takes more time than the rest of a call's way to Chromium.
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

/** The result of work on a page; rejects when the page crashes, for then the DevTools protocol never answers. */
export function unlessCrashed<T>(page: Page, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onCrash = (): void => reject(new Error('The page crashed.'));
    page.on('crash', onCrash);
    work.then(resolve, reject).finally(() => page.off('crash', onCrash));
  });
}

const TELL = 'function(doc, question) { return this.browserToolsetEngines.get(doc).tell(question) }';
/** Work that waits for the first of these frames is done when the second one begins. */
const DRAW =
  'function() { return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(""))) ) }';
/**
 * Work that was put off for a moment, or until the next frame, is done when the page has nothing left to do after that.
 */
const REST = `function() {
  return new Promise(done => requestAnimationFrame(() => requestIdleCallback(() => done(""), { timeout: 50 })));
}`;

const STIR = 'function(doc, time) { return this.browserToolsetEngines.get(doc).stirred(Number(time)) }';

const FADE = 'function(doc, time) { return this.browserToolsetEngines.get(doc).faded(Number(time)).then(() => "") }';

interface LineOptions extends AskOptions {
  /** The engine's actions count as a person's. */
  userGesture?: boolean;
}

/**
 * Speaks to the engine of one document with one message of the DevTools protocol (`Runtime.callFunctionOn`): a selector is
 * more than twice as long on its way.
 */
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

  /** The document is gone, or the session: what its frame is asked takes Playwright's way. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * The engine's answer; undefined when the question could not be brought to it.
   * @throws An error named `TimeoutError` when the page does not answer in time, the reason of the signal when that is
   * aborted, and an error with the text of what the engine threw.
   */
  async ask(question: string, { userGesture = false, ...options }: LineOptions): Promise<string | undefined> {
    return this.#answered(this.#send(TELL, [this.doc, question], { userGesture }), options);
  }

  /**
   * Resolves when the document has drawn itself anew, or is gone.
   * @throws As {@link ask}.
   */
  async drawn(options: AskOptions): Promise<void> {
    await this.#answered(this.#send(DRAW, [], { awaitPromise: true }), options);
  }

  /**
   * Resolves when the document has done what it had put off until its next frame, or is gone.
   * @throws As {@link ask}.
   */
  async rested(options: AskOptions): Promise<void> {
    await this.#answered(this.#send(REST, [], { awaitPromise: true }), options);
  }

  /**
   * Resolves when the document does something, or to `quiet` after so many milliseconds; to undefined when it is gone.
   * @throws As {@link ask}.
   */
  async stirred(milliseconds: number, options: AskOptions): Promise<string | undefined> {
    return this.#answered(this.#send(STIR, [this.doc, String(milliseconds)], { awaitPromise: true }), options);
  }

  /**
   * Resolves when what comes or goes in the document by an animation has done so, or after so many milliseconds.
   * @throws As {@link ask}.
   */
  async faded(milliseconds: number, options: AskOptions): Promise<void> {
    await this.#answered(this.#send(FADE, [this.doc, String(milliseconds)], { awaitPromise: true }), options);
  }

  #answered(sent: Promise<string | undefined>, { timeout, signal }: AskOptions): Promise<string | undefined> {
    const answer = unlessAborted(unlessCrashed(this.page, sent), signal);
    return new Promise((resolve, reject) => {
      const late = () => reject(new TimeoutError(`the page did not respond within ${timeout} ms`));
      const timer = setTimeout(late, timeout);
      answer.then(resolve, reject).finally(() => clearTimeout(timer));
    });
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

/** What Playwright's errors are named when the time is over. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}
