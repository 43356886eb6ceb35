import type { TaskScript } from '@browser-toolset/playground/dist/scripted-model/index.js';

/** One call of a tool, as a trace tells it. */
export interface TracedCall {
  name: string;
  input: unknown;
  success: boolean;
  /** What the model read of it. */
  text: string;
}

/** One answer of the model, and what was done by it. */
export interface TracedStep {
  /** Counted from 1; 0 is what the loop did before it asked. */
  number: number;
  /** The model's words. */
  said: string;
  calls: TracedCall[];
  tokens: { input: number; output: number; cached: number };
  /** Path of a picture of the page after the step. */
  picture?: string;
}

/** What whoever judges a run gets to see of it. */
export interface Ending {
  /** The agent's last words. */
  answer: string;
  steps: readonly TracedStep[];
  /** Address and text of the page that was open at the end. */
  lastPage: string;
  signal: AbortSignal;
}

export interface Verdict {
  passed: boolean;
  /** What decided: the data of the server, or the opinion of a model. */
  by: 'server' | 'model';
  /** What was not as it should be, or why a model thinks so. */
  reason: string;
  /** What a model took to judge. */
  tokens?: { input: number; output: number };
}

/** A task that is set up: its site is there, and nobody has touched it. */
export interface Stage extends AsyncDisposable {
  /** All that an agent is told. */
  readonly prompt: string;
  /** Folder with the files that the task is about. */
  readonly uploads?: string;
  /** What the server of a site of our own holds; plain data, or methods that answer with it. */
  readonly state?: unknown;
  judge(ending: Ending): Promise<Verdict>;
}

export interface EvalTask {
  readonly id: string;
  readonly site: string;
  readonly level?: string;
  /** How a scripted model does it, from what it is shown. */
  readonly script?: TaskScript;
  /** @param folder of this run, for files that the task brings */
  open(folder: string): Promise<Stage>;
}
