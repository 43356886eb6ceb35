import { setTimeout as delay } from 'node:timers/promises';
import type { Frame } from 'playwright-core';
import { z } from 'zod/v4';
import { ToolError } from '../outcome/errors.js';
import { type Action, isTimeout } from './action.js';
import { defineTool, refField } from './define.js';

const DEFAULT_SECONDS = 10;

export const wait = defineTool({
  id: 'browser_wait',
  description: 'Wait until something shows, goes, loads, or time passes.',
  input: z.strictObject({
    for: z
      .strictObject({
        text: z.string().min(1).max(1000).optional(),
        gone: z.string().min(1).max(1000).optional().describe('Text that goes away'),
        ref: refField.optional(),
        state: z.enum(['visible', 'hidden', 'enabled', 'disabled']).optional().describe('Of ref; default visible'),
        url: z.string().min(1).max(2000).optional().describe('Part of the url, or a glob'),
        load: z.enum(['load', 'domcontentloaded', 'networkidle']).optional(),
        seconds: z.number().min(0).max(60).optional(),
      })
      .refine(
        ({ state, ...goals }) =>
          Object.values(goals).filter(goal => goal !== undefined).length === 1 &&
          (state === undefined || goals.ref !== undefined),
        {
          message: 'exactly one of text, gone, ref (with state), url, load and seconds is needed',
        },
      ),
    timeout: z.number().min(0).max(300).optional().describe('Seconds; default 10'),
  }),
  output: { waited: z.number().optional() },
  policy: { changesPage: true },
  async run(action, { for: goal, timeout = DEFAULT_SECONDS }) {
    const began = performance.now();
    try {
      await reach(action, goal, timeout * 1000);
    } catch (cause) {
      if (!isTimeout(cause)) throw cause;
      throw new ToolError('timeout', `${describe(goal)} did not happen within ${timeout} s.`, { cause });
    }
    return { waited: Math.round(performance.now() - began) / 1000 };
  },
  headline: ({ waited }) => `It took ${waited} s.`,
});

interface Goal {
  text?: string;
  gone?: string;
  ref?: string;
  state?: 'visible' | 'hidden' | 'enabled' | 'disabled';
  url?: string;
  load?: 'load' | 'domcontentloaded' | 'networkidle';
  seconds?: number;
}

async function reach(action: Action, goal: Goal, timeout: number): Promise<void> {
  const { page } = action.tab;
  const limits = { timeout, signal: action.signal };
  if (goal.text !== undefined)
    await anyFrame(action, frame => textIn(frame, goal.text).waitFor({ ...limits, state: 'visible' }));
  else if (goal.gone !== undefined)
    await Promise.all(page.frames().map(frame => textIn(frame, goal.gone).waitFor({ ...limits, state: 'hidden' })));
  else if (goal.ref !== undefined) await elementState(action, goal.ref, goal.state ?? 'visible', limits);
  else if (goal.url !== undefined) await page.waitForURL(urlTest(goal.url), { ...limits, waitUntil: 'commit' });
  else if (goal.load !== undefined) await page.waitForLoadState(goal.load, limits);
  else if (goal.seconds !== undefined) await delay(goal.seconds * 1000, undefined, { signal: action.signal });
}

function textIn(frame: Frame, text = '') {
  return frame.getByText(text).filter({ visible: true }).first();
}

/** Text may show in any frame; the first wins, and only when all gave up has it not come. */
async function anyFrame(action: Action, waitIn: (frame: Frame) => Promise<void>): Promise<void> {
  try {
    await Promise.any(action.tab.page.frames().map(waitIn));
  } catch (error) {
    throw error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  }
}

async function elementState(
  action: Action,
  ref: string,
  state: NonNullable<Goal['state']>,
  limits: { timeout: number; signal: AbortSignal },
): Promise<void> {
  const entry = action.entry(ref);
  const target = { ...action.session.refs.target(entry), fingerprint: 0 };
  const handle = await action.tab.engine
    .locator(entry.node.document.frame, { do: 'element', target })
    .elementHandle(limits);
  try {
    await handle.waitForElementState(state, limits);
  } finally {
    await handle.dispose();
  }
}

function urlTest(wanted: string): (url: URL) => boolean {
  const glob = wanted.includes('*');
  const pattern = new RegExp(
    wanted
      .split('*')
      .map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  );
  return url => (glob ? pattern.test(url.href) : url.href.includes(wanted));
}

function describe(goal: Goal): string {
  const [[kind, value] = ['', '']] = Object.entries(goal).filter(
    ([key, entry]) => entry !== undefined && key !== 'state',
  );
  return `${kind} ${JSON.stringify(value)}${goal.state === undefined ? '' : ` ${goal.state}`}`;
}
