import { Script } from 'node:vm';
import { until, within } from '@browser-toolset/core/waiting';
import type { CDPSession, Frame } from 'playwright-core';
import { z } from 'zod/v4';
import type { Evaluated } from '#page-engine/evaluation.js';
import { EVALUATION_SOURCE } from '#page-engine/generated/page-evaluation.js';
import { actOn } from '../actions/act-on.js';
import { withCdp } from '../browser/chromium/cdp.js';
import { departed } from '../browser/tab/settle.js';
import type { Tab } from '../browser/tab/tab.js';
import type { Action } from '../call/action.js';
import { returnedValue } from '../call/cut-value.js';
import { defineTool, onDialogField, refField } from '../call/define.js';
import { endedBy } from '../call/failure.js';
import { refEntryOf, valuesEntered } from '../call/risk.js';
import { PROBE_MS } from '../limits.js';
import { ToolError } from '../results/errors.js';

const FUNCTION = /^(async\b\s*)?(function\b|\([\s\S]*?\)\s*=>|[\w$]+\s*=>)/;

/**
 * A function for Playwright that runs a script in the page and takes `{ element?, arg }`. The script is an expression,
 * a list of statements whose last one is the result, or a function body with `return`. It can use `element` and `arg`.
 * @throws ToolError `invalid_input` if it is not valid JavaScript.
 */
function scriptOf(expression: string): (input: unknown) => Promise<Evaluated> {
  const text = expression.trim();
  const given = FUNCTION.test(text) ? 'element === undefined ? [arg] : [element, arg]' : 'undefined';
  const source = `({ element, arg }) => (${EVALUATION_SOURCE}).evaluateInPage(${scriptToRun(text)}, ${given})`;
  // Playwright sends the source text of a function to the page; it never runs here.
  return Object.assign(
    async (): Promise<Evaluated> => {
      throw new Error('only its text is used');
    },
    { toString: () => source },
  );
}

/** An expression without side effects, as V8 checks; undefined for a script that waits or is a list of statements. */
function scriptWithoutEffects(expression: string, arg: unknown): string | undefined {
  const text = expression.trim();
  const script = `() => (\n${text.replace(/;+$/, '')}\n)`;
  // In a function that is not async, `await (…)` would be a call.
  if (/\bawait\b/.test(text) || syntaxError(`(${script})`) !== undefined) return undefined;
  const given = FUNCTION.test(text) ? '[arg]' : 'undefined';
  const source = `({ element, arg }) => (${EVALUATION_SOURCE}).evaluateWithoutEffects(${script}, ${given})`;
  return `(${source})({ arg: ${JSON.stringify(arg)} })`;
}

function scriptToRun(text: string): string {
  const asExpression = `async () => (\n${text.replace(/;+$/, '')}\n)`;
  if (syntaxError(`(${asExpression})`) === undefined) return asExpression;
  const asBody = `async () => {\n${text}\n}`;
  const error = syntaxError(text);
  if (error === undefined) return `() => eval(${JSON.stringify(text)})`;
  if (syntaxError(`(${asBody})`) === undefined) return asBody;
  throw new ToolError('invalid_input', `expression: ${error}.`);
}

