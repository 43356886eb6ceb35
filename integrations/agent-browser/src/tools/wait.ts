import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod/v4';
import type { Secrets } from '#egress/secrets.js';
import { elementState, textGoes, textShows } from '../actions/wait-for.js';
import type { Limits } from '../browser/tab/engine.js';
import { until } from '../browser/tab/settle.js';
import type { Action } from '../call/action.js';
import { defineTool, refField } from '../call/define.js';
import { isTimeout, ToolError } from '../results/errors.js';

const DEFAULT_SECONDS = 10;

const textField = z.string().min(1).max(1000);

const goalField = z
  .strictObject({
    text: textField.optional(),
    gone: textField.optional().describe('Text that must disappear'),
    ref: refField.optional(),
    state: z.enum(['visible', 'hidden', 'enabled', 'disabled']).optional().describe('State of ref (default visible)'),
    url: z.string().min(1).max(2000).optional().describe('Part of the URL; * matches anything'),
    load: z.enum(['load', 'domcontentloaded', 'networkidle']).optional(),
    seconds: z.number().min(0).max(60).optional(),
  })
  .refine(
    ({ state, ...goals }) =>
      Object.values(goals).filter(goal => goal !== undefined).length === 1 &&
      (state === undefined || goals.ref !== undefined),
    { message: 'give exactly one of text, gone, ref (with optional state), url, load or seconds' },
  );

type Goal = z.output<typeof goalField>;

export const wait = defineTool({
  id: 'browser_wait',
  description: 'Wait for text to appear or disappear, an element state, a URL, a load event, or a number of seconds.',
  input: z.strictObject({
    for: goalField,
    timeout: z.number().min(0).max(300).optional().describe('Seconds (default 10)'),
  }),
  output: { waited: z.number().optional() },
  policy: { changesPage: true, allowedDuringNavigation: true, watches: true },
  risk: 'none',
  enters: 'nothing',
  async run(action, { for: goal, timeout = DEFAULT_SECONDS }) {
    const began = performance.now();
    // A dialog ends the call, so the wait must end, too.
    const stop = new AbortController();
    const off = action.session.events.on('dialog', tab => tab === action.tab && stop.abort());
    // In Playwright, 0 means no timeout.
    const limits = { timeout: Math.max(1, timeout * 1000), signal: AbortSignal.any([action.signal, stop.signal]) };
    try {
      await waitForGoal(action, goal, limits);
    } catch (cause) {
      if (stop.signal.aborted && !action.signal.aborted) return {};
      if (!isTimeout(cause)) throw cause;
      throw new ToolError('timeout', `Timed out after ${timeout} s waiting for ${describeGoal(goal)}.`, { cause });
    } finally {
      off();
    }
    return { waited: Math.round(performance.now() - began) / 1000 };
  },
  headline: ({ waited }) => (waited === undefined ? '' : `It took ${waited} s.`),
});

async function waitForGoal(action: Action, goal: Goal, limits: Limits): Promise<void> {
  const { page } = action.tab;
  if (goal.text !== undefined) await textShows(action, goal.text, limits);
  else if (goal.gone !== undefined) await textGoes(action, goal.gone, limits);
  else if (goal.ref !== undefined) await elementState(action, goal.ref, goal.state ?? 'visible', limits);
  else if (goal.url !== undefined)
    await page.waitForURL(urlTest(goal.url, action.session.owner.secrets), { ...limits, waitUntil: 'commit' });
  else if (goal.load !== undefined) await loads(action, goal.load, limits);
  else if (goal.seconds !== undefined) await delay(goal.seconds * 1000, undefined, { signal: limits.signal });
}

/** Waits for a pending navigation first: the load state of the page that it replaces does not count. */
async function loads({ tab }: Action, state: NonNullable<Goal['load']>, limits: Limits): Promise<void> {
  const began = performance.now();
  await until(tab, () => tab.navigation === undefined, limits);
  const left = Math.max(1, limits.timeout - (performance.now() - began));
  if (tab.navigation === undefined) await tab.page.waitForLoadState(state, { ...limits, timeout: left });
  else
    throw new ToolError(
      'timeout',
      `Timed out waiting for load ${JSON.stringify(state)}: no response yet from ${tab.navigation.url()}.`,
    );
}

/** Matches a URL, as the agent sees it, by a part of it, or by parts with `*` for any text between them. */
function urlTest(wanted: string, secrets: Secrets): (url: URL) => boolean {
  const parts = wanted.split('*').filter(part => part !== '');
  return ({ href }) => {
    const shown = secrets.hide(href);
    let from = 0;
    return parts.every(part => {
      const at = shown.indexOf(part, from);
      from = at + part.length;
      return at >= 0;
    });
  };
}

function describeGoal(goal: Goal): string {
  const [[kind, value] = ['', '']] = Object.entries(goal).filter(
    ([key, entry]) => entry !== undefined && key !== 'state',
  );
  return `${kind} ${JSON.stringify(value)}${goal.state === undefined ? '' : ` ${goal.state}`}`;
}
