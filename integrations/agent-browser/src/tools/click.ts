import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod/v4';
import { elementField } from '../outcome/result.js';
import type { Action } from './action.js';
import { defineTool, onDialogField, pointField, refField } from './define.js';
import { elementAt, toPoint } from './point.js';

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
    .refine(
      ({ ref, x, y }) => (ref === undefined ? x !== undefined && y !== undefined : x === undefined && y === undefined),
      {
        message: 'either ref or both x and y are needed',
      },
    ),
  output: {
    element: elementField.optional(),
    pageChanged: z.boolean().optional(),
    executionTime: z.number().optional(),
  },
  policy: { changesPage: true, timed: true },
  async run(action, input) {
    const { button, clickCount, modifiers } = input;
    const options = { button, clickCount, modifiers };
    if (input.ref !== undefined) {
      await action.act(input.ref, (locator, limits) => locator.click({ ...options, ...limits }), {
        guard: true,
        purpose: { to: 'click' },
      });
    } else {
      const point = toPoint(action, input.x, input.y);
      action.facts.element = await elementAt(action, point);
      await clickPoint(action, point, options);
    }
    if (input.waitAfter) await delay(input.waitAfter * 1000, undefined, { signal: action.signal });
    return {};
  },
  headline: ({ element }) =>
    element === undefined ? 'Clicked.' : `Clicked ${element.role} ${JSON.stringify(element.name.slice(0, 80))}`,
});

type PointOptions = { button?: 'left' | 'right' | 'middle'; clickCount?: number; modifiers?: string[] };

async function clickPoint(action: Action, point: { x: number; y: number }, options: PointOptions): Promise<void> {
  const { mouse, keyboard } = action.tab.page;
  const held = options.modifiers ?? [];
  for (const key of held) await keyboard.down(key);
  try {
    await mouse.click(point.x, point.y, { button: options.button, clickCount: options.clickCount });
  } finally {
    for (const key of held) await keyboard.up(key);
  }
}