function syntaxError(code: string): string | undefined {
  try {
    new Script(code);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** How long after a script was ended by a navigation that navigation may be reported. */
const NAVIGATION_REPORT_MS = 1_000;

export const evaluate = defineTool({
  id: 'browser_evaluate',
  description:
    'Run JavaScript in the page and return its result. `arg` holds your arg; `element` is the element of ref, if given.',
  input: z.strictObject({
    expression: z
      .string()
      .min(1)
      .max(100_000)
      .describe('An expression, statements, or a function of (arg) or, with ref, (element, arg)'),
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
  risk: (session, { ref }) => ({ classes: ['evaluate'], entry: refEntryOf(session, ref) }),
  enters: ({ expression }) => valuesEntered('expression', [expression]),
  async run(action, { expression, ref, arg }) {
    if (!action.session.owner.config.allowEvaluate) throw notAllowed();
    const script = scriptOf(expression);
    action.waitsFor = 'requests';
    if (ref === undefined) {
      const frame = action.tab.page.mainFrame();
      const evaluated = await runWithoutEffects(action, scriptWithoutEffects(expression, arg));
      return evaluatedValue(evaluated ?? (await supervised(action, frame, () => frame.evaluate(script, { arg }))));
    }
    const { entry, value: element } = await actOn(action, ref, (locator, limits) => locator.elementHandle(limits));
    const { frame } = entry.node.document;
    try {
      return evaluatedValue(await supervised(action, frame, () => frame.evaluate(script, { arg, element })));
    } finally {
      // If the script navigated, the handle is gone with its document.
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

type EvaluatedValue = ReturnType<typeof returnedValue> & { type?: string };

/** @param evaluated Undefined if the script navigated, which ended it. */
function evaluatedValue(evaluated: Evaluated | undefined): EvaluatedValue {
  if (evaluated === undefined) return {};
  if ('thrown' in evaluated)
    throw new ToolError('browser_error', `The script threw ${evaluated.thrown}`, { hint: 'Fix the script.' });
  return { ...returnedValue(evaluated.value), type: evaluated.type };
}

/** The check makes a script slower: one that takes longer is run without it. */
const CHECKED_RUN_MS = 100;

/**
 * Runs a script as DevTools do for the value that they show while it is typed: V8 ends it before its first side effect
 * (`throwOnSideEffect` of `Runtime.evaluate`). Undefined when it has one, throws, takes long, or its result is a promise.
 */
async function runWithoutEffects(action: Action, script: string | undefined): Promise<Evaluated | undefined> {
  const frame = action.tab.page.mainFrame();
  const line = action.tab.engine.lines.get(frame);
  if (script === undefined || line === undefined || line.isOver) return undefined;
  const cdp = line.world.session;
  const asked = { expression: script, throwOnSideEffect: true, returnByValue: true, timeout: CHECKED_RUN_MS };
  const start = (): Promise<Evaluated | undefined> =>
    cdp.send('Runtime.evaluate', asked).then(
      ({ result, exceptionDetails }) => (exceptionDetails === undefined ? (result.value as Evaluated) : undefined),
      // It took too long, or the page is gone, which the run itself meets.
      () => undefined,
    );
  const evaluated = await runSupervised(action, { frame, start, cdp });
  action.hadNoEffects = evaluated !== undefined;
  return evaluated;
}

/** Runs a script with a time limit. Resolves to undefined if the script navigated. */
async function supervised(
  action: Action,
  frame: Frame,
  start: () => Promise<Evaluated>,
): Promise<Evaluated | undefined> {
  // A page that a script blocks lets no new session begin.
  const line = action.tab.engine.lines.get(frame);
  if (line !== undefined && !line.isOver) return runSupervised(action, { frame, start, cdp: line.world.session });
  return withCdp(frame, cdp => runSupervised(action, { frame, start, cdp }));
}

async function runSupervised(
  action: Action,
  { frame, start, cdp }: { frame: Frame; start: () => Promise<Evaluated | undefined>; cdp: CDPSession },
): Promise<Evaluated | undefined> {
  const { tab, signal } = action;
  const began = performance.now();
  const running = start().catch(async error => {
    await departed(tab, began, { timeout: NAVIGATION_REPORT_MS, signal });
    if (tab.navigatedAt < began && tab.navigation === undefined && !frame.isDetached()) throw error;
    return undefined;
  });
  const over = new AbortController();
  const ended = await Promise.race([running, overdue(action, over.signal)]).finally(() => over.abort());
  if (ended !== LATE) return ended;
  const isStopped = await stop(tab, cdp, frame);
  if (signal.aborted) throw endedBy(signal);
  const what = isStopped ? 'was still running and was stopped' : 'is still waiting for something';
  throw new ToolError('timeout', `The script ${what} after ${action.timeout} ms.`, {
    hint: 'Make it do less at once, or return without waiting.',
  });
}

const LATE = Symbol('late');

/**
 * Resolves when the time of the action is over or its caller aborts. Time does not count while a dialog is open.
 * @param over Aborted when the script has ended.
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

/** Terminates a script that blocks its page. Returns whether that was necessary. */
async function stop(tab: Tab, cdp: CDPSession, frame: Frame): Promise<boolean> {
  if ((await tab.probe({}, frame)) !== false) return false;
  await within(PROBE_MS, cdp.send('Runtime.terminateExecution'));
  await tab.probe({}, frame);
  return true;
}
