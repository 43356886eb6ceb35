import type { Frame } from 'playwright-core';
import { z } from 'zod/v4';
import type { Point } from '#page-engine/dom/geometry.js';
import type { ScrollAnswer, ScrollBox, ScrollState } from '#page-engine/dom/scroll.js';
import type { Target } from '#page-engine/protocol.js';
import { type Action, readPage, untilPainted, untilQuiet, withTimeout } from '../call/action.js';
import { defineTool, headlineOf, refField } from '../call/define.js';
import { outerPoint } from '../call/point.js';
import { everyNode } from '../snapshot/tree.js';

/** A box inside the page that scrolls. */
const boxField = z.object({ ref: z.string(), what: z.string(), pixelsAbove: z.number(), pixelsBelow: z.number() });

export const scroll = defineTool({
  id: 'browser_scroll',
  description: 'Scroll the page, inside an element (ref), or to an element.',
  input: z
    .strictObject({
      direction: z.enum(['up', 'down', 'left', 'right']).optional(),
      amount: z
        .union([z.enum(['page', 'half']), z.number().min(0).max(1_000_000)], {
          error: 'expected page, half, or a number of pixels',
        })
        .optional()
        .describe('page (default), half, or a number of pixels'),
      ref: refField.optional().describe('Scroll inside this element'),
      to: refField.optional().describe('Scroll this element into view'),
    })
    .refine(({ direction, to }) => direction !== undefined || to !== undefined, {
      path: ['direction'],
      message: 'give direction or to',
    })
    .refine(({ to, ref, amount }) => to === undefined || (ref === undefined && amount === undefined), {
      path: ['to'],
      message: 'cannot be combined with ref or amount',
    }),
  output: {
    position: z.object({ x: z.number(), y: z.number() }).optional(),
    atTop: z.boolean().optional(),
    atBottom: z.boolean().optional(),
    pixelsAbove: z.number().optional(),
    pixelsBelow: z.number().optional(),
    /** What scrolled, if not the document. */
    box: boxField.optional(),
    /** Other boxes in view that scroll, where nothing is left to scroll in this direction. */
    otherBoxes: z.array(boxField).optional(),
    /** The wheel was turned, because nothing scrolls otherwise. `handled`: the page kept the browser from scrolling. */
    wheel: z.enum(['handled', 'turned']).optional(),
  },
  policy: { changesPage: true },
  risk: 'none',
  enters: 'nothing',
  // The target element of a scroll determines the direction itself.
  async run(action, { direction, amount = 'page', ref, to }) {
    const state =
      to === undefined
        ? await scrollWith(action, ref, offset(direction ?? 'down', amount))
        : await showElement(action, to);
    const { wheel } = action.facts;
    if (wheel === 'handled') return {};
    const below = Math.max(0, state.height - state.viewportHeight - state.top);
    // Pages load more content near their end. Elsewhere a scroll rarely loads anything, so only requests are waited
    // for.
    if (wheel === undefined && (!state.hasMoved || !isNearEnd(state, below, direction))) action.waitsFor = 'requests';
    if (state.hasMoved) await untilQuiet(action);
    return {
      position: { x: state.left, y: state.top },
      atTop: state.top <= 0,
      atBottom: below <= 1,
      pixelsAbove: Math.max(0, state.top),
      pixelsBelow: below,
      ...(await boxFields(action, state)),
    };
  },
  headline({ atTop, atBottom, pixelsAbove, pixelsBelow, box, otherBoxes = [], wheel }) {
    if (wheel === 'handled') return 'Turned the wheel: the page handles it itself.';
    const others = otherBoxes.map(other => `${other.ref} ${other.what} (${other.pixelsBelow} px below)`);
    return headlineOf(
      `Scrolled${box ? ` ${box.ref} ${box.what}` : ''}: ${pixelsAbove} px above, ${pixelsBelow} px below${atTop ? ' (top)' : ''}${atBottom ? ' (bottom)' : ''}`,
      wheel && 'Nothing scrolls there; the wheel was turned over it.',
      others.length > 0 && `These scroll on their own (ref): ${others.join(', ')}`,
    );
  },
});

