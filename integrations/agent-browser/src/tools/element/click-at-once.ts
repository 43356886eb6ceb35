import { within } from '@browser-toolset/core/waiting';
import { onEmptyStack } from '../../browser/tab/empty-stack.js';
import { departed } from '../../browser/tab/settle.js';
import type { AimAnswer } from '../../page/answers.js';
import type { GuardReport, Missed } from '../../page/protocol.js';
import type { RefEntry } from '../../refs/ref-entry.js';
import { type Action, framesAround } from '../call/action.js';
import { lookBack, rested } from '../call/page-waits.js';
import { changed, movedAway } from './changed.js';
import { outerPoint } from './outer-point.js';
import type { Point } from './point.js';

/** How an element is clicked. */
export interface ClickManner {
  button?: 'left' | 'right' | 'middle';
  clickCount?: number;
  modifiers?: ('Alt' | 'Control' | 'ControlOrMeta' | 'Meta' | 'Shift')[];
}

/** So long a document that is about to go may take until it does, in milliseconds. */
const DEPARTURE = 1_000;
/** A page that takes longer over a click than this, in milliseconds, has it all the same: no other click is made. */
const TAKEN = 1_500;

/**
 * Clicks an element that lies free, in sight and still, without the frames that Playwright waits to see that. Answers
 * false when it does not, or has moved away before the press, which the guard has kept from the page then, and `unheard`
 * when the press came nowhere, for another page stood in front.
 *
 * Invariant: once the press has reached the page it is not made again.
 */
export async function clickAtOnce(
  action: Action,
  entry: RefEntry,
  { click, aim }: { click?: ClickManner; aim: AimAnswer },
): Promise<boolean | 'unheard'> {
  if (click === undefined || aim.point === undefined) return false;
  const point = await pointInPage(action, entry, { aim: aim.point, click });
  if (point === undefined) return false;
  const began = performance.now();
  const clicked = onEmptyStack(() => mouseClick(action, point, click)).then(() => true);
  if (!(await within(TAKEN, clicked))) {
    if (!action.wasIntrudedOn) return true;
    // Chromium holds the rest of it back until the page is in front.
    await within(TAKEN, action.tab.page.bringToFront());
    if (!(await within(TAKEN, clicked))) return true;
  }
  const rest = rested(action);
  // Whoever waits for it gets the error.
  rest.catch(() => undefined);
  const report = await lookBack(action);
  const { landed, blocked, missed = await keptAround(action, entry, landed), leaving } = report;
  if (blocked !== undefined) throw changed(action.session, entry, { now: blocked, was: action.acted?.was });
  if (missed?.begun || missed?.elsewhere || missed?.unclicked) throw movedAway(action.session, entry, missed);
  const isUnheard = report.acted !== undefined && !landed && missed === undefined;
  if (isUnheard) {
    // Playwright tells of a page later than Chromium shows it.
    await action.session.popups?.arrived(action.limits);
    if (action.wasIntrudedOn) return 'unheard';
  }
  if (leaving) await departed(action.tab, began, { timeout: DEPARTURE, signal: action.signal });
  if (missed === undefined) action.rest = rest;
  return missed === undefined;
}

/** The press of a cover over the element's frame: the documents around keep presses for the frame. */
async function keptAround(
  action: Action,
  { node }: RefEntry,
  landed: boolean | undefined,
): Promise<Missed | undefined> {
  if (landed) return undefined;
  const around = framesAround(node.document.frame);
  const { limits } = action;
  const asked = around.map(frame => action.tab.engine.ask<GuardReport>(frame, { do: 'guard' }, limits));
  const reports = await Promise.allSettled(asked);
  const kept = reports.flatMap(report => (report.status === 'fulfilled' && report.value.missed) || []);
  return kept[0] && { ...kept[0], elsewhere: true };
}

/** Presses the mouse at a point of the page, with keys held down. */
export async function mouseClick(
  { tab: { page } }: Action,
  { x, y }: Point,
  { modifiers = [], ...how }: ClickManner,
): Promise<void> {
  for (const key of modifiers) await page.keyboard.down(key);
  try {
    await page.mouse.click(x, y, how);
  } finally {
    for (const key of modifiers) await page.keyboard.up(key);
  }
}

/** Playwright knows its way into frames, but for those that are scaled or turned, and holds keys down. */
async function pointInPage(
  action: Action,
  { node: { document } }: RefEntry,
  { aim, click }: { aim: Point; click: ClickManner },
): Promise<Point | undefined> {
  const { frame } = document;
  if (frame.parentFrame() === null) return (click.modifiers ?? []).length === 0 ? aim : undefined;
  const at = await outerPoint(action, frame, aim);
  return at?.isWarped && at.isFree ? at : undefined;
}
