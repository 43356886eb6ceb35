import { within } from '../../browser/deadline.js';
import { onEmptyStack } from '../../browser/tab/empty-stack.js';
import { departed } from '../../browser/tab/settle.js';
import type { AimAnswer } from '../../page/answers.js';
import type { RefEntry } from '../../refs/registry.js';
import type { Action } from '../call/action.js';
import type { Attempt } from '../call/attempt.js';
import { rested } from '../call/drawn.js';
import { lookBack } from '../call/look-back.js';
import { changed, movedAway } from './changed.js';

/** A click with nothing held down. */
export interface PlainClick {
  button?: 'left' | 'right' | 'middle';
  clickCount?: number;
}

/** So long a document that is about to go may take until it does, in milliseconds. */
const DEPARTURE = 1_000;
/** A page that takes longer over a click than this, in milliseconds, has it all the same: no other click is made. */
const TAKEN = 1_500;

/**
 * Clicks an element that lies free, in sight and still, without the frames that Playwright waits to see that. Answers
 * false when it does not, or has moved away before the press, which the guard has kept from the page then.
 *
 * Invariant: once the press has reached the page it is not made again.
 */
export async function clickAtOnce(
  action: Action,
  entry: RefEntry,
  { plainClick, aim: { point } }: Attempt<void> & { aim: AimAnswer },
): Promise<boolean> {
  const { frame } = entry.node.document;
  // What is in a frame is pressed through the documents around it.
  if (plainClick === undefined || point === undefined || frame.parentFrame() !== null) return false;
  const began = performance.now();
  const { mouse } = action.tab.page;
  const clicked = onEmptyStack(() => mouse.click(point.x, point.y, plainClick)).then(() => true);
  if (!(await within(TAKEN, clicked))) return true;
  const rest = rested(action);
  // Whoever waits for it gets the error.
  rest.catch(() => undefined);
  const { blocked, missed, leaving } = await lookBack(action);
  if (blocked !== undefined) throw changed(action.session, entry, { now: blocked, was: action.acted?.was });
  if (missed?.begun || missed?.elsewhere || missed?.unclicked) throw movedAway(action.session, entry, missed);
  if (leaving) await departed(action.tab, began, { timeout: DEPARTURE, signal: action.signal });
  if (missed === undefined) action.rest = rest;
  return missed === undefined;
}
