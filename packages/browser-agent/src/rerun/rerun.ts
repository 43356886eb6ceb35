import { randomUUID } from 'node:crypto';
import { untoldFields } from '../actions/elements.js';
import { lookAt } from '../browser/browser-state.js';
import type { AgentHistory } from '../history/history.js';
import { type AgentState, newState } from '../run/agent-state.js';
import type { RunContext } from '../run/run-context.js';
import { takeActions } from '../run/take-actions.js';
import { act, decide } from '../run/take-step.js';
import { findElement } from './find-element.js';
import { leavesMark, MASK, maskedPaths, type RecordedAction, recordedActions } from './recorded-actions.js';
import { VariableTexts, withValueAt } from './variables.js';

export interface RerunOptions {
  /** Values in the place of recorded ones, by the names that `detectVariables` gives them. */
  variables?: Record<string, string>;
  /** The reaction to an element that cannot be told for sure. @default 'stop' */
  onDrift?: 'stop' | 'ask-model';
  threadId?: string;
  signal?: AbortSignal;
  onStep?: (done: RerunStep) => void | Promise<void>;
}

/** One recorded action, taken again. */
export interface RerunStep {
  /** Number of the recorded step. */
  step: number;
  action: string;
  input: Record<string, unknown>;
  success: boolean;
  /** The action, or what was looked for and what was found. */
  text: string;
  /** A model did it. */
  isHealed?: boolean;
}

export interface RerunResult {
  success: boolean;
  /** `drift`: an element could not be told for sure. `failed`: an action failed. */
  stopReason: 'done' | 'drift' | 'failed' | 'stopped';
  steps: RerunStep[];
  /** Why it stopped. */
  problem?: string;
}

/** A model prepares a step with them, and has not done it yet. */
const PREPARES = new Set(['scroll', 'wait', 'hover']);
/** Failures after which the page is looked at again: it may not have been ready. */
const PASSING = new Set([
  'stale_ref',
  'ref_changed',
  'element_blocked',
  'element_not_visible',
  'element_disabled',
  'timeout',
]);

/** Takes the actions of a history again, without a model. */
export async function rerun(history: AgentHistory, context: RunContext, options: RerunOptions): Promise<RerunResult> {
  const texts = new VariableTexts(history);
  const { variables = {}, signal = new AbortController().signal, onDrift = 'stop', onStep } = options;
  texts.check(Object.keys(variables));
  texts.checkWhole(variables);
  const steps: RerunStep[] = [];
  const note = async (recorded: RecordedAction, done: RerunStep): Promise<void> => {
    const step = {
      ...done,
      input: maskedPaths(recorded).reduce((input, path) => withValueAt(input, path, MASK), done.input),
    };
    steps.push(step);
    await onStep?.(step);
  };
  for (const [number, each] of recordedActions(history).entries()) {
    const recorded = texts.replaceIn(each, number, variables);
    const { step, action, input } = recorded;
    try {
      const taken = await takeAgain(recorded, context, signal);
      if (taken.success) {
        await note(each, { step, action, input: taken.input, success: true, text: taken.text });
        continue;
      }
      if (onDrift === 'ask-model' && (await heal(recorded, taken.text, { history, context, signal }))) {
        await note(each, {
          step,
          action,
          input,
          success: true,
          text: `Done by a model: ${recorded.goal}`,
          isHealed: true,
        });
        continue;
      }
      await note(each, { step, action, input, success: false, text: taken.text });
      return { success: false, stopReason: taken.isDrift ? 'drift' : 'failed', steps, problem: taken.text };
    } catch (error) {
      if (!signal.aborted) throw error;
      return { success: false, stopReason: 'stopped', steps, problem: 'It was stopped.' };
    }
  }
  return { success: true, stopReason: 'done', steps };
}

/** What came of an action that was taken again. */
export interface TakenAgain {
  success: boolean;
  isDrift: boolean;
  input: Record<string, unknown>;
  text: string;
}

