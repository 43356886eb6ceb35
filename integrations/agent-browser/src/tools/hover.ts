import { z } from 'zod/v4';
import { elementField } from '../outcome/result.js';
import { elementOf } from './call/action.js';
import { actOn } from './call/attempt.js';
import { taken } from './call/page-waits.js';
import { defineTool, pointField, refField } from './define.js';
import { warpedPoint } from './element/outer-point.js';
import { elementAt, elementWords, refOrPoint, told, toPoint } from './element/point.js';

export const hover = defineTool({
  id: 'browser_hover',
  description: 'Move the mouse over an element or point, to open what shows on hover.',
  input: z
    .strictObject({ ref: refField.optional(), x: pointField.optional(), y: pointField.optional() })
    .refine(...refOrPoint),
  output: { element: elementField.optional() },
  policy: { changesPage: true, sendsInput: true },
  risk: 'none',
  enters: 'nothing',
  async run(action, { ref, x, y }) {
    if (ref !== undefined) {
      await actOn(action, ref, async (locator, limits) => {
        const point = action.acted && (await warpedPoint(action, action.acted.entry));
        if (point === undefined) await locator.hover(limits);
        else await taken(action, action.tab.page.mouse.move(point.x, point.y));
      });
      return {};
    }
    const point = await toPoint(action, { x, y });
    await taken(action, action.tab.page.mouse.move(point.x, point.y));
    return { element: told(action, await elementAt(action, point)) };
  },
  report: elementOf,
  headline: ({ element }) =>
    element === undefined ? 'Moved the mouse.' : `The mouse is over ${elementWords(element)}`,
});
