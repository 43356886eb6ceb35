import { z } from 'zod/v4';
import { ToolError } from '../outcome/errors.js';
import type { Action } from './action.js';
import { defineTool, pointField, refField } from './define.js';
import { type Point, toPoint } from './point.js';

const end = z.union([refField, z.strictObject({ x: pointField, y: pointField })]);

export const drag = defineTool({
  id: 'browser_drag',
  description: 'Drag from one element or point and drop on another.',
  input: z.strictObject({ from: end, to: end }),
  output: {},
  policy: { changesPage: true },
  async run(action, { from, to }) {
    const { mouse } = action.tab.page;
    const start = await resolve(action, from);
    await mouse.move(start.x, start.y);
    await mouse.down();
    try {
      const goal = await resolve(action, to);
      // Native drag and drop begins with a first small move and drops where a dragover was seen.
      await mouse.move(start.x + Math.sign(goal.x - start.x) * 5, start.y + Math.sign(goal.y - start.y) * 5, {
        steps: 2,
      });
      await mouse.move(goal.x, goal.y, { steps: 8 });
      await mouse.move(goal.x, goal.y);
    } finally {
      await mouse.up();
    }
    return {};
  },
  headline: () => 'Dragged.',
});

/** The point that a ref or a point stands for, scrolled into view and not covered. */
async function resolve(action: Action, goal: z.output<typeof end>): Promise<Point> {
  if (typeof goal !== 'string') return toPoint(action, goal.x, goal.y);
  // A trial hover scrolls, waits until the element stands still, and tells what covers it.
  const { entry, value: box } = await action.act(
    goal,
    async (locator, limits) => {
      await locator.hover({ ...limits, trial: true });
      return locator.boundingBox(limits);
    },
    {},
  );
  if (box === null) throw new ToolError('element_not_visible', `${entry.ref} has no box to drag.`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
