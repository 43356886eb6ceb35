import { z } from 'zod/v4';
import { hoverElement } from '../actions/hover.js';
import { actedElement, withTimeout } from '../call/action.js';
import { defineTool, pointField, refField } from '../call/define.js';
import { elementAtPoint, elementWords, refOrPoint, reportedElement, toPoint } from '../call/point.js';
import { elementField } from '../results/result.js';

export const hover = defineTool({
  id: 'browser_hover',
  description: 'Hover over an element (ref) or a point to reveal menus or tooltips.',
  input: z
    .strictObject({ ref: refField.optional(), x: pointField.optional(), y: pointField.optional() })
    .refine(...refOrPoint),
  output: { element: elementField.optional() },
  policy: { changesPage: true, sendsInput: true },
  risk: 'none',
  enters: 'nothing',
  async run(action, { ref, x, y }) {
    if (ref !== undefined) {
      const { facts } = await action.factsOf(ref);
      if (!facts.heedsHover && !facts.announces) action.waitsFor = 'evidence';
      await hoverElement(action, ref);
      return {};
    }
    const point = await toPoint(action, { x, y });
    await withTimeout(action, action.tab.page.mouse.move(point.x, point.y));
    const { element } = await elementAtPoint(action, point);
    return { element: reportedElement(action, element) };
  },
  report: actedElement,
  headline: ({ element }) =>
    element === undefined ? 'Moved the mouse.' : `The mouse is over ${elementWords(element)}`,
});
