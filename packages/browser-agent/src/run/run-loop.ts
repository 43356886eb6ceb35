import { plainError } from '@browser-toolset/core/files';
import type { AgentState } from './agent-state.js';
import { conclude, whyEnds } from './limits.js';
import type { RunContext } from './run-context.js';
import { act, decide } from './take-step.js';

/** Aborts its signal when the run was at work for so long. What it waits for a person does not count. */
class TimeLimit {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #left: number;
  #since = 0;

  /** @param left Milliseconds; no limit when left out. */
  constructor(left = Number.POSITIVE_INFINITY) {
    this.#left = left;
    this.start();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Stands still while somebody else is waited for. */
  async without<T>(waiting: () => Promise<T>): Promise<T> {
    this.stop();
    try {
      return await waiting();
    } finally {
      this.start();
    }
  }

  /** Stands still until it is started again. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#since;
  }

  start(): void {
    this.#since = performance.now();
    if (!Number.isFinite(this.#left)) return;
    this.#timer = setTimeout(() => this.#controller.abort(new Error('the time is up')), Math.max(1, this.#left));
    this.#timer.unref();
  }
}

/** The questions of a loop to its owner. */
interface LoopHooks {
  /** Resolves once the run may go on. */
  unpaused(): Promise<unknown>;
  /** Called when a step was decided on, and when it has ended: what is to be kept is kept before it goes on. */
  save(state: AgentState): Promise<void>;
  onStep(state: AgentState): Promise<void>;
  /** The answer of a person to a call that waits; undefined where nobody can be asked now. */
  answer(state: AgentState): Promise<{ data: unknown } | undefined>;
}

interface LoopOptions {
  signal: AbortSignal;
  hooks: LoopHooks;
  /** A person's answer to what the state waits for. */
  answer?: { data: unknown };
  /** The state was stored by a process that may have gone on before it ended. */
  isResumed?: boolean;
}

/** Step after step until there is a reason to end, which is then in the state. */
export async function runLoop(state: AgentState, context: RunContext, options: LoopOptions): Promise<void> {
  const { signal, hooks } = options;
  const { maxDuration } = context.options;
  const time = new TimeLimit(maxDuration === undefined ? undefined : maxDuration * 1_000 - state.active);
  const limited = AbortSignal.any([signal, time.signal]);
  const { held } = context.tools;
  held.onChange = isHeld => (isHeld ? time.stop() : time.start());
  const patient: LoopHooks = {
    ...hooks,
    unpaused: () => time.without(hooks.unpaused),
    answer: now => time.without(() => hooks.answer(now)),
  };
  try {
    await goOn(state, context, { ...options, signal: limited, hooks: patient });
  } catch (error) {
    state.stopReason = signal.aborted ? 'stopped' : limited.aborted ? 'budget' : 'failures';
    if (!limited.aborted) state.history.problem = plainError(error);
  }
  held.onChange = () => undefined;
  time.stop();
  conclude(state);
  await hooks.save(state);
}

async function goOn(
  state: AgentState,
  context: RunContext,
  { signal, hooks, answer, isResumed }: LoopOptions,
): Promise<void> {
  const { decided } = state;
  if (decided !== undefined && (decided.waiting === undefined ? isResumed : answer !== undefined)) {
    await act(state, context, { signal, isInterrupted: true, ...(answer && { answer }) });
    await hooks.onStep(state);
  }
  for (;;) {
    await hooks.save(state);
    if (state.decided?.waiting !== undefined) {
      const given = await hooks.answer(state);
      if (given === undefined) {
        state.stopReason = 'suspended';
        return;
      }
      await act(state, context, { signal, answer: given });
      await hooks.onStep(state);
      continue;
    }
    await hooks.unpaused();
    const reason = whyEnds(state, context.options);
    if (reason !== undefined) {
      state.stopReason = reason;
      return;
    }
    if (state.decided === undefined) {
      await decide(state, context, signal);
      if (state.decided === undefined) continue;
      await hooks.save(state);
    }
    await act(state, context, { signal });
    await hooks.onStep(state);
  }
}
