import { z } from 'zod/v4';
import type { PageWait } from '#page-engine/capture/changes.js';
import type { Point } from '#page-engine/dom/geometry.js';
import { PointGoal, reachPoint } from '../actions/approach.js';
import { pressElement, pressPoint, pressReport } from '../actions/press.js';
import { type Action, type PressGoal, untilPainted, withTimeout } from '../call/action.js';
import { defineTool, pointField, refField } from '../call/define.js';
import { outerPoint, toPoint } from '../call/point.js';
import { riskOfPress } from '../call/risk.js';
import { describeRef, type RefEntry } from '../refs/registry.js';
import { ToolError } from '../results/errors.js';

/** In CSS pixels: an element that ends closer to its start has not moved. */
const LEAST_MOVE_PX = 3;

/** Milliseconds that many pages want an element to be held before it moves; others react to the press at once. */
const HOLD_MS = 300;
/** Time for a busy page to answer, beyond the time that it is asked to wait. */
const DRAG_ANSWER_MS = 500;

const dragPoint = z.object({ x: z.number(), y: z.number() });
/** Centres of the dragged element, in CSS pixels of the viewport. */
const movedField = z.object({
  from: dragPoint,
  to: dragPoint,
  /** Relative to the goal; before and after it among the same siblings. */
  place: z.enum(['inside', 'before', 'after', 'outside']).optional(),
  goal: z.string().optional(),
});

/** A text with an object in it is a point. */
const dragRef = refField.refine(text => !text.trimStart().startsWith('{'));
const dragEnd = z.union([dragRef, z.strictObject({ x: pointField, y: pointField })], {
  error: 'expected a ref such as @e12, or a point { x, y }',
});
type End = z.output<typeof dragEnd>;

export const drag = defineTool({
  id: 'browser_drag',
  description: 'Drag from one element or point and drop on another.',
  input: z.strictObject({ from: dragEnd, to: dragEnd }),
  output: {
    /** Omitted if the dragged element did not move, or is gone. */
    moved: movedField.optional(),
  },
  policy: { changesPage: true, sendsInput: true },
  risk: (session, { from, to }) =>
    typeof to === 'string' && typeof from === 'string' ? riskOfPress(session, to) : { classes: [], isUncertain: true },
  enters: 'nothing',
  async run(action, { from, to }) {
    const { mouse } = action.tab.page;
    // Checked before the mouse button is pressed: releasing it without a drop target would be a click.
    const goal = typeof to === 'string' ? await reachPoint(action, to) : { point: await toPoint(action, to) };
    const start = await take(action, from);
    try {
      await reacted(action, { for: 'activity', milliseconds: HOLD_MS, fading: 0 });
      // The browser starts native drag and drop at a first small move. Libraries lift and move in frames.
      await withTimeout(action, mouse.move(start.at.x + 6, start.at.y + 6, { steps: 2 }));
      await untilPainted(action);
      const end = 'entry' in goal ? await middleNow(action, goal) : goal.point;
      await withTimeout(action, mouse.move(end.x, end.y, { steps: 10 }));
      await untilPainted(action);
      // The browser drops only where it has dispatched a dragover event.
      await withTimeout(action, mouse.move(end.x, end.y));
      await untilPainted(action);
    } finally {
      await withTimeout(action, mouse.up());
    }
    await untilPainted(action);
    // Pages ignore presses while what was dropped slides into its place.
    if (action.tab.isReachable) await reacted(action, { for: 'stillness', milliseconds: action.timings.fading });
    action.rest = 'over';
    return start.middle ? movedFrom(action, start.middle, 'entry' in goal ? goal.entry : undefined) : {};
  },
  headline({ moved }) {
    if (moved === undefined) return 'Dragged.';
    const { from, to, place, goal } = moved;
    const where = place === undefined ? '' : `, now ${place} ${goal}`;
    return `Dragged. It moved from ${from.x},${from.y} to ${to.x},${to.y}${where}.`;
  },
});

