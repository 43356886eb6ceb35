import { createHash } from 'node:crypto';
import type { BrowserState } from '../browser/browser-state.js';
import type { StepRecord, StopReason } from '../history/history.js';
import { errors, isDecided, usage } from '../history/history.js';
import { inert, shortened } from '../messages/frame.js';
import { actionsText } from '../messages/history-text.js';
import type { AgentOptions } from '../options.js';
import type { AgentState } from './agent-state.js';

/** Characters of the actions that a warning repeats. */
const MOST_ACTIONS_TEXT = 400;
/** At this part of all steps the model is told to come to an end. */
const LATE = 0.75;

/** Why a run has to end before its next step; undefined while it may go on. */
export function whyEnds(state: AgentState, options: AgentOptions): StopReason | undefined {
  const { maxFailures, maxDuration } = options;
  if (state.stopReason !== undefined) return state.stopReason;
  if (state.stopRequested) return 'stopped';
  if (state.consecutiveFailures >= maxFailures) return 'failures';
  if (maxDuration !== undefined && state.active >= maxDuration * 1_000) return 'budget';
  if (tokensLeft(state, options) <= 0) return 'budget';
  return state.step >= state.maxSteps ? 'max_steps' : undefined;
}

/** Tokens that the run may still use, with those of the step that is under way counted. */
export function tokensLeft({ history, decided }: AgentState, { maxTokens }: AgentOptions): number {
  if (maxTokens === undefined) return Number.POSITIVE_INFINITY;
  const { input, output } = usage({ ...history, steps: [...history.steps, ...(decided ? [decided.record] : [])] });
  return maxTokens - input - output;
}

/** Writes into the history how the run ended. */
export function conclude(state: AgentState): void {
  const { history, stopReason = 'stopped' } = state;
  history.stopReason = stopReason;
  history.success ??= false;
  if (state.said.length > 0) history.unheard = [...state.said];
  else delete history.unheard;
  const problem = history.problem ?? PROBLEMS[stopReason](state);
  if (problem !== undefined) history.problem = problem;
}

const PROBLEMS: Record<StopReason, (state: AgentState) => string | undefined> = {
  done: () => undefined,
  failures: ({ history }) => errors(history).at(-1)?.error,
  stuck: ({ unchanged }) => `It was stuck: nothing on the page changed in ${unchanged} steps.`,
  budget: () => 'It reached its limit of time or tokens (maxDuration, maxTokens).',
  max_steps: ({ maxSteps }) => `It reached its limit of ${maxSteps} steps.`,
  stopped: () => 'It was stopped.',
  suspended: ({ decided }) => `It is waiting for the user: ${decided?.waiting?.payload.question ?? 'an approval'}`,
};

export function isLastStep({ step, maxSteps }: AgentState): boolean {
  return step >= maxSteps;
}

/** What the model is about to run into, for this step alone. */
export function warnings(state: AgentState, { maxUnchangedSteps }: AgentOptions): string[] {
  const { step, maxSteps, unchanged, history } = state;
  const told: string[] = [];
  if (isLastStep(state))
    told.push('This is the last step: you can only call done. Say what was achieved and what was not.');
  else if (step === Math.ceil(maxSteps * LATE) && maxSteps > 3)
    told.push(`Steps left after this one: ${maxSteps - step}. Bring the task to an end.`);
  if (unchanged >= maxUnchangedSteps / 2)
    told.push(
      `Nothing has changed in the last ${unchanged} steps: the page has the same address, the same text and controls, and is scrolled to the same place. You took: ${actionsTaken(history.steps.slice(-unchanged))}. Try another way, or call done: the run ends when ${maxUnchangedSteps} steps in a row have changed nothing.`,
    );
  return told;
}

/** Actions as they were asked for, the same ones once. */
function actionsTaken(steps: readonly StepRecord[]): string {
  const times = new Map<string, number>();
  for (const { output } of steps) {
    if (output === undefined || output.actions.length === 0) continue;
    const action = actionsText(output);
    times.set(action, (times.get(action) ?? 0) + 1);
  }
  const taken = [...times].map(([action, count]) => (count > 1 ? `${action} (${count} times)` : action));
  return inert(shortened(taken.join('; '), MOST_ACTIONS_TEXT));
}

/**
 * Notes whether anything came of the last step: by the page and not by the actions, which may well be the same where each
 * of them changes something. Called with each look, before the model is asked.
 */
export function noteLook(state: AgentState, browser: BrowserState): void {
  const page = fingerprint(browser);
  const last = state.history.steps.at(-1);
  if (page !== state.lastPage) state.unchanged = 0;
  // A step that no model decided on says nothing of the agent.
  else if (last !== undefined && isDecided(last))
    state.unchanged = broughtAnythingNew(last, state.lastDeed) ? 0 : state.unchanged + 1;
  state.lastPage = page;
  if (last !== undefined && isDecided(last)) state.lastDeed = JSON.stringify(last.output?.actions);
}

/** What was read, written or asked for the first time leaves the page as it is, and brings the run on. */
function broughtAnythingNew({ output, results }: StepRecord, lastActions: string): boolean {
  const hasRead = results.some(
    ({ extractedContent, action }) =>
      extractedContent !== undefined || action.endsWith('_file') || action === 'ask_user',
  );
  return hasRead && JSON.stringify(output?.actions) !== lastActions;
}

/** A page that says less than this, in characters, is told from others by its picture as well. */
const TOLD_BY_PICTURE = 300;

/** Refs are left out: a page that was opened again has others. */
function fingerprint(browser: BrowserState): string {
  const { url, elements, tabs, pixelsAbove, dialog, code, screenshot } = browser;
  const told = elements.replace(/ @e\d+/g, '');
  const picture = elements.length < TOLD_BY_PICTURE ? screenshot?.data : undefined;
  const parts = [url, told, tabs.map(tab => tab.url), pixelsAbove, dialog, code, picture];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
