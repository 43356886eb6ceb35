/** The messages between the page and its server about runs of the browser agent. */

import type { CallKind, CallPreview } from '../api.js';

export type StopReason = 'done' | 'max_steps' | 'failures' | 'stuck' | 'budget' | 'stopped' | 'suspended';

/** `interrupted`: the server ended while it went on. */
export type RunStatus = 'running' | 'paused' | 'waiting' | 'ended' | 'interrupted';

export interface RunSummary {
  readonly id: string;
  readonly threadId: string;
  readonly task: string;
  /** Left out where a script decided. */
  readonly model?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly status: RunStatus;
  /** Steps that have ended. */
  readonly steps: number;
  readonly success?: boolean;
  readonly stopReason?: StopReason;
  /** The agent's own words at the end. */
  readonly result?: string;
}

/** A run as it is now; what only a run that goes on has is left out of others. */
export interface RunView extends RunSummary {
  readonly maxSteps?: number;
  /** No further step begins. */
  readonly isPaused?: boolean;
  /** Words of the person that no step has heard yet. */
  readonly said: readonly string[];
  /** The kinds of actions that the person has approved for the rest of it. */
  readonly allowed: readonly CallKind[];
  /** The reason why it waits. */
  readonly notice?: string;
  readonly question?: RunQuestion;
}

/** The thing that a run waits for. */
export interface RunQuestion {
  readonly id: string;
  readonly kind: 'question' | 'approval';
  readonly text: string;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  /** Of the action that waits for approval. */
  readonly preview?: CallPreview;
}

export interface StepView {
  /** Counted from 1; 0 is what was done before the model was first asked. */
  readonly step: number;
  readonly phase: 'looking' | 'thinking' | 'acting' | 'ended';
  readonly url: string;
  readonly title: string;
  /** The evaluation of the step before; begins with Success, Failed or Unknown. */
  readonly evaluation?: string;
  readonly thinking?: string;
  readonly memory?: string;
  readonly progress?: string;
  readonly plan?: string;
  readonly nextGoal?: string;
  readonly actions: readonly ActionView[];
  /** Why the step failed as a whole. */
  readonly error?: string;
  /** The person's words before it. */
  readonly said: readonly string[];
  readonly hasPicture: boolean;
  readonly startedAt: number;
  /** Milliseconds, once it has ended. */
  readonly duration?: number;
  /** Milliseconds of it that the model took. */
  readonly modelDuration?: number;
  readonly tokens?: { readonly input: number; readonly output: number };
}

export interface ActionView {
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** `dropped`: the page became another one, or an action before it failed. */
  readonly status: 'pending' | 'running' | 'done' | 'failed' | 'dropped';
  /** The elements that it is about, such as `link "Terms"`, by their refs. */
  readonly names?: Readonly<Record<string, string>>;
  readonly text?: string;
  /** The text that was read for the model. */
  readonly content?: string;
  /** Milliseconds. */
  readonly duration?: number;
}

/** A recorded run that is done again, without a model. */
export interface RerunView {
  /** Of the browser that it happens in. */
  readonly threadId: string;
  readonly status: 'running' | 'ended';
  readonly variables: Readonly<Record<string, string>>;
  readonly actions: readonly RerunActionView[];
  readonly success?: boolean;
  readonly stopReason?: 'done' | 'drift' | 'failed' | 'stopped';
  /** The reason why it stopped. */
  readonly problem?: string;
  readonly startedAt: number;
  readonly endedAt?: number;
}

export interface RerunActionView {
  readonly step: number;
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly names?: Readonly<Record<string, string>>;
  /** The goal of the recorded step. */
  readonly goal: string;
  /** `healed`: the model did it, since its element could not be told for sure. */
  readonly status: 'pending' | 'running' | 'done' | 'healed' | 'failed';
  readonly text?: string;
}

/** All that there is of a run. */
export interface RunDetail {
  readonly run: RunView;
  readonly steps: readonly StepView[];
  readonly rerun?: RerunView;
}

/** The events for a page that follows a run: all of it first, then each part that changes. */
export type RunEvent =
  | ({ readonly type: 'all' } & RunDetail)
  | { readonly type: 'run'; readonly run: RunView }
  | { readonly type: 'step'; readonly step: StepView }
  | { readonly type: 'rerun'; readonly rerun: RerunView }
  | { readonly type: 'deleted' };

/**
 * The event for a page that shows the history: all runs, the latest first, whenever one begins, waits, ends or is
 * deleted.
 */
export interface RunListEvent {
  readonly type: 'runs';
  readonly runs: readonly RunSummary[];
}

export interface NewRun {
  readonly threadId: string;
  readonly task: string;
  readonly asksBeforeActions: boolean;
}

/** A value of a recorded run that another run can have another for. */
export interface RunVariable {
  readonly name: string;
  /** Left out for one that is not recorded, which a rerun needs. */
  readonly value?: string;
  /** A value that fits better now: the address of the demo shop, which is another one each time. */
  readonly suggested?: string;
  readonly kind: 'email' | 'phone' | 'date' | 'number' | 'url' | 'origin' | 'name' | 'text';
}

export interface NewRerun {
  readonly variables: Readonly<Record<string, string>>;
  readonly onDrift: 'stop' | 'ask-model';
}

/** The refusals of a rerun: by variable, or as a whole under the empty name. */
export interface RerunRefusal {
  readonly error: string;
  readonly fieldErrors: Readonly<Record<string, string>>;
}

export type ExportFormat = 'mastra' | 'playwright' | 'json';