/** Waits until the page has reacted, or for the time given. One that is busy, or has gone with the drop, is not awaited. */
async function reacted(
  { guardedFrame, tab, signal }: Action,
  what: Extract<PageWait, { for: 'activity' | 'stillness' }>,
): Promise<void> {
  const limits = { timeout: what.milliseconds + DRAG_ANSWER_MS, signal };
  await tab.engine.wait(guardedFrame ?? tab.page.mainFrame(), what, limits).catch(error => {
    if (signal.aborted) throw error;
  });
}

/** The new position of the dragged element. Only in the main frame: documents in frames use other coordinates. */
async function movedFrom(
  action: Action,
  start: Point,
  goal: RefEntry | undefined,
): Promise<{ moved?: z.output<typeof movedField> }> {
  const { acted, tab } = action;
  const frame = tab.page.mainFrame();
  if (acted?.entry.node.document.frame !== frame || !tab.isReachable) return {};
  const isInFrame = goal?.node.document.frame === frame;
  const now = await action.ask(frame, 'dropPlace', {
    id: acted.entry.node.id,
    ...(isInFrame && { goal: goal.node.id }),
  });
  if (now === null || Math.hypot(now.x - start.x, now.y - start.y) < LEAST_MOVE_PX) return {};
  const { place } = now;
  const where = place && goal && { place, goal: `${goal.ref} ${describeRef({ ...goal.shown, row: '' })}` };
  return { moved: { from: rounded(start), to: rounded(now), ...where } };
}

function rounded({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) };
}

/** The start of a drag. */
interface Taken {
  at: Point;
  /** The middle of the element in the layout viewport; left out in frames, whose documents use other coordinates. */
  middle?: Point;
}

/** Presses the mouse button on the start of the drag, if the hit target still matches what the agent knows. */
async function take(action: Action, from: End): Promise<Taken> {
  const { page } = action.tab;
  const press = async (goal: PressGoal, { x, y }: Point): Promise<void> => {
    await withTimeout(action, page.mouse.move(x, y));
    try {
      await withTimeout(action, page.mouse.down());
      const { blocked, missed } = await pressReport(goal, 'guarded');
      if (blocked !== undefined || missed !== undefined) throw goal.refusal({ blocked, missed });
    } catch (error) {
      await withTimeout(action, page.mouse.up());
      throw error;
    }
  };
  if (typeof from !== 'string') {
    const goal = await PointGoal.at(action, await toPoint(action, from));
    const at = await goal.point();
    await pressPoint(goal, () => press(goal, at));
    return { at };
  }
  let start: Taken | undefined;
  await pressElement(action, from, async approach => {
    const { document, id } = approach.entry.node;
    const at = await approach.point();
    const isOfPage = document.frame === page.mainFrame();
    const place = isOfPage ? await action.ask(document.frame, 'dropPlace', { id }) : null;
    start = { at, ...(place && { middle: { x: place.x, y: place.y } }) };
    await press(approach, at);
  });
  if (start === undefined) throw new ToolError('browser_error', `Could not find a point to press on ${from}.`);
  return start;
}

/** The current centre of the drop target: when a drag begins, pages make room, scroll and change their content. */
async function middleNow(action: Action, goal: { entry: RefEntry; point: Point }): Promise<Point> {
  const { document, id } = goal.entry.node;
  const read = async (): Promise<Point | undefined> => {
    const { boxes, viewport } = await action.ask(document.frame, 'boxes', { ids: [id] });
    const [box] = boxes;
    if (box == null) return undefined;
    const [left, top, width, height] = box;
    const middle = { x: left + width / 2, y: top + height / 2 };
    if (document.frame.parentFrame() !== null) return outerPoint(action, document.frame, middle);
    const isSeen = middle.x >= 0 && middle.y >= 0 && middle.x < viewport[0] && middle.y < viewport[1];
    return isSeen ? middle : undefined;
  };
  const again = async (): Promise<Point | undefined> => {
    await action.ask(document.frame, 'reveal', { id });
    return read();
  };
  try {
    return (await read()) ?? (await again()) ?? goal.point;
  } catch (error) {
    // The page has taken it away, with its frame.
    if (action.signal.aborted || !document.frame.isDetached()) throw error;
    return goal.point;
  }
}
