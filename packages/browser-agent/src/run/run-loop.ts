import { actionOf } from '../agent-output.js';
import type { AgentState } from './agent-state.js';
import { whyEnds } from './limits.js';
import type { RunContext } from './run-context.js';
import { takeActions } from './take-actions.js';
import { resumeStep, takeStep } from './take-step.js';

/** What a loop asks its owner. */
export interface LoopHooks {
  /** Resolves once the run may go on. */
  unpaused(): Promise<void>;
  /** Called with the state after each step, before the next one. */
  onStep(state: AgentState): Promise<void> | void;
  /** What a person answers to what a call waits for; undefined where nobody can be asked now. */
  answer(state: AgentState): Promise<{ data: unknown } | undefined>;
}

/** Step after step until there is a reason to end, which is then in the state. */
export async function runLoop(
  state: AgentState,
  context: RunContext,
  { signal, hooks, resume }: { signal: AbortSignal; hooks: LoopHooks; resume?: { data: unknown } },
): Promise<void> {
  const overTime = timeLimit(state, context);
  const limited = overTime === undefined ? signal : AbortSignal.any([signal, overTime]);
  try {
    if (resume !== undefined) await resumeStep(state, context, { data: resume.data, signal: limited });
    else if (state.step === 0) await begin(state, context, limited);
    for (;;) {
      await hooks.onStep(state);
      if (state.waiting !== undefined) {
        const given = await hooks.answer(state);
        if (given === undefined) break;
        await resumeStep(state, context, { data: given.data, signal: limited });
        continue;
      }
      await hooks.unpaused();
      const reason = whyEnds(state, context.options);
      if (reason !== undefined) {
        state.stopReason = reason;
        break;
      }
      await takeStep(state, context, limited);
    }
  } catch (error) {
    if (!limited.aborted) {
      state.stopReason = 'failures';
      state.history.result ??= error instanceof Error ? error.message : String(error);
    } else state.stopReason = signal.aborted ? 'stopped' : 'budget';
  }
  state.history.stopReason = state.stopReason ?? 'stopped';
  state.history.success ??= false;
}

function timeLimit({ active }: AgentState, { options }: RunContext): AbortSignal | undefined {
  const { maxDuration } = options;
  return maxDuration === undefined ? undefined : AbortSignal.timeout(Math.max(1, maxDuration * 1_000 - active));
}

/** Opens the page that the task is about, and takes what the caller wants to have done first. */
async function begin(state: AgentState, context: RunContext, signal: AbortSignal): Promise<void> {
  const { url, initialActions } = state;
  const actions = [...(url === undefined ? [] : [{ navigate: { url } }]), ...initialActions];
  if (actions.length === 0) return;
  const startedAt = Date.now();
  const output = { evaluation: '', memory: '', nextGoal: 'Begin where the task does', actions };
  const browser = { url: '', title: '', tabs: [], elements: '', refs: {}, newRefs: new Set<string>() };
  const { results } = await takeActions(context, { step: 0, output, state: browser, signal });
  const record = {
    step: 0,
    url: '',
    title: '',
    tabs: [],
    output: { ...output, actions: actions.slice(0, results.length).map(action => ({ [actionOf(action).name]: actionOf(action).input })) },
    results,
    startedAt,
    duration: Date.now() - startedAt,
    modelDuration: 0,
    usage: { input: 0, output: 0 },
  };
  state.history.steps.push(record);
  context.emit({ type: 'step-ended', record });
}

