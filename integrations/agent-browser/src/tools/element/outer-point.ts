import type { Frame } from 'playwright-core';
import type { AimAnswer } from '../../page/answers.js';
import type { OuterPoint } from '../../page/visibility/frame-place.js';
import type { RefEntry } from '../../refs/ref-entry.js';
import type { Action } from '../call/action.js';
import { drawn } from '../call/page-waits.js';
import type { Point } from './point.js';

/**
 * Where a point of a frame's document is in the viewport of the page: through all frames around it, which may be scaled
 * and turned. Undefined where the page cannot tell.
 */
export async function outerPoint(action: Action, frame: Frame, point: Point): Promise<OuterPoint | undefined> {
  let at: OuterPoint = { x: point.x, y: point.y, isWarped: false, isFree: true, wasScrolled: false };
  let inner = frame;
  for (let around = inner.parentFrame(); around !== null; around = inner.parentFrame()) {
    const holder = action.tab.capture.holders.get(inner);
    if (holder === undefined) return undefined;
    const { x, y } = at;
    const next = await action.ask<OuterPoint | null>(around, { do: 'outOfFrame', id: holder.id, x, y });
    if (next === null) return undefined;
    at = {
      ...next,
      isWarped: at.isWarped || next.isWarped,
      isFree: at.isFree && next.isFree,
      wasScrolled: at.wasScrolled || next.wasScrolled,
    };
    inner = around;
  }
  if (at.wasScrolled) await drawn(action);
  return at;
}

/**
 * Where in the page an element is that stands in a frame which is scaled or turned: Playwright does not aim at it.
 * Undefined for all others, and for what cannot be reached as it is.
 */
export async function warpedPoint(action: Action, entry: RefEntry): Promise<Point | undefined> {
  const { frame } = entry.node.document;
  if (frame.parentFrame() === null) return undefined;
  const target = action.session.refs.target(entry);
  const { point } = await action.ask<AimAnswer>(frame, { do: 'aim', target, unguarded: true });
  const at = point && (await outerPoint(action, frame, point));
  return at?.isWarped && at.isFree ? { x: at.x, y: at.y } : undefined;
}
