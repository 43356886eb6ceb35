import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod/v4';
import type { Point } from '#page-engine/dom/geometry.js';
import { type ElementAt, Flag } from '#page-engine/protocol.js';
import { PointGoal } from '../actions/approach.js';
import { openSubmenu } from '../actions/hover.js';
import { type ClickManner, clickElement, clickPoint } from '../actions/press.js';
import type { Session } from '../browser/session.js';
import { type Action, actedElement, untilPainted } from '../call/action.js';
import { defineTool, onDialogField, pointField, refField, type ToolInput } from '../call/define.js';
import { elementWords, refOrPoint, reportedElement, toPoint } from '../call/point.js';
import { listOptions } from '../call/refusals.js';
import { lessIfFollowed, type Risk, riskOfElement, riskOfPress } from '../call/risk.js';
import { describeRef, type RefEntry } from '../refs/registry.js';
import { ToolError } from '../results/errors.js';
import { elementField } from '../results/result.js';

export const click = defineTool({
  id: 'browser_click',
  description: 'Click an element by ref, or a point (x, y) in the viewport.',
  input: z
    .strictObject({
      ref: refField.optional(),
      x: pointField.optional(),
      y: pointField.optional(),
      button: z.enum(['left', 'right', 'middle']).optional(),
      clickCount: z
        .number()
        .int()
        .min(1)
        .max(20)
        .optional()
        .describe('2 = double-click, 3 = triple-click, 4 or more = that many separate clicks'),
      modifiers: z
        .array(z.enum(['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift']))
        .max(5)
        .optional(),
      waitAfter: z
        .number()
        .min(0)
        .max(30)
        .optional()
        .describe('Extra seconds to wait; by default, until the click has taken effect'),
      onDialog: onDialogField,
    })
    .refine(...refOrPoint),
  output: {
    element: elementField.optional(),
    pageChanged: z.boolean().optional(),
    executionTime: z.number().optional(),
    clicks: z.number().optional(),
    /** The mouse was moved over a menu item instead, which opened its submenu. */
    hovered: z.literal(true).optional(),
  },
  policy: { changesPage: true, sendsInput: true, timed: true },
  risk: (session, input) =>
    input.ref === undefined ? riskAtPoint(session, input) : lessIfFollowed(session, riskOfPress(session, input.ref)),
  enters: 'nothing',
  async run(action, { ref, x, y, button, clickCount = 1, modifiers, waitAfter }) {
    const isMany = clickCount > MOST_CLICKS_AT_ONCE;
    const how = { button, clickCount: isMany ? 1 : clickCount, modifiers };
    const isPlain = clickCount === 1 && (button ?? 'left') === 'left' && modifiers === undefined;
    if (ref !== undefined && isPlain && isSubmenuItem(action.entry(ref)) && (await openSubmenu(action, ref)))
      return { hovered: true as const };
    const click = ref === undefined ? await clickAt(action, { x, y }, how) : () => clickElement(action, ref, how);
    await (isMany ? clickRepeatedly(action, clickCount, click) : click());
    if (waitAfter === 0) action.waitsFor = 'nothing';
    else if (waitAfter !== undefined) await delay(waitAfter * 1000, undefined, { signal: action.signal });
    return {};
  },
  report: actedElement,
  headline: ({ element, clicks, hovered }) => {
    if (hovered && element !== undefined)
      return `Moved the mouse over ${elementWords(element)}, which opened its submenu. It was not clicked`;
    const times = clicks === undefined ? '' : ` ${clicks} times`;
    if (element === undefined) return `Clicked${times}.`;
    return `Clicked ${elementWords(element)}${times}`;
  },
});

/** Whether an element is an item whose press may choose it, while its submenu opens by hovering. */
function isSubmenuItem({ node }: RefEntry): boolean {
  return node.role === 'menuitem' && node.popup === 'menu' && (node.flags & Flag.Expanded) === 0;
}

/** Returns a function that clicks a point, at which there must be the same each time. */
async function clickAt(action: Action, at: Partial<Point>, how: ClickManner): Promise<() => Promise<void>> {
  const goal = await PointGoal.at(action, await toPoint(action, at));
  if (goal.element !== undefined) refuseUnfit(goal.element);
  action.facts.element = reportedElement(action, goal.element);
  return async () => {
    await clickPoint(goal, how);
    // Canvases, and what is selected, show a press with the next frame.
    await untilPainted(action);
    action.rest = 'over';
  };
}

/** Chromium shows the options of a drop-down list and its file chooser outside the page, where clicks do not reach. */
function refuseUnfit(found: ElementAt): void {
  const what = `The element there (${describeRef(found)})`;
  if (found.kind === 'file') throw new ToolError('is_file_input', `${what} is a file input.`);
  if (found.kind === 'select' && found.role === 'combobox')
    throw new ToolError('is_select', `${what} is a drop-down list with these options: ${listOptions(found.options)}`);
}

/** How long a page may take to report the element at a point, in milliseconds. */
const POINT_MS = 1_000;

async function riskAtPoint(session: Session, { x, y }: ToolInput): Promise<Risk> {
  const { activeTab } = session;
  if (activeTab === undefined || typeof x !== 'number' || typeof y !== 'number')
    return { classes: [], isUncertain: true };
  const ask = async (): Promise<ElementAt | null> => {
    const [frame, limits] = [activeTab.page.mainFrame(), { timeout: POINT_MS }];
    const { scale } = await activeTab.engine.call(frame, 'boxes', { ids: [] }, limits);
    return activeTab.engine.call(frame, 'at', { x: x / scale, y: y / scale }, limits);
  };
  const hit = await ask().catch(() => undefined);
  // If the page does not answer, or the hit target is inside a frame, the element is unknown.
  if (hit == null || hit.inner !== undefined) return { classes: [], isUncertain: true };
  return riskOfElement(session, hit);
}

/** Up to this many clicks are made as one: a double or triple click. */
const MOST_CLICKS_AT_ONCE = 3;

/**
 * Makes single clicks one after another. `facts.clicks` is their number; an error reports how many succeeded. A dialog
 * ends the series, because the agent has to answer it first.
 */
async function clickRepeatedly(action: Action, times: number, click: () => Promise<unknown>): Promise<void> {
  const { facts, session, tab } = action;
  let isOver = false;
  const stop = session.events.on('dialog', () => {
    isOver = true;
  });
  try {
    for (let made = 0; made < times && !isOver && !tab.page.isClosed(); made++) {
      facts.clicks = made + 1;
      await click().catch(error => {
        facts.clicks = made;
        throw withCount(error, `${made} of ${times} clicks were made before that.`);
      });
    }
  } finally {
    stop();
  }
}

function withCount(error: unknown, count: string): unknown {
  if (!(error instanceof ToolError)) return error;
  const { code, message, recoveryHint: hint, cause } = error;
  return new ToolError(code, `${message} ${count}`, { hint, cause });
}
