import type { Page } from 'playwright-core';
import type { AskOptions } from './engine.js';
import type { World } from './worlds.js';

const TELL = 'function(doc, question) { return this.browserToolsetEngines.get(doc).tell(question) }';

/**
 * Speaks to the engine of one document with one message of the DevTools protocol (`Runtime.callFunctionOn`): a selector is
 * more than twice as long on its way.
 */
export class EngineLine {
  #isOver = false;

  constructor(
    readonly page: Page,
    readonly world: World,
    readonly doc: string,
  ) {}

  /** The document is gone, or the session: what its frame is asked takes Playwright's way. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * The engine's answer; undefined when the question could not be brought to it.
   * @throws An error named `TimeoutError` when the page does not answer in time, the reason of the signal when that is
   * aborted, and an error with the text of what the engine threw.
   */
  ask(question: string, { timeout, signal }: AskOptions): Promise<string | undefined> {
    const answer = this.#send(question);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.page.off('crash', onCrash);
        signal?.removeEventListener('abort', onAbort);
      };
      const fail = (reason: unknown): void => {
        end();
        reject(reason);
      };
      const onAbort = (): void => fail(signal?.reason);
      // A page that crashes leaves what it was asked this way without an answer.
      const onCrash = (): void => fail(new Error('The page crashed.'));
      const late = (): void => fail(new TimeoutError(`the page did not answer within ${timeout} ms`));
      const timer = setTimeout(late, timeout);
      this.page.on('crash', onCrash);
      answer.then(resolve, reject).finally(end);
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  async #send(question: string): Promise<string | undefined> {
    const { session, uniqueId } = this.world;
    const sent = session.send('Runtime.callFunctionOn', {
      functionDeclaration: TELL,
      arguments: [{ value: this.doc }, { value: question }],
      uniqueContextId: uniqueId,
      returnByValue: true,
      // What the engine does for an agent counts as done by a person, as all that Playwright evaluates.
      userGesture: true,
    });
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

class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}
