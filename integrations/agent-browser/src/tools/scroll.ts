import { z } from 'zod/v4';
import { type Action, rested } from '../call/action.js';
import { defineTool, refField } from '../call/define.js';
import type { ScrollState } from '../page/scroll.js';

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
    const below = Math.max(0, state.height - state.viewportHeight - state.top);
    // Pages load more content near their end. Elsewhere a scroll rarely loads anything, so only requests are waited
    // for.
    if (!state.hasMoved || !isNearEnd(state, below, direction)) action.waitsFor = 'requests';
    if (state.hasMoved) await rested(action);
    return {
      position: { x: state.left, y: state.top },
      atTop: state.top <= 0,
      atBottom: below <= 1,
      pixelsAbove: Math.max(0, state.top),
      pixelsBelow: below,
    };
  },
  headline: ({ atTop, atBottom, pixelsAbove, pixelsBelow }) =>
    `Scrolled: ${pixelsAbove} px above, ${pixelsBelow} px below${atTop ? ' (top)' : ''}${atBottom ? ' (bottom)' : ''}`,
});

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

async function scrollWith(action: Action, ref: string | undefined, by: Offset): Promise<ScrollState> {
  if (ref === undefined) return action.ask(action.tab.page.mainFrame(), 'scroll', by);
  const { entry, facts } = await action.factsOf(ref);
  const target = action.session.refs.target(entry);
  const { frame } = entry.node.document;
  const inner =
    facts.tag === 'iframe' || facts.tag === 'frame'
      ? await action.tab.engine.contentFrame(frame, target, action.limits)
      : null;
  return inner === null ? action.ask(frame, 'scroll', { target, ...by }) : action.ask(inner, 'scroll', by);
}

async function showElement(action: Action, ref: string): Promise<ScrollState> {
  const { entry } = await action.factsOf(ref);
  const { frame } = entry.node.document;
  const state = await action.ask(frame, 'reveal', { id: entry.node.id });
  const main = action.tab.page.mainFrame();
  return frame === main ? state : action.ask(main, 'scroll', { dx: 0, dy: 0, unit: 'pixels' });
}
