import {
  type AgentHistory,
  type BrowserAgent,
  detectVariables,
  type RerunStep,
  recordedActions,
} from '@browser-toolset/browser-agent';
import { asError } from '../../demo/unknown-values.js';
import type { NewRerun, RerunActionView, RerunView } from './api.js';
import { namesOf } from './step-view.js';

interface LiveRerunParts extends NewRerun {
  readonly agent: BrowserAgent;
  readonly history: AgentHistory;
  readonly threadId: string;
  onChange(rerun: RerunView): void;
}

/** A recorded run that is being done again, action by action. */
export class LiveRerun {
  /** Resolves when it has ended. Never rejects. */
  readonly ended: Promise<void>;
  readonly #abort = new AbortController();
  readonly #onChange: LiveRerunParts['onChange'];
  #view: RerunView;

  constructor({ agent, history, threadId, variables, onDrift, onChange }: LiveRerunParts) {
    this.#onChange = onChange;
    // What is not recorded is not shown either.
    const values = Object.values(detectVariables(history)).flatMap(({ name, value }) =>
      value === undefined ? [] : [[name, variables[name] ?? value]],
    );
    this.#view = {
      threadId,
      status: 'running',
      variables: Object.fromEntries(values),
      actions: withRunning(
        recordedActions(history).map(({ elements, step, action, input, goal }) => ({
          ...{ step, action, input, goal },
          ...namesOf(input, elements),
          status: 'pending',
        })),
      ),
      startedAt: Date.now(),
    };
    this.ended = this.#take(agent, history, { variables, onDrift });
  }

  get view(): RerunView {
    return this.#view;
  }

  stop(): void {
    this.#abort.abort(new Error('the rerun was stopped'));
  }

  async #take(agent: BrowserAgent, history: AgentHistory, options: NewRerun): Promise<void> {
    const { threadId } = this.#view;
    const { signal } = this.#abort;
    // Whoever began it knows of it before its first change.
    await Promise.resolve();
    this.#change({});
    try {
      const onStep = (step: RerunStep): void => this.#note(step);
      const { success, stopReason, problem } = await agent.rerun(history, { ...options, threadId, signal, onStep });
      this.#end({ success, stopReason, ...(problem !== undefined && { problem }) });
    } catch (error) {
      this.#end({ success: false, stopReason: 'failed', problem: asError(error).message });
    }
  }

  #note({ input, success, isHealed, text }: RerunStep): void {
    const status = isHealed ? 'healed' : success ? 'done' : 'failed';
    const at = this.#view.actions.findIndex(action => action.status === 'running');
    const actions = this.#view.actions.map((action, index) =>
      index === at ? ({ ...action, input, status, text } as const) : action,
    );
    this.#change({ actions: success ? withRunning(actions) : actions });
  }

  #end(end: Pick<RerunView, 'success' | 'stopReason' | 'problem'>): void {
    const actions = this.#view.actions.map(action =>
      action.status === 'running' ? { ...action, status: 'pending' as const } : action,
    );
    this.#change({ ...end, actions, status: 'ended', endedAt: Date.now() });
  }

  #change(change: Partial<RerunView>): void {
    this.#view = { ...this.#view, ...change };
    this.#onChange(this.#view);
  }
}

/** The first that is still to be done is being done. */
function withRunning(actions: readonly RerunActionView[]): RerunActionView[] {
  const next = actions.findIndex(({ status }) => status === 'pending');
  return actions.map((action, index) => (index === next ? { ...action, status: 'running' } : action));
}
