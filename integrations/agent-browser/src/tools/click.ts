import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod/v4';
import { ToolError } from '../outcome/errors.js';
import { elementField } from '../outcome/result.js';
import type { ElementAt } from '../page/protocol.js';
import { describeTold } from '../refs/registry.js';
import { type Action, elementOf } from './call/action.js';
import { drawn } from './call/drawn.js';
import { inTime } from './call/in-time.js';
import { defineTool, onDialogField, pointField, refField } from './define.js';
import { type ClickManner, mouseClick } from './element/click-at-once.js';
import { elementAt, type Point, refOrPoint, told, toPoint } from './element/point.js';
import { listOptions } from './element/unfit.js';

export const click = defineTool({
  id: 'browser_click',
  description: 'Click an element by ref, or a point of the viewport.',
  input: z
    .strictObject({
      ref: refField.optional(),
      x: pointField.optional(),
      y: pointField.optional(),
      button: z.enum(['left', 'right', 'middle']).optional(),
      clickCount: z.number().int().min(1).max(3).optional(),
      modifiers: z
        .array(z.enum(['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift']))
        .max(5)
        .optional(),
      waitAfter: z.number().min(0).max(30).optional().describe('Seconds; default: until what the click began is done'),
      onDialog: onDialogField,
    })
    .refine(...refOrPoint),
  output: {
    element: elementField.optional(),
    pageChanged: z.boolean().optional(),
    executionTime: z.number().optional(),
  },
  policy: { changesPage: true, sendsInput: true, timed: true },
  async run(action, { ref, x, y, button, clickCount, modifiers, waitAfter }) {
    const how = { button, clickCount, modifiers };
    if (ref !== undefined) await action.click(ref, how);
    else await clickAt(action, await toPoint(action, { x, y }), how);
    if (waitAfter === 0) action.isHasty = true;
    else if (waitAfter !== undefined) await delay(waitAfter * 1000, undefined, { signal: action.signal });
    return {};
  },
  report: ({ acted }) => (acted === undefined ? {} : { element: elementOf(acted) }),
  headline: ({ element }) =>
    element === undefined ? 'Clicked.' : `Clicked ${element.role} ${JSON.stringify(element.name.slice(0, 80))}`,
});

async function clickAt(action: Action, point: Point, how: ClickManner): Promise<void> {
  const found = await elementAt(action, point);
  if (found !== undefined) refuseUnfit(found);
  action.facts.element = told(action, found);
  action.mayHaveSent = true;
  await inTime(action, mouseClick(action, point, how));
  await drawn(action);
}

/** Chromium shows the options of a drop-down list and its choice of files outside of the page, where no click reaches. */
function refuseUnfit(found: ElementAt): void {
  const what = `The element there (${describeTold(found)})`;
  if (found.kind === 'file') throw new ToolError('is_file_input', `${what} takes files.`);
  if (found.kind === 'select' && found.role === 'combobox')
    throw new ToolError('is_select', `${what} is a drop-down list with these options: ${listOptions(found.options)}`);
}