/** Names boxes by refs. */
async function boxFields(
  action: Action,
  { box, others = [] }: Pick<ScrollAnswer, 'box' | 'others'>,
): Promise<{ box?: z.output<typeof boxField>; otherBoxes?: z.output<typeof boxField>[] }> {
  if (box === undefined && others.length === 0) return {};
  const { roots, doc } = await readPage(action);
  const nodes = [...everyNode(roots)].filter(({ document }) => document.doc === doc);
  const named = ({ id, now, what, above, below }: ScrollBox): z.output<typeof boxField>[] => {
    const node = nodes.find(each => each.id === id) ?? nodes[0];
    if (node === undefined) return [];
    const ref = action.session.refs.grant({ ...node, flags: 0 }, id, now);
    return [{ ref, what, pixelsAbove: above, pixelsBelow: below }];
  };
  const [own] = box === undefined ? [] : named(box);
  const otherBoxes = others.flatMap(named);
  return { ...(own && { box: own }), ...(otherBoxes.length > 0 && { otherBoxes }) };
}

type ScrollDirection = 'up' | 'down' | 'left' | 'right';

/** Whether less than one viewport is left in this direction. */
function isNearEnd(state: ScrollState, below: number, direction: ScrollDirection = 'down'): boolean {
  const { top, left, width, viewportWidth, viewportHeight } = state;
  if (direction === 'up') return top < viewportHeight;
  if (direction === 'down') return below < viewportHeight;
  return (direction === 'left' ? left : width - viewportWidth - left) < viewportWidth;
}

interface Offset {
  dx: number;
  dy: number;
  unit: 'pixels' | 'lengths';
}

/** In viewports. Successive pages overlap a little, so that no content is lost between them. */
const LENGTHS = { page: 0.9, half: 0.5 };

function offset(direction: ScrollDirection, amount: 'page' | 'half' | number): Offset {
  const length = typeof amount === 'number' ? amount : LENGTHS[amount];
  const signed = direction === 'up' || direction === 'left' ? -length : length;
  const unit = typeof amount === 'number' ? 'pixels' : 'lengths';
  return direction === 'left' || direction === 'right' ? { dx: signed, dy: 0, unit } : { dx: 0, dy: signed, unit };
}

async function scrollWith(action: Action, ref: string | undefined, by: Offset): Promise<ScrollAnswer> {
  if (ref === undefined) return scrollIn(action, action.tab.page.mainFrame(), by);
  const { entry, facts } = await action.factsOf(ref);
  const target = action.session.refs.target(entry);
  const { frame } = entry.node.document;
  const inner =
    facts.tag === 'iframe' || facts.tag === 'frame'
      ? await action.tab.engine.contentFrame(frame, target, action.limits)
      : null;
  const { box: _, ...state } = await (inner === null
    ? scrollIn(action, frame, { target, ...by })
    : scrollIn(action, inner, by));
  return state;
}

/** Scrolls in a document, by the wheel where nothing in it scrolls otherwise. */
async function scrollIn(action: Action, frame: Frame, by: Offset & { target?: Target }): Promise<ScrollAnswer> {
  const answer = await action.ask(frame, 'scroll', by);
  if (answer.turnAt === undefined) return answer;
  const isHandled = await turnWheel(action, frame, { ...answer, ...by, at: answer.turnAt });
  const after = isHandled ? answer : await action.ask(frame, 'scroll', { ...by, isTurned: true });
  if (!after.hasMoved) action.facts.wheel = isHandled ? 'handled' : 'turned';
  return after;
}

interface Turn extends Offset, Pick<ScrollState, 'viewportWidth' | 'viewportHeight'> {
  /** In the viewport of the frame. */
  at: Point;
}

/** Turns the mouse wheel. Returns whether the page handled it. */
async function turnWheel(action: Action, frame: Frame, { at, dx, dy, unit, ...viewport }: Turn): Promise<boolean> {
  const { mouse } = action.tab.page;
  const point = frame.parentFrame() === null ? at : await outerPoint(action, frame, at);
  if (point === undefined) return false;
  const [width, height] = unit === 'pixels' ? [1, 1] : [viewport.viewportWidth, viewport.viewportHeight];
  await action.ask(frame, 'awaitWheel', { x: at.x, y: at.y });
  await withTimeout(action, mouse.move(point.x, point.y));
  await withTimeout(action, mouse.wheel(dx * width, dy * height));
  action.hasBegun = true;
  await untilPainted(action);
  return action.ask(frame, 'wheel', {});
}

async function showElement(action: Action, ref: string): Promise<ScrollAnswer> {
  const { entry } = await action.factsOf(ref);
  const { frame } = entry.node.document;
  const state = await action.ask(frame, 'reveal', { id: entry.node.id });
  const main = action.tab.page.mainFrame();
  return frame === main ? state : action.ask(main, 'scroll', { dx: 0, dy: 0, unit: 'pixels' });
}