/** Takes a recorded action again, as soon as its elements can be told; for as long as they may take. */
export async function takeAgain(
  recorded: RecordedAction,
  context: RunContext,
  signal: AbortSignal,
): Promise<TakenAgain> {
  const { tools, waits } = context;
  const { held } = tools;
  // A person who drives takes none of the time that an element has.
  const now = (): number => performance.now() - held.total;
  const deadline = now() + Math.min(waits.longest, Math.max(waits.shortest, 2 * recorded.took));
  for (;;) {
    await tools.whenFree(signal);
    const taken = await once(recorded, context, signal);
    if (taken.success || !taken.isPassing || now() >= deadline) return taken;
    await change(recorded, context, signal);
  }
}

async function once(
  recorded: RecordedAction,
  context: RunContext,
  signal: AbortSignal,
): Promise<TakenAgain & { isPassing: boolean }> {
  const { action, elements = {} } = recorded;
  let { input } = recorded;
  const [untold] = untoldFields(input, elements);
  // A ref of another run would be that of another element.
  if (untold !== undefined) return failure(input, `The record does not tell what ${untold} was.`);
  const state = await lookAt(context.tools, { takesPicture: false, signal });
  for (const [path, wanted] of Object.entries(elements)) {
    const found = await findElement(wanted, state.refs, refs => context.tools.identify(refs));
    if ('drift' in found) return { success: false, isDrift: true, isPassing: true, input, text: found.drift };
    input = withValueAt(input, path, found.ref);
  }
  const output = { evaluation: '', memory: '', nextGoal: '', actions: [{ [action]: input }] };
  const { results, waits } = await takeActions(context, { step: recorded.step, output, state, signal });
  if (waits !== undefined)
    return failure(input, `${action} needs a person: ${waits.payload.question ?? 'an approval'}`);
  const [result] = results;
  if (result === undefined) return failure(input, `${action} was not taken`);
  const { success, text, code = '' } = result;
  return { success, isDrift: false, isPassing: PASSING.has(code), input, text };
}

function failure(input: Record<string, unknown>, text: string): TakenAgain & { isPassing: boolean } {
  return { success: false, isDrift: false, isPassing: false, input, text };
}

/** Waits until what is looked for may be there. */
async function change(
  { elements = {} }: RecordedAction,
  { tools, waits }: RunContext,
  signal: AbortSignal,
): Promise<void> {
  const [wanted] = Object.values(elements);
  const text = wanted?.name;
  const seconds = waits.between / 1_000;
  const sought = text === undefined || text === '' ? { seconds } : { text };
  const began = performance.now();
  await tools.call('browser_wait', { for: sought, timeout: seconds }, { callId: randomUUID(), signal });
  // A text that stands there already is no news.
  if (performance.now() - began < waits.between / 4)
    await tools.call('browser_wait', { for: { seconds: seconds / 4 } }, { callId: randomUUID(), signal });
}

interface Healing {
  history: AgentHistory;
  context: RunContext;
  signal: AbortSignal;
}

/** Lets the model do one recorded step. */
async function heal(
  recorded: RecordedAction,
  problem: string,
  { history, context, signal }: Healing,
): Promise<boolean> {
  const { action, input, elements, goal } = recorded;
  const target = Object.values(elements ?? {})
    .map(({ role, name = '' }) => `${role} ${JSON.stringify(name)}`)
    .join(', ');
  const task = `Repeat one step of a recorded task, and nothing more. The task was: ${history.task}. The goal of this step was: ${goal}. Its action was ${action} ${JSON.stringify(input)}${target === '' ? '' : ` on ${target}`}. That no longer works: ${problem} Do it another way, then call done.`;
  const state: AgentState = newState({ runId: randomUUID(), threadId: history.threadId, task, maxSteps: 3 });
  while (state.stopReason === undefined && state.step < state.maxSteps && state.consecutiveFailures < 2) {
    await decide(state, context, signal);
    await act(state, context, { signal });
    const acted = state.history.steps
      .at(-1)
      ?.results.some(result => result.success && leavesMark(result) && !PREPARES.has(result.action));
    if (acted) return true;
  }
  return state.history.success === true;
}
