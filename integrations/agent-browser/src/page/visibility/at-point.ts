import { deedOf } from '../act/deed.js';
import { factsOf, widgetAt } from '../act/probe.js';
import { getAttribute } from '../dom.js';
import type { ElementAt } from '../protocol.js';
import type { ElementIds } from '../walk/refs.js';
import { deepElementFromPoint, wayOutOver } from './cover.js';
import { intoFrame, isFrameElement } from './frame-place.js';
import type { ClosedRoots } from './shadow.js';
import { sightNow } from './sight.js';

/** The nearest element at a point that a person can act on, else the topmost one. */
export function elementAt(
  { ids, closedRoots }: { ids: ElementIds; closedRoots: ClosedRoots },
  { x, y }: { x: number; y: number },
): ElementAt | null {
  const [left, top] = sightNow();
  const hit = deepElementFromPoint(x + left, y + top, closedRoots);
  const element = widgetAt(hit) ?? hit;
  if (element === null) return null;
  const inner = isFrameElement(element) ? intoFrame(element, { x: x + left, y: y + top }) : undefined;
  const id = ids.idOf(element);
  ids.rememberContainer(element, id);
  const domId = getAttribute(element, 'id') ?? undefined;
  return {
    ...factsOf(element),
    doc: ids.doc,
    id,
    domId,
    does: deedOf(element),
    ...(inner && { inner }),
  };
}

/** The id of what would be pressed to get past an element that lies over a frame. */
export function wayOutId(ids: ElementIds, id: number): number | null {
  const hit = ids.element(id);
  const wayOut = hit && wayOutOver(hit);
  return wayOut === undefined ? null : ids.idOf(wayOut);
}
