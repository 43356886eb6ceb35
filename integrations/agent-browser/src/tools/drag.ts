import type { Frame, Locator } from 'playwright-core';
import { z } from 'zod/v4';
import { actOn, pressElement, type TryLimits } from '../actions/press.js';
import { type Action, drawn, taken } from '../call/action.js';
import { defineTool, pointField, refField } from '../call/define.js';
import { isPointInViewport, toPoint, warpedPoint } from '../call/point.js';
import { riskOfPress } from '../call/risk.js';
import type { Point, Rect } from '../page/geometry.js';
import { anyElement } from '../page/protocol.js';
import { describeRef, type RefEntry } from '../refs/registry.js';
import { ToolError } from '../results/errors.js';

/** How long finding the drop target again may take, in milliseconds. */
const FOUND_AGAIN_MS = 1_000;

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
    const goal =
      typeof to === 'string' ? await actOn(action, to, middleIn(action)) : { value: await toPoint(action, to) };
    const start = await take(action, from);
    try {
      await held(action);
      // The browser starts native drag and drop at a first small move. Libraries lift and move in frames.
      await taken(action, mouse.move(start.x + 6, start.y + 6, { steps: 2 }));
      await drawn(action);
      const end = 'entry' in goal ? await middleNow(action, goal) : goal.value;
      await taken(action, mouse.move(end.x, end.y, { steps: 10 }));
      await drawn(action);
      // The browser drops only where it has dispatched a dragover event.
      await taken(action, mouse.move(end.x, end.y));
      await drawn(action);
    } finally {
      await taken(action, mouse.up());
    }
    await drawn(action);
    await landed(action);
    action.rest = 'over';
    return typeof from === 'string' ? movedFrom(action, start, 'entry' in goal ? goal.entry : undefined) : {};
  },
  headline({ moved }) {
    if (moved === undefined) return 'Dragged.';
    const { from, to, place, goal } = moved;
    const where = place === undefined ? '' : `, now ${place} ${goal}`;
    return `Dragged. It moved from ${from.x},${from.y} to ${to.x},${to.y}${where}.`;
  },
});

function draggedFrame({ acted, tab }: Action): Frame {
  return acted?.entry.node.document.frame ?? tab.page.mainFrame();
}

/** Holds the mouse button until the page has reacted to the press, or for as long as pages want it held. */
async function held(action: Action): Promise<void> {
  const limits = { timeout: HOLD_MS + DRAG_ANSWER_MS, signal: action.signal };
  await unlessBusy(action, action.tab.engine.stirred(draggedFrame(action), HOLD_MS, limits));
}

/** Resolves when what was dropped has come to rest: pages ignore presses while it slides into its place. */
async function landed(action: Action): Promise<void> {
  const { tab, signal, timings } = action;
  if (tab.cannotEvaluate) return;
  const limits = { timeout: timings.fading + DRAG_ANSWER_MS, signal };
  await unlessBusy(action, tab.engine.still(draggedFrame(action), timings.fading, limits));
}

/** A page that is busy, or has gone with the drop, is not awaited. */
async function unlessBusy({ signal }: Action, wait: Promise<unknown>): Promise<void> {
  await wait.catch(error => {
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
  if (acted?.entry.node.document.frame !== frame || tab.cannotEvaluate) return {};
  const isInFrame = goal?.node.document.frame === frame;
  const now = await action.ask(frame, 'dropPlace', {
    id: acted.entry.node.id,
    ...(isInFrame && { goal: goal.node.id }),
  });
  if (now === null || Math.hypot(now.x - start.x, now.y - start.y) < LEAST_MOVE_PX) return {};
  const { place } = now;
  const where = place && goal && { place, goal: `${goal.ref} ${describeRef({ ...goal.told, row: '' })}` };
  return { moved: { from: rounded(start), to: rounded(now), ...where } };
}

function rounded({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) };
}

/** Presses the mouse button on the start of the drag, if the hit target still matches what the agent knows. */
async function take(action: Action, from: End): Promise<Point> {
  const { mouse } = action.tab.page;
  const press = async (point: Point): Promise<void> => {
    await taken(action, mouse.move(point.x, point.y));
    await taken(action, mouse.down());
  };
  if (typeof from !== 'string') {
    const point = await toPoint(action, from);
    await press(point);
    return point;
  }
  let start: Point | undefined;
  await pressElement(action, from, {
    perform: async (locator, limits) => {
      start = await middleIn(action)(locator, limits);
      await press(start);
    },
  });
  if (start === undefined) throw new ToolError('browser_error', `Could not find a point to press on ${from}.`);
  return start;
}

/** The current centre of the drop target: when a drag begins, pages make room, scroll and change their content. */
async function middleNow(action: Action, { entry, value }: { entry: RefEntry; value: Point }): Promise<Point> {
  const { document, id } = entry.node;
  const warped = await warpedPoint(action, entry);
  if (warped !== undefined) return warped;
  const limits = { timeout: FOUND_AGAIN_MS, signal: action.signal };
  const look = (): Promise<Rect | null> =>
    action.tab.engine
      .locator(document.frame, anyElement(document.doc, id))
      .boundingBox(limits)
      .catch(() => null);
  let box = await look();
  if (box !== null && !isPointInViewport(action, middle(box))) {
    await action.ask(document.frame, 'reveal', { id });
    box = await look();
  }
  return box === null ? value : middle(box);
}

/** Returns a function that finds the centre of the element that is acted on. */
function middleIn(action: Action): (locator: Locator, limits: TryLimits) => Promise<Point> {
  return async (locator, limits) =>
    (action.acted && (await warpedPoint(action, action.acted.entry))) ?? locatorMiddleOf(locator, limits);
}

/** The centre of an element that is scrolled into view and not covered. */
async function locatorMiddleOf(locator: Locator, limits: TryLimits): Promise<Point> {
  // A trial hover scrolls, waits until the element is stable, and checks the hit target.
  await locator.hover({ ...limits, trial: true });
  const box = await locator.boundingBox(limits);
  if (box === null) throw new ToolError('element_not_visible', 'The element has no visible area to drag.');
  const { position } = limits;
  return position === undefined ? middle(box) : { x: box.x + position.x, y: box.y + position.y };
}

function middle(box: Rect): Point {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
