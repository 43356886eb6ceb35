import { z } from 'zod/v4';
import type { ScrollState } from '../page/protocol.js';
import type { Action } from './action.js';
import { defineTool, refField } from './define.js';

export const scroll = defineTool({
  id: 'browser_scroll',
  description: 'Scroll the page, or inside an element, or to an element.',
  input: z
    .strictObject({
      direction: z.enum(['up', 'down', 'left', 'right']).optional(),
      amount: z
        .union([z.enum(['page', 'half']), z.number().min(0).max(1_000_000)])
        .optional()
        .describe('Default page; a number is pixels'),
      ref: refField.optional().describe('Scrolls inside this element'),
      to: refField.optional().describe('Scrolls this element into view'),
    })
    .refine(({ direction, to }) => direction !== undefined || to !== undefined, {
      path: ['direction'],
      message: 'direction or to is needed',
    }),
  output: {
    position: z.object({ x: z.number(), y: z.number() }).optional(),
    atTop: z.boolean().optional(),
    atBottom: z.boolean().optional(),
    pixelsAbove: z.number().optional(),
    pixelsBelow: z.number().optional(),
  },
  policy: { changesPage: true },
  async run(action, { direction, amount = 'page', ref, to }) {
    if (to !== undefined) await scrollTo(action, to);
    const state =
      direction === undefined
        ? await move(action, ref, [0, 0])
        : await move(action, ref, offset(action, direction, amount));
    const below = Math.max(0, state.height - state.viewportHeight - state.top);
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

/** A page keeps a little of what was seen before, so that nothing is lost between two. */
const PAGE = 0.9;

function offset(
  action: Action,
  direction: 'up' | 'down' | 'left' | 'right',
  amount: 'page' | 'half' | number,
): [number, number] {
  const size = action.tab.page.viewportSize() ?? { width: 1280, height: 720 };
  const length = direction === 'left' || direction === 'right' ? size.width : size.height;
  const pixels = typeof amount === 'number' ? amount : Math.round(length * (amount === 'half' ? 0.5 : PAGE));
  const sign = direction === 'up' || direction === 'left' ? -1 : 1;
  return direction === 'left' || direction === 'right' ? [sign * pixels, 0] : [0, sign * pixels];
}

async function move(action: Action, ref: string | undefined, [dx, dy]: [number, number]): Promise<ScrollState> {
  if (ref === undefined) return action.ask(action.tab.page.mainFrame(), { do: 'scroll', dx, dy });
  const { entry } = await action.factsOf(ref);
  return action.ask(entry.node.document.frame, { do: 'scroll', target: action.session.refs.target(entry), dx, dy });
}

async function scrollTo(action: Action, ref: string): Promise<void> {
  await action.act(ref, (locator, limits) => locator.scrollIntoViewIfNeeded(limits), {});
}
