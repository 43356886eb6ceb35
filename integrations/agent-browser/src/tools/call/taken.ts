import { inTime } from '@browser-toolset/core/waiting';
import { ToolError } from '../../outcome/errors.js';
import type { Action } from './action.js';

/**
 * Ends the wait for what Playwright waits for without end, such as that the page takes an event of mouse or keyboard,
 * when the time of the action is over. `extra` milliseconds are added where there is much to do; `late` says what did
 * not happen then.
 */
export function taken<T>(
  action: Action,
  work: Promise<T>,
  { extra = 0, late = 'The page did not take the input' }: { extra?: number; late?: string } = {},
): Promise<T> {
  const milliseconds = action.timeout + extra;
  return inTime(milliseconds, work, () => new ToolError('timeout', `${late} within ${milliseconds} ms.`));
}
