import { z } from 'zod/v4';
import { actOn } from '../actions/press.js';
import { type Action, actedElement, taken } from '../call/action.js';
import { defineTool, pointField, refField } from '../call/define.js';
import { elementAtPoint, elementWords, refOrPoint, reportedElement, toPoint, warpedPoint } from '../call/point.js';
import { isTimeout } from '../results/errors.js';
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
      await actOn(action, ref, async (locator, limits) => {
        const point = action.acted && (await warpedPoint(action, action.acted.entry));
        if (point === undefined) await locator.hover(limits).catch(error => throwUnlessMoved(action, error));
        else await taken(action, action.tab.page.mouse.move(point.x, point.y));
      });
      return {};
    }
    const point = await toPoint(action, { x, y });
    await taken(action, action.tab.page.mouse.move(point.x, point.y));
    return { element: reportedElement(action, await elementAtPoint(action, point)) };
  },
  report: actedElement,
  headline: ({ element }) =>
    element === undefined ? 'Moved the mouse.' : `The mouse is over ${elementWords(element)}`,
});

/**
 * Ignores errors after the mouse has moved: if the page reacts to it, for example by hiding the element behind the menu
 * that it opens, that is the effect of the hover, but Playwright considers it a failed attempt and retries.
 */
function throwUnlessMoved({ tab, signal }: Action, error: unknown): void {
  const refusal = tab.engine.refusalOf(error);
  const isRefused = refusal !== undefined && !('replacement' in refusal);
  if (signal.aborted || !isMovingError(error) || !(isRefused || isTimeout(error))) throw error;
}

/** Whether Playwright had moved the mouse to the element. Only the log in its error message shows it. */
function isMovingError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const moved = error.message.indexOf('performing hover action');
  return moved >= 0 && error.message.includes('retrying hover action', moved);
}
