import { ToolError } from '../outcome/errors.js';
import type { Action } from './action.js';

/**
 * Ends the wait for mouse and keyboard when the time of the action is over: Playwright waits without end until the page
 * has taken an event. `extra` milliseconds are added where there is much to do.
 */
export function inTime<T>(action: Action, work: Promise<T>, extra = 0): Promise<T> {
  const milliseconds = action.timeout + extra;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new ToolError('timeout', `The page did not take the input within ${milliseconds} ms.`)),
      milliseconds,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
