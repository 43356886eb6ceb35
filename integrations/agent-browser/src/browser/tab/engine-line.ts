import { inTime, unlessAborted } from '@browser-toolset/core/waiting';
import type { CDPSession, Page } from 'playwright-core';
import type { PageWait } from '#page-engine/capture/changes.js';

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

const ANSWER = 'function(doc, question) { return this.browserToolsetEngines.get(doc).answer(question) }';
const WAIT = 'function(doc, what) { return this.browserToolsetEngines.get(doc).wait(JSON.parse(what)) }';

interface LineOptions extends AskOptions {
  /** Gives the engine's actions user activation. */
  userGesture?: boolean;
}

/** A direct connection to a document's engine (`Runtime.callFunctionOn`): less than half of a selector's time. */
export class EngineLine implements KnownEngine {
  /** The document or the CDP session is gone; calls to the frame must go through Playwright. */
  isOver = false;
  readonly world: ExecutionWorld;
  readonly doc: string;

  constructor(
    readonly page: Page,
    { world, doc }: KnownEngine,
  ) {
    this.world = world;
    this.doc = doc;
  }

  /**
   * Calls the engine; resolves to undefined when the call could not be delivered.
   * @throws An error named `TimeoutError` when the page does not answer in time, the signal's reason when it is
   * aborted, and an error with the message of the engine's exception.
   */
  async ask(question: string, { userGesture = false, ...options }: LineOptions): Promise<string | undefined> {
    return this.#answered(this.#send(ANSWER, [this.doc, question], { userGesture }), options);
  }

  /** Resolves to how a wait has ended, or to undefined when the document is gone. Rejects as {@link ask} does. */
  async wait(what: PageWait, options: AskOptions): Promise<string | undefined> {
    return this.#answered(this.#send(WAIT, [this.doc, JSON.stringify(what)], { awaitPromise: true }), options);
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
      this.isOver = true;
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
