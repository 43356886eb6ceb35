import { ToolError } from '../../outcome/errors.js';
import type { Action } from '../call/action.js';

/** Up to so many clicks are one: a person's double or triple click. */
export const MOST_AT_ONCE = 3;

/**
 * Makes single clicks one after another. `facts.clicks` says how many; an error of one of them, how many came before it. A
 * dialog ends them: who answers it has not asked for more.
 */
export async function clickRepeatedly(action: Action, times: number, click: () => Promise<unknown>): Promise<void> {
  const { facts, session, tab } = action;
  let isOver = false;
  const stop = session.events.on('dialog', () => {
    isOver = true;
  });
  try {
    for (let made = 0; made < times && !isOver && !tab.page.isClosed(); made++) {
      facts.clicks = made + 1;
      await click().catch(error => {
        facts.clicks = made;
        throw withCount(error, `${made} of ${times} clicks were made before that.`);
      });
    }
  } finally {
    stop();
  }
}

function withCount(error: unknown, count: string): unknown {
  if (!(error instanceof ToolError)) return error;
  const { code, message, recoveryHint: hint, cause } = error;
  return new ToolError(code, `${message} ${count}`, { hint, cause });
}
