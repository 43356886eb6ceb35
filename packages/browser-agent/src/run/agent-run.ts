import { EventEmitter } from 'node:events';
import { plainError } from '@browser-toolset/core/files';
import { unlessAborted } from '@browser-toolset/core/waiting';
import type { Suspended } from '../browser/browser-tools.js';
import {
  type AgentHistory,
  type Extract,
  extracted,
  type StepRecord,
  type StopReason,
  type TokenUsage,
  usage,
} from '../history/history.js';
import { withoutMaskedValues } from '../history/masked-values.js';
import type { AgentState } from './agent-state.js';
import type { AgentEvent, EventOf } from './events.js';
import { conclude } from './limits.js';
import type { RunContext } from './run-context.js';
import { runLoop } from './run-loop.js';

/** How a run ended. It is there for every run: nothing is thrown. */
export interface RunResult<Output = unknown> {
  /** The task is done, as far as the model, and the judge where there is one, can tell. */
  success: boolean;
  stopReason: StopReason;
  /** The model's answer. */
  result?: string;
  /** Why it was not done, where the model does not say so itself. */
  problem?: string;
  /** The answer as data, where the run has an `output`. */
  output?: Output;
  /** The texts that it was read from, with where each stood. */
  extracts: Extract[];
  history: AgentHistory;
  usage: TokenUsage;
  /** The thing that the run waits for, with `stopReason: 'suspended'`. */
  waitsFor?: Suspended;
  /** All that is needed to go on, in another process too. */
  state: AgentState;
}

export interface RunHooks {
  /** Told of each step when it has ended. What it throws or rejects with ends the run. */
  onStep?: (record: StepRecord) => void | Promise<void>;
  /**
   * Answers what the agent asks a person: a text, or `{ approved: true }` for an action. Undefined suspends the run. Anything
   * else, and an error, is no answer: the action is not taken.
   */
  onQuestion?: (question: Suspended) => unknown;
  /** Called with the whole state after each step. */
  save?: (state: AgentState) => Promise<void>;
}

interface Starting extends RunHooks {
  state: AgentState;
  /** Resolves to what the run is made with: what is set up fails as a run does. */
  context: (events: Pick<RunContext, 'emit' | 'hears'>) => Promise<RunContext>;
  signal?: AbortSignal;
  /** A person's answer to what the state waits for. */
  answer?: { data: unknown };
  isResumed?: boolean;
}

/** One run of an agent: steps as they come, ways to steer it, and its result. */
export class AgentRun<Output = unknown> implements AsyncIterable<StepRecord> {
  readonly #events = new EventEmitter<{ event: [AgentEvent] }>();
  /** Types of events that are listened to, once for each listener. */
  readonly #heard: AgentEvent['type'][] = [];
  readonly #abort = new AbortController();
  readonly #state: AgentState;
  readonly #result: Promise<RunResult<Output>>;
  #paused: PromiseWithResolvers<void> | undefined;
  #isOver = false;

  constructor(starting: Starting) {
    this.#state = starting.state;
    this.#result = this.#start(starting);
  }

  get runId(): string {
    return this.#state.history.runId;
  }

  get threadId(): string {
    return this.#state.history.threadId;
  }

  /** The state as it is; it changes as the run goes on. */
  get state(): Readonly<AgentState> {
    return this.#state;
  }

  get isPaused(): boolean {
    return this.#paused !== undefined;
  }

  /** How the run ended. Never rejects. */
  get result(): Promise<RunResult<Output>> {
    return this.#result;
  }

  /** Calls back with all that happens. Returns the way to stop. */
  onEvent(listener: (event: AgentEvent) => void): () => void {
    this.#events.on('event', listener);
    return () => this.#events.off('event', listener);
  }

  /** Calls back with events of one type. Returns the way to stop. Answers are streamed while somebody listens to `thinking`. */
  on<Type extends AgentEvent['type']>(type: Type, listener: (event: EventOf<Type>) => void): () => void {
    this.#heard.push(type);
    const off = this.onEvent(event => {
      if (event.type === type) listener(event as EventOf<Type>);
    });
    return () => {
      const at = this.#heard.indexOf(type);
      if (at >= 0) this.#heard.splice(at, 1);
      off();
    };
  }

