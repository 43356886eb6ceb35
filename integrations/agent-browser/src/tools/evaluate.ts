import { until, within } from '@browser-toolset/core/waiting';
import type { CDPSession, Frame } from 'playwright-core';
import { z } from 'zod/v4';
import { withCdp } from '../browser/chromium/cdp.js';
import { scriptOf } from '../browser/tab/script.js';
import { departed } from '../browser/tab/settle.js';
import { ToolError } from '../outcome/errors.js';
import type { Evaluated } from '../page/evaluation-protocol.js';
import type { Action } from './call/action.js';
import { actOn } from './call/attempt.js';
import { endedBy } from './call/failure.js';
import { defineTool, onDialogField, refField } from './define.js';
import { cutValue } from './element/cut-value.js';
import { entryOf, valuesEntered } from './risk.js';

/** Budget of a result in estimated tokens. */
const RESULT_TOKENS = 4_000;
/** A page that runs answers within so many milliseconds. */
const ANSWER = 1_000;
/** News of a navigation that ended a script come within so many milliseconds. */
const NEWS_TIME = 1_000;

export const evaluate = defineTool({
  id: 'browser_evaluate',
  description: 'Run JavaScript in the page. It has `arg` and, of ref, `element`.',
  input: z.strictObject({
    expression: z.string().min(1).max(100_000).describe('Or a function of (arg), or of (element, arg)'),
    ref: refField.optional(),
    arg: z.unknown().optional().describe('Any JSON value'),
    onDialog: onDialogField,
  }),
  output: {
    result: z.unknown().optional(),
    type: z.string().optional(),
    truncated: z.object({ shown: z.number(), total: z.number() }).optional(),
  },
  policy: { changesPage: true, sendsInput: true, optIn: 'allowEvaluate' },
  risk: (session, { ref }) => ({ classes: ['evaluate'], entry: entryOf(session, ref) }),
  enters: ({ expression }) => valuesEntered('expression', expression),
  async run(action, { expression, ref, arg }) {
    if (!action.session.owner.config.allowEvaluate) throw notAllowed();
    const script = scriptOf(expression);
    if (ref === undefined) {
      const frame = action.tab.page.mainFrame();
      return told(await supervised(action, frame, () => frame.evaluate(script, { arg })));
    }
    const { entry, value: element } = await actOn(action, ref, (locator, limits) => locator.elementHandle(limits));
    const { frame } = entry.node.document;
    try {
      return told(await supervised(action, frame, () => frame.evaluate(script, { arg, element })));
    } finally {
      // It goes with the page where the script left that.
      await element.dispose().catch(() => undefined);
    }
  },
  headline: ({ type, result, truncated }) => {
    if (type === undefined) return 'Ran the script.';
    const text = result === undefined ? type : JSON.stringify(result);
    const cut = truncated === undefined ? '' : `\n(cut: ${truncated.shown} of at least ${truncated.total} tokens)`;
    return `Result: ${text}${cut}`;
  },
});

function notAllowed(): ToolError {
  return new ToolError('browser_error', 'Scripts are not allowed: the option allowEvaluate is not set.', {
    hint: 'Use the other tools instead.',
    canRetry: false,
  });
}

type ToldValue = { result?: unknown; type?: string; truncated?: { shown: number; total: number } };

/** @param evaluated Undefined when the script left its page, which ended it. */
function told(evaluated: Evaluated | undefined): ToldValue {
  if (evaluated === undefined) return {};
  if ('thrown' in evaluated)
    throw new ToolError('browser_error', `The script threw ${evaluated.thrown}`, { hint: 'Correct the script.' });
  const { value, truncated } = cutValue(evaluated.value, RESULT_TOKENS);
  return {
    ...(value !== undefined && { result: value }),
    type: evaluated.type,
    ...(truncated !== undefined && { truncated }),
  };
}

/** Runs a script that must not run for ever. Answers with undefined when it has left the page. */
async function supervised(
  action: Action,
  frame: Frame,
  start: () => Promise<Evaluated>,
): Promise<Evaluated | undefined> {
  const { tab, signal } = action;
  return withCdp(frame, async cdp => {
    const began = performance.now();
    const running = start().catch(async error => {
      await departed(tab, began, { timeout: NEWS_TIME, signal });
      if (tab.navigatedAt < began && tab.navigation === undefined && !frame.isDetached()) throw error;
      return undefined;
    });
    const over = new AbortController();
    const ended = await Promise.race([running, overdue(action, over.signal)]).finally(() => over.abort());
    if (ended !== LATE) return ended;
    const isStopped = await stop(cdp, frame);
    if (signal.aborted) throw endedBy(signal);
    const what = isStopped ? 'ran on and was stopped' : 'waits for something that does not come';
    throw new ToolError('timeout', `The script ${what} after ${action.timeout} ms.`, {
      hint: 'Make it do less at once, or return without waiting.',
    });
  });
}

const LATE = Symbol('late');

/**
 * Resolves when the time of the action is over, or its caller wants no more. While a dialog is open, no time passes.
 * @param over The script has ended.
 */
async function overdue({ tab, timeout, signal }: Action, over: AbortSignal): Promise<typeof LATE> {
  const ended = AbortSignal.any([signal, over]);
  do
    await until(
      () => false,
      { timeout, signal: ended },
      () => () => undefined,
    );
  while (tab.dialog !== undefined && !ended.aborted);
  return LATE;
}

/** Ends what runs in a page that does not answer because of it. Returns whether that was needed. */
async function stop(cdp: CDPSession, frame: Frame): Promise<boolean> {
  const answers = frame.evaluate('0').then(
    () => true,
    () => true,
  );
  if (await within(ANSWER, answers)) return false;
  await within(ANSWER, cdp.send('Runtime.terminateExecution'));
  await within(ANSWER, answers);
  return true;
}
