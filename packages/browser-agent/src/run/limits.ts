import type { BrowserState } from '../browser/browser-state.js';
import type { StepRecord, StopReason } from '../history/history.js';
import { errors, usage } from '../history/history.js';
import type { AgentOptions } from '../options.js';
import type { AgentState } from './agent-state.js';

/** The same actions on the same page so often are told, and two times later end the run. */
const SAME_TOLD = 3;
const SAME_ENDS = 5;
/** Steps that change nothing, alike. */
const UNCHANGED_TOLD = 5;
const UNCHANGED_ENDS = 8;
/** At this part of all steps the model is told to come to an end. */
const LATE = 0.75;

/** Why a run has to end before its next step; undefined while it may go on. */
export function whyEnds(
  state: AgentState,
  { maxFailures, maxDuration, maxTokens }: AgentOptions,
): StopReason | undefined {
  if (state.stopReason !== undefined) return state.stopReason;
  if (state.stopRequested) return 'stopped';
  if (state.consecutiveFailures >= maxFailures) return 'failures';
  if (state.repetitions >= SAME_ENDS || state.unchanged >= UNCHANGED_ENDS) return 'stuck';
  if (maxDuration !== undefined && state.active >= maxDuration * 1_000) return 'budget';
  const { input, output } = usage(state.history);
  if (maxTokens !== undefined && input + output >= maxTokens) return 'budget';
  return state.step >= state.maxSteps ? 'max_steps' : undefined;
}

/** Writes into the history how the run ended. */
export function conclude(state: AgentState): void {
  const { history, stopReason = 'stopped' } = state;
  history.stopReason = stopReason;
  history.success ??= false;
  const problem = history.problem ?? PROBLEMS[stopReason](state);
  if (problem !== undefined) history.problem = problem;
}

const PROBLEMS: Record<StopReason, (state: AgentState) => string | undefined> = {
  done: () => undefined,
  failures: ({ history }) => errors(history).at(-1)?.error,
  stuck: () => 'It repeated the same actions, or the page stopped changing.',
  budget: () => 'It reached its limit of time or tokens (maxDuration, maxTokens).',
  max_steps: ({ maxSteps }) => `It reached its limit of ${maxSteps} steps.`,
  stopped: () => 'It was stopped.',
  suspended: ({ decided }) => `It is waiting for the user: ${decided?.waiting?.payload.question ?? 'an approval'}`,
};

export function isLastStep({ step, maxSteps }: AgentState): boolean {
  return step >= maxSteps;
}

/** Tells the model what it is about to run into. Called once a step, before it is asked. */
export function warnOfLimits(state: AgentState): void {
  const { step, maxSteps, notes } = state;
  if (isLastStep(state))
    notes.push('This is the last step: you can only call done. Say what was achieved and what was not.');
  else if (step === Math.ceil(maxSteps * LATE) && maxSteps > 3)
    notes.push(`Steps left after this one: ${maxSteps - step}. Bring the task to an end.`);
  if (state.repetitions >= SAME_TOLD)
    notes.push(
      `You have taken the same actions on this page ${state.repetitions} times, and they do not help. Try something else, or call done.`,
    );
  if (state.unchanged >= UNCHANGED_TOLD)
    notes.push(`Nothing has changed in the last ${state.unchanged} steps. Try another way, or call done.`);
}

/** Notes whether a step did what the one before did, and whether anything came of it. */
export function noteProgress(
  state: AgentState,
  { browser, record }: { browser: BrowserState; record: StepRecord },
): void {
  const page = `${browser.url}\n${browser.elements}`;
  const deed = `${browser.url}\n${JSON.stringify(record.output?.actions ?? [])}`;
  const hasRead = record.results.some(
    ({ extractedContent, action }) =>
      extractedContent !== undefined || action.endsWith('_file') || action === 'ask_user',
  );
  const isSame = deed === state.lastDeed;
  state.repetitions = isSame ? state.repetitions + 1 : 1;
  state.unchanged = page === state.lastPage && !(hasRead && !isSame) ? state.unchanged + 1 : 1;
  state.lastDeed = deed;
  state.lastPage = page;
}