  /** No further step begins until `resume`. */
  pause(): void {
    if (this.#paused !== undefined) return;
    this.#paused = Promise.withResolvers();
    this.#emit({ type: 'paused' });
  }

  resume(): void {
    if (this.#paused === undefined) return;
    this.#paused.resolve();
    this.#paused = undefined;
    this.#emit({ type: 'resumed' });
  }

  /** Ends the run: what is under way is stopped, as far as its tool can be. */
  stop(): void {
    this.#state.stopRequested = true;
    this.#abort.abort(new Error('the run was stopped'));
    this.resume();
  }

  /**
   * Words of a person: the next step tells the model, also where it has just said that it is done.
   *
   * @returns False where the run has ended: nobody reads them, and they are for a run that follows.
   */
  say(words: string): boolean {
    if (this.#state.history.stopReason !== undefined) return false;
    this.#state.said.push(words);
    this.#emit({ type: 'said', words });
    return true;
  }

  /** Steps as they end, from the first one on. */
  async *[Symbol.asyncIterator](): AsyncGenerator<StepRecord> {
    let told = 0;
    let next = Promise.withResolvers<void>();
    const off = this.onEvent(({ type }) => {
      if (type !== 'step-ended' && type !== 'ended') return;
      next.resolve();
      next = Promise.withResolvers();
    });
    try {
      for (;;) {
        const waited = next.promise;
        const { steps } = this.#state.history;
        while (told < steps.length) yield steps[told++] as StepRecord;
        if (this.#isOver) return;
        await waited;
      }
    } finally {
      off();
    }
  }

  #emit(event: AgentEvent): void {
    this.#events.emit('event', event);
  }

  async #start({
    state,
    context,
    signal,
    answer,
    isResumed,
    onStep,
    onQuestion,
    save,
  }: Starting): Promise<RunResult<Output>> {
    // Whoever made the run listens before it begins.
    await Promise.resolve();
    const both = signal === undefined ? this.#abort.signal : AbortSignal.any([signal, this.#abort.signal]);
    const hooks = {
      unpaused: async () => this.#paused && unlessAborted(this.#paused.promise, both),
      save: async () => save?.(state),
      onStep: async () => {
        const record = state.history.steps.at(-1);
        if (record !== undefined && state.decided === undefined) await onStep?.(record);
      },
      answer: () => this.#answer(onQuestion, both),
    };
    try {
      const made = await context({
        emit: event => this.#emit(event),
        hears: type => this.#heard.includes(type),
      });
      await runLoop(state, made, { signal: both, hooks, ...(answer && { answer }), ...(isResumed && { isResumed }) });
    } catch (error) {
      state.stopReason = 'failures';
      state.history.success = false;
      state.history.problem = plainError(error);
      conclude(state);
    }
    return this.#over();
  }

  async #answer(onQuestion: RunHooks['onQuestion'], signal: AbortSignal): Promise<{ data: unknown } | undefined> {
    const waiting = this.#state.decided?.waiting;
    if (waiting === undefined || onQuestion === undefined) return undefined;
    const asked = async (): Promise<unknown> => onQuestion(waiting.payload);
    try {
      const data = await unlessAborted(asked(), signal);
      return data === undefined ? undefined : { data };
    } catch (error) {
      signal.throwIfAborted();
      this.#state.notes.push(`The user could not be asked, which counts as a no: ${plainError(error)}`);
      return { data: null };
    }
  }

  #over(): RunResult<Output> {
    const state = this.#state;
    const { history } = state;
    const waiting = state.decided?.waiting;
    const { stopReason = 'stopped', success = false, result, problem, output } = history;
    this.#isOver = true;
    this.#emit({ type: 'ended', stopReason, success });
    return {
      success,
      stopReason,
      ...(result !== undefined && { result }),
      ...(problem !== undefined && { problem }),
      ...(output !== undefined && { output: output as Output }),
      extracts: extracted(history),
      history: withoutMaskedValues(history),
      usage: usage(history),
      ...(waiting !== undefined && { waitsFor: waiting.payload }),
      state,
    };
  }
}
